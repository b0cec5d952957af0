/**
 * Lists: `{ items, nextCursor }`, paged by keyset. A cursor holds the sort key of the last row shown, so a
 * page costs the same wherever it is and rows that are added meanwhile shift nothing.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { RowPage } from '../db/read-page.ts';
import { AppError } from '../errors.ts';
import { storageFaults } from './check-stored.ts';

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 1000;

/** The query of every list; extend it with the list's own filters. */
export const ListQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(LIMIT_MAX).default(LIMIT_DEFAULT).meta({
    description: 'Maximum number of items. A page of large items may be shorter although there are more.',
  }),
  cursor: z
    .string()
    .max(4096)
    .optional()
    .meta({ description: 'The `nextCursor` of the previous page; omit it for the first page.' }),
});
export type ListQuery = z.output<typeof ListQuery>;

/** Order of lists that are sorted by id. */
export const ListOrder = z.enum(['asc', 'desc']).default('asc').meta({
  description: '`asc`: oldest first. `desc`: newest first.',
});

/** How a statement walks such a list. */
export interface Direction {
  /** Comparison of a later id with an earlier one. */
  beyond: '>' | '<';
  order: 'asc' | 'desc';
}

export function directionOf(order: 'asc' | 'desc'): Direction {
  return { beyond: order === 'asc' ? '>' : '<', order };
}

/** The answer of a list of those items. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    nextCursor: z.string().nullable().meta({ description: 'Value for `?cursor=`; null on the last page.' }),
  });
}

/**
 * The sort key in a cursor, checked by `key`; null for the first page. `list` names the list (and whatever
 * of its filters changes the order), so that a cursor of one list is refused in another.
 * Throws `invalid_cursor`.
 */
export function decodeCursor<Key>(list: string, cursor: string | undefined, key: z.ZodType<Key>): Key | null {
  if (cursor === undefined) return null;
  const bytes = Buffer.from(cursor, 'base64url');
  const payload = bytes.subarray(CHECK_BYTES);
  if (
    bytes.toString('base64url') === cursor &&
    bytes.subarray(0, CHECK_BYTES).equals(checkOf(list, payload))
  ) {
    const parsed = key.safeParse(parsedOf(payload));
    if (parsed.success && isStorable(parsed.data)) return parsed.data;
  }
  throw new AppError('invalid_cursor', 'The cursor does not belong to this list. Begin without one.');
}

/** Undefined, which no key is, where it is not JSON. */
function parsedOf(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString());
  } catch {
    return undefined;
  }
}

const INTEGER_MAX = 2 ** 31 - 1;

/**
 * Whether the database can compare with it: the check in a cursor is no secret, so a forged one can hold any text and
 * any number. All numbers that lists are sorted by are 32-bit integers.
 */
function isStorable(key: unknown): boolean {
  const parts: unknown[] = Array.isArray(key) ? key : [key];
  return (
    storageFaults(key).length === 0 &&
    parts.every(
      (part) => typeof part !== 'number' || (Number.isInteger(part) && Math.abs(part) <= INTEGER_MAX),
    )
  );
}

export function encodeCursor(list: string, key: unknown): string {
  const payload = Buffer.from(JSON.stringify(key));
  return Buffer.concat([checkOf(list, payload), payload]).toString('base64url');
}

/** The answer of a page: where there are more, the next one begins after the sort key (`keyOf`) of the last row. */
export function pageOf<Row, Item>(
  list: string,
  { rows, more }: RowPage<Row>,
  keyOf: (row: Row) => unknown,
  itemOf: (row: Row) => Item,
): { items: Item[]; nextCursor: string | null } {
  const last = rows.at(-1);
  const nextCursor = more && last !== undefined ? encodeCursor(list, keyOf(last)) : null;
  return { items: rows.map(itemOf), nextCursor };
}

// Not a secret: a forged cursor shows nothing that the list would not. It tells damage from a cursor.
const CHECK_BYTES = 6;
function checkOf(list: string, payload: Buffer): Buffer {
  return createHash('sha256').update(`cursor ${list}\n`).update(payload).digest().subarray(0, CHECK_BYTES);
}
