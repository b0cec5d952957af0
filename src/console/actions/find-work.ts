/**
 * Searches all workspaces for a batch, a GUID, a part number or the text of an error. Payloads of failed batches are compressed, so they
 * are read, the newest first, within bounds of bytes and time.
 */
import { zstdDecompressSync } from 'node:zlib';
import type { Db } from '../../db/connect.ts';
import { type InstanceTx, inTransaction } from '../../db/transaction.ts';
import { findById, findByNumber, findWorkspaces, selectSegments, suspectBatches } from './console.sql.ts';
import { type Failure, readFailures } from './group-failures.ts';

export interface Found {
  kind: 'workspace' | 'batch' | 'entity' | 'run';
  workspace_id: string;
  slug: string;
  id: string;
  title: string | null;
  status: string;
  at: string;
}

export interface Search {
  found: Found[];
  /** Failures whose text contains the query. */
  failures: Failure[];
  /** Whether payloads were left out because there are too many, or they are too large. */
  isPartial: boolean;
}

const BATCHES_MAX = 100;
const BYTES_MAX = 128 * 1024 * 1024;
const LOOK_MS_MAX = 3_000;
const FAILURES_SHOWN_MAX = 50;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export async function findWork(db: Db, text: string): Promise<Search> {
  return inTransaction(
    db,
    'instance',
    async (tx) => {
      const found = uuid.test(text)
        ? await tx.query<Found>(findById, [text])
        : [
            ...(await tx.query<Found>(findWorkspaces, [text, patternOf(text)])),
            ...(await tx.query<Found>(findByNumber, [text])),
          ];
      const { batches, isPartial } = await lookThroughPayloads(tx, text);
      const known = new Set(found.map(({ id }) => id));
      const wanted = text.toLowerCase();
      const failures = (await readFailures(tx)).filter(
        (one) => one.text.toLowerCase().includes(wanted) || one.requestId === text,
      );
      return {
        found: [...batches.filter(({ id }) => !known.has(id)), ...found],
        failures: failures.slice(0, FAILURES_SHOWN_MAX),
        isPartial,
      };
    },
    { readOnly: true },
  );
}

/** Returns a LIKE pattern for texts that contain it literally. */
const patternOf = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

async function lookThroughPayloads(
  tx: InstanceTx,
  text: string,
): Promise<{ batches: Found[]; isPartial: boolean }> {
  const suspects = await tx.query<Omit<Found, 'kind'>>(suspectBatches, [BATCHES_MAX]);
  // In JSON, quotes and control characters are escaped.
  const needle = Buffer.from(JSON.stringify(text).slice(1, -1));
  const startedAt = performance.now();
  const batches: Found[] = [];
  let bytes = 0;
  for (const suspect of suspects) {
    let [chunk, segment, holds] = [-1, -1, false];
    for (let more = true; more && !holds; ) {
      const rows = await tx.query<{ chunk: number; segment: number; elements: Buffer }>(selectSegments, [
        suspect.workspace_id,
        suspect.id,
        chunk,
        segment,
      ]);
      more = rows.length > 0;
      for (const row of rows) {
        const unpacked = zstdDecompressSync(row.elements);
        bytes += unpacked.length;
        holds ||= unpacked.includes(needle);
        [chunk, segment] = [row.chunk, row.segment];
      }
      if (bytes > BYTES_MAX || performance.now() - startedAt > LOOK_MS_MAX)
        return { batches, isPartial: true };
    }
    if (holds) batches.push({ ...suspect, kind: 'batch' });
  }
  return { batches, isPartial: suspects.length === BATCHES_MAX };
}
