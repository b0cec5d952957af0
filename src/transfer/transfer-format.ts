/**
 * The file of a workspace: lines of JSON, compressed by zstd. The first says what it is; then each table has a line that names
 * its columns, a line for each row (an array of what PostgreSQL writes for the values, or null) and a line with their number; the
 * last line has the sums by which both sides see that nothing is missing or changed.
 */
import { z } from 'zod';

export const FORMAT = 'partbook-workspace';
export const FORMAT_VERSION = 1;

export const FileHead = z.object({
  format: z.literal(FORMAT),
  version: z.int(),
  /** The newest migration of the installation that wrote it: tables and columns are those of that schema. */
  schema: z.string(),
  exportedAt: z.string(),
  workspace: z.object({ id: z.uuid(), slug: z.string(), name: z.string(), createdAt: z.string() }),
});
export type FileHead = z.infer<typeof FileHead>;

const TableHead = z.object({ table: z.string(), columns: z.array(z.string()) });
export type TableHead = z.infer<typeof TableHead>;
const TableEnd = z.object({ end: z.string(), rows: z.int().min(0) });

export const FileEnd = z.object({
  /** Rows of all tables. */
  rows: z.int().min(0),
  /** The hash of every byte before this line. */
  sha256: z.string(),
  ledger: z.object({
    entries: z.int().min(0),
    positions: z.int().min(0),
    /** The digest of `GET /stock/ledger/digest` at `exportedAt`. */
    digest: z.string(),
  }),
});
export type FileEnd = z.infer<typeof FileEnd>;

const Row = z.array(z.string().nullable());
export type Row = z.infer<typeof Row>;

export type FileLine =
  | { kind: 'row'; row: Row }
  | { kind: 'table'; head: TableHead }
  | { kind: 'end of table'; table: string; rows: number }
  | { kind: 'end'; end: FileEnd };

/** The file is not what it claims to be, or not for this installation. */
export class TransferError extends Error {
  override name = 'TransferError';
}

export function readHead(text: string): FileHead {
  const head = FileHead.safeParse(parsed(text));
  if (!head.success) throw new TransferError('This is no file of a workspace.');
  if (head.data.version !== FORMAT_VERSION)
    throw new TransferError(
      `The file has version ${head.data.version} of the format; this release reads ${FORMAT_VERSION}.`,
    );
  return head.data;
}

export function readLine(text: string): FileLine {
  const value = parsed(text);
  const row = Row.safeParse(value);
  if (row.success) return { kind: 'row', row: row.data };
  const head = TableHead.safeParse(value);
  if (head.success) return { kind: 'table', head: head.data };
  const end = TableEnd.safeParse(value);
  if (end.success) return { kind: 'end of table', table: end.data.end, rows: end.data.rows };
  const last = FileEnd.safeParse(value);
  if (last.success) return { kind: 'end', end: last.data };
  throw new TransferError('A line of the file cannot be read: it is damaged.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TransferError('A line of the file cannot be read: it is damaged.');
  }
}
