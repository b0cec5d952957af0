/** Finds the entities that a text names, if they are few enough to read their lines, orders or requirements by their ids. */
import type { Tx } from '../../db/transaction.ts';
import { selectOfNumber } from '../../entities/lists/search-entities.sql.ts';
import { hasTrigram, numberSought } from '../../entities/lists/search-patterns.ts';

/** Maximum number of entities by whose ids rows are read. */
const FOUND_MAX = 200;

/** Number of rows that one page looks at if more entities are found. */
export const WINDOW_ROWS = 5000;

/** How a page finds its rows: in order without a filter, by the ids of entities, or by looking at a window of rows. */
export type Among = 'all' | 'ids' | 'window';

export interface Found {
  among: Among;
  /** The parameters of its statement: entities or the text, and how many rows it looks at. */
  params: unknown[];
}

/** Finds rows by text, or by a filter (`rare`) that has no index and may match few rows. */
export async function findByText(tx: Tx, q: string | undefined, rare: boolean): Promise<Found> {
  if (q === undefined)
    return rare ? { among: 'window', params: [null, WINDOW_ROWS] } : { among: 'all', params: [] };
  const number = numberSought(q);
  const found =
    number !== null
      ? await tx.query<{ id: string }>(selectOfNumber, [tx.workspaceId, number, FOUND_MAX + 1])
      : hasTrigram(q)
        ? await tx.query<{ id: string }>(findEntities, [q, FOUND_MAX + 1])
        : null;
  // Numbers need not be unique, so many entities may have the same one.
  return found === null || found.length > FOUND_MAX
    ? { among: 'window', params: [q, WINDOW_ROWS] }
    : { among: 'ids', params: [found.map(({ id }) => id), WINDOW_ROWS] };
}

/** See search-entities.sql.ts. $1 text, $2 at most. */
const findEntities = 'select id from search_lines($1::text, $2)';
