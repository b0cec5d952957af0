/**
 * Makes a workspace out of a file that another installation wrote, or this one. All of it is one transaction: what is damaged,
 * incomplete or meant for another schema leaves nothing behind. What is held is a few megabytes.
 */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import type { Db } from '../db/connect.ts';
import { type InstanceTx, inTransaction } from '../db/transaction.ts';
import { digestHeads } from './digest-heads.ts';
import {
  bearPauses,
  insertRows,
  insertWorkspace,
  leftBehind,
  renumberBatches,
  selectSchema,
  selectTaken,
  selectTenantTables,
  type TenantTable,
} from './transfer.sql.ts';
import {
  type FileEnd,
  type FileHead,
  type Row,
  readHead,
  readLine,
  type TableHead,
  TransferError,
} from './transfer-format.ts';

export interface Imported {
  workspaceId: string;
  slug: string;
  tables: number;
  rows: number;
  ledger: FileEnd['ledger'];
}

/** Longer than any row that the service writes. */
const LINE_BYTES_MAX = 64 * 1024 * 1024;
const INSERT_ROWS_MAX = 2000;
const INSERT_CHARS_MAX = 4 * 1024 * 1024;

export interface ImportOptions {
  /** In place of the slug that it had. */
  slug?: string | null;
  /** The workspace rests where it was and keeps its slug. */
  isMoved?: boolean;
  /** Whether this installation gives a slug, where several stand behind one address. */
  givesSlug?: (slug: string) => boolean;
}

/** Throws `TransferError`, which says what is wrong with the file or the slug. */
export async function importWorkspace(
  db: Db,
  source: Readable,
  options: ImportOptions = {},
): Promise<Imported> {
  const [schema] = await db.query<{ name: string }>(selectSchema);
  let isBegun = false;
  return inTransaction(db, 'instance', async (tx) => {
    // What has been read cannot be read again.
    if (isBegun) throw new TransferError('Something else was written at the same time. Import again.');
    isBegun = true;
    await tx.query(bearPauses);
    const lines = linesIn(source);
    try {
      return await new WorkspaceImport(tx, schema?.name ?? '', options).run(lines);
    } finally {
      await lines.return(undefined);
    }
  });
}

class WorkspaceImport {
  readonly #tx: InstanceTx;
  readonly #schema: string;
  readonly #options: ImportOptions;
  readonly #hash = createHash('sha256');
  readonly #missing = new Map<string, TenantTable>();
  #tables = 0;
  #rows = 0;
  #workspaceId = '';

  constructor(tx: InstanceTx, schema: string, options: ImportOptions) {
    this.#tx = tx;
    this.#schema = schema;
    this.#options = options;
  }

  async run(lines: AsyncGenerator<string>): Promise<Imported> {
    const head = await this.#begin(await this.#next(lines));
    for (;;) {
      const text = await this.#next(lines);
      const line = readLine(text);
      if (line.kind === 'end') return this.#finish(head, line.end, lines);
      if (line.kind !== 'table') throw new TransferError('A line of the file is not where it belongs.');
      this.#hash.update(`${text}\n`);
      await this.#fill(line.head, lines);
    }
  }

  async #begin(text: string): Promise<FileHead> {
    const head = readHead(text);
    this.#hash.update(`${text}\n`);
    if (this.#schema !== head.schema)
      throw new TransferError(
        `The file is of the schema ${head.schema}, this installation has ${this.#schema}: bring both to the same release.`,
      );
    const { id, name, createdAt } = head.workspace;
    const { slug: given, isMoved = false, givesSlug = () => true } = this.#options;
    const slug = given ?? head.workspace.slug;
    if (!isMoved && !givesSlug(slug))
      throw new TransferError(
        `This installation gives no workspace the slug ${slug}: name another, or say that it has --moved.`,
      );
    const taken = await this.#tx.query<{ id: string; slug: string; state: string }>(selectTaken, [id, slug]);
    if (taken.some((one) => one.id === id && one.state === 'gone'))
      throw new TransferError(
        'This workspace was here and has left: forget it, and then its name, before it comes back.',
      );
    if (taken.some((one) => one.id === id)) throw new TransferError('This workspace is here already.');
    if (taken.length > 0)
      throw new TransferError(`Another workspace has the slug ${slug}. Import under another one.`);
    await this.#tx.query(insertWorkspace, [id, slug, name, createdAt]);
    this.#workspaceId = id;
    const tables = await this.#tx.query<TenantTable>(selectTenantTables, [Object.keys(leftBehind)]);
    for (const table of tables) this.#missing.set(table.name, table);
    return { ...head, workspace: { ...head.workspace, slug } };
  }

