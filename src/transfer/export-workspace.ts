/**
 * Writes a workspace into a stream: everything that it has, as it was at one moment, while it is being written to. What is
 * held is a few megabytes, however large the workspace is.
 */
import { createHash } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import type { Db } from '../db/connect.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { digestHeads } from './digest-heads.ts';
import { readRows } from './read-rows.ts';
import {
  bearPauses,
  leftBehind,
  selectSchema,
  selectTenantTables,
  selectWorkspace,
  type TenantTable,
} from './transfer.sql.ts';
import { type FileEnd, type FileHead, FORMAT, FORMAT_VERSION, TransferError } from './transfer-format.ts';

export interface Exported {
  workspaceId: string;
  slug: string;
  tables: number;
  rows: number;
  ledger: FileEnd['ledger'];
}

/** Throws `TransferError` where there is no such workspace. */
export async function exportWorkspace(db: Db, slug: string, sink: Writable): Promise<Exported> {
  const found = await inTransaction(
    db,
    'instance',
    (tx) => tx.query<FileHead['workspace'] & { now: string }>(selectWorkspace, [slug]),
    { readOnly: true },
  );
  const [workspace] = found;
  if (workspace === undefined) throw new TransferError(`There is no workspace ${slug}.`);
  let isBegun = false;
  return inTransaction(
    db,
    { workspaceId: workspace.id },
    async (tx) => {
      // Half of it is written: a second try would append to that.
      if (isBegun) throw new TransferError('The snapshot was lost. Export again.');
      isBegun = true;
      await tx.query(bearPauses);
      const { now: _, ...known } = workspace;
      const result: Exported = {
        workspaceId: workspace.id,
        slug,
        tables: 0,
        rows: 0,
        ledger: { entries: 0, positions: 0, digest: '' },
      };
      // Of a process of its own: whoever waits for the disk here holds up nobody.
      await pipeline(Readable.from(linesOf(tx, known, result)), createZstdCompress(), sink);
      return result;
    },
    { snapshot: true, readOnly: true },
  );
}

async function* linesOf(tx: Tx, workspace: FileHead['workspace'], result: Exported): AsyncGenerator<string> {
  const hash = createHash('sha256');
  const line = (value: unknown) => {
    const text = `${JSON.stringify(value)}\n`;
    hash.update(text);
    return text;
  };
  const [schema] = await tx.query<{ name: string }>(selectSchema);
  const exportedAt = new Date().toISOString();
  const head: FileHead = {
    format: FORMAT,
    version: FORMAT_VERSION,
    schema: schema?.name ?? '',
    exportedAt,
    workspace,
  };
  yield line(head);
  const tables = await tx.query<TenantTable>(selectTenantTables, [Object.keys(leftBehind)]);
  for (const table of tables) {
    yield line({ table: table.name, columns: table.columns.map(({ name }) => name) });
    let rows = 0;
    for await (const page of readRows(tx, tx.workspaceId, table)) {
      rows += page.length;
      yield page.map(line).join('');
    }
    yield line({ end: table.name, rows });
    result.tables += 1;
    result.rows += rows;
  }
  result.ledger = await digestHeads(tx, workspace.id, exportedAt);
  const end: FileEnd = { rows: result.rows, sha256: hash.digest('hex'), ledger: result.ledger };
  yield `${JSON.stringify(end)}\n`;
}
