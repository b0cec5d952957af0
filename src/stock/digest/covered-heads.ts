/** The heads that a digest covers, one after the other in order of their keys, as the service kept them. */

import { type HeadRow, LOWEST_ID } from '../entries/ledger-entry.ts';
import { selectHeadsBehind } from './digest.sql.ts';

const PAGE_ROWS = 2000;

interface KeptRow extends HeadRow {
  ordinal: number;
}

type Read = (sql: string, params: readonly unknown[]) => Promise<KeptRow[]>;

/** Memory is bounded by a page. `read` opens a transaction for each. */
export async function* coveredHeads(
  read: Read,
  workspaceId: string,
  ordinal: number,
): AsyncGenerator<HeadRow, void, undefined> {
  let last: KeptRow | null = null;
  for (let more = true; more; ) {
    const from: (string | number)[] =
      last === null ? [LOWEST_ID, LOWEST_ID, 0] : [last.itemId, last.locationId, last.ordinal];
    const rows: KeptRow[] = await read(selectHeadsBehind, [workspaceId, ...from, ordinal, PAGE_ROWS]);
    for (const row of rows) {
      // The last row of a position is the one that counts: it is known when the next position begins.
      if (last !== null && (last.itemId !== row.itemId || last.locationId !== row.locationId)) yield last;
      last = row;
    }
    more = rows.length === PAGE_ROWS;
  }
  if (last !== null) yield last;
}