  async #fill(head: TableHead, lines: AsyncGenerator<string>): Promise<void> {
    const table = this.#missing.get(head.table);
    if (table === undefined) throw new TransferError(`The file has a table ${head.table} too many.`);
    this.#missing.delete(head.table);
    if (table.columns.map(({ name }) => name).join() !== head.columns.join())
      throw new TransferError(`The columns of ${head.table} are not those of this installation.`);
    let [rows, chars]: [Row[], number] = [[], 0];
    for (let count = 0; ; ) {
      const text = await this.#next(lines);
      const line = readLine(text);
      this.#hash.update(`${text}\n`);
      if (line.kind === 'row') {
        if (line.row.length !== table.columns.length) throw new TransferError('A row lacks values.');
        rows.push(line.row);
        chars += text.length;
        count += 1;
        if (rows.length < INSERT_ROWS_MAX && chars < INSERT_CHARS_MAX) continue;
      } else if (line.kind !== 'end of table' || line.table !== head.table || line.rows !== count) {
        throw new TransferError(`Rows of ${head.table} are missing.`);
      }
      if (rows.length > 0) await this.#insert(table, rows);
      [rows, chars] = [[], 0];
      if (line.kind !== 'end of table') continue;
      this.#tables += 1;
      this.#rows += count;
      return;
    }
  }

  async #insert(table: TenantTable, rows: readonly Row[]): Promise<void> {
    const columns = table.columns.map((_, at) => rows.map((row) => row[at] ?? null));
    await this.#tx.query(insertRows(table), [this.#workspaceId, ...columns]);
  }

  async #finish(head: FileHead, end: FileEnd, lines: AsyncGenerator<string>): Promise<Imported> {
    if (this.#missing.size > 0)
      throw new TransferError(`The file lacks the tables ${[...this.#missing.keys()].join(', ')}.`);
    if (end.rows !== this.#rows || end.sha256 !== this.#hash.digest('hex'))
      throw new TransferError('The file was changed after it was written.');
    if ((await lines.next()).done !== true) throw new TransferError('The file goes on behind its end.');
    const ledger = await digestHeads(this.#tx, this.#workspaceId, head.exportedAt);
    if (ledger.digest !== end.ledger.digest || ledger.entries !== end.ledger.entries)
      throw new TransferError('The ledger is another one than that which was exported.');
    await this.#tx.query(renumberBatches, [this.#workspaceId]);
    const { slug } = head.workspace;
    return { workspaceId: this.#workspaceId, slug, tables: this.#tables, rows: this.#rows, ledger };
  }

  async #next(lines: AsyncGenerator<string>): Promise<string> {
    const { value, done } = await lines.next();
    if (done === true) throw new TransferError('The file ends before its end: it was cut.');
    return value as string;
  }
}

/** Lines without their ends; a last one that has none was cut. */
async function* linesIn(source: Readable): AsyncGenerator<string> {
  const unpacked = source.pipe(createZstdDecompress());
  source.once('error', (error) => unpacked.destroy(error));
  let pieces: Buffer[] = [];
  let held = 0;
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      let from = 0;
      for (let to = chunk.indexOf(10); to >= 0; to = chunk.indexOf(10, from)) {
        pieces.push(chunk.subarray(from, to));
        yield Buffer.concat(pieces).toString();
        pieces = [];
        held = 0;
        from = to + 1;
      }
      if (from === chunk.length) continue;
      pieces.push(chunk.subarray(from));
      held += chunk.length - from;
      if (held > LINE_BYTES_MAX) throw new TransferError('A line of the file is too long.');
    }
  } catch (error) {
    const { code } = error as { code?: string };
    if (code?.startsWith('ZSTD_') || code === 'Z_BUF_ERROR')
      throw new TransferError('The file cannot be unpacked: it is damaged or was cut.', { cause: error });
    throw error;
  } finally {
    source.destroy();
  }
  if (held > 0) throw new TransferError('The file ends within a line: it was cut.');
}
