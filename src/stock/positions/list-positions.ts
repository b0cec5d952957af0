/** A page of positions, now or at a time. */

import { z } from 'zod';
import { firstIdAt } from '../../db/ids.ts';
import { readPage } from '../../db/read-page.ts';
import type { Tx } from '../../db/transaction.ts';
import { selectOfNumber } from '../../entities/lists/search-entities.sql.ts';
import { hasTrigram, numberSought } from '../../entities/lists/search-patterns.ts';
import { decodeCursor, encodeCursor, pageOf } from '../../http/list.ts';
import { microOfDecimal } from '../../quantity.ts';
import { LOWEST_ID } from '../entries/ledger-entry.ts';
import { showPosition } from '../entries/show-stock.ts';
import type { AllPositionsQuery, StockPosition } from '../entries/stock.schema.ts';
import {
  findItems,
  otherSide,
  type PositionRow,
  type Side,
  selectAllPositions,
  selectAllScanEnd,
  selectPositions,
  selectPositionsAsOf,
  selectPositionsOfItems,
  selectPositionsWithText,
  selectScanEnd,
  selectStockedPositions,
} from './positions.sql.ts';

/** Positions that one page looks at in search of such as are wanted. */
const SCAN_MAX = 5000;

const long = ['item_number', 'item_name', 'location_number', 'location_name'];

export interface PositionsWanted {
  side: Side;
  entityId: string;
  limit: number;
  cursor?: string | undefined;
  /** Milliseconds since 1970; entries of that millisecond count. */
  asOf?: number | undefined;
  /** Only those with something on hand. */
  stocked?: 'true' | 'false' | undefined;
}

/** Throws `invalid_cursor`. A page that looks for some among all may be short of its limit and still have a next one. */
export async function listPositions(
  tx: Tx,
  { side, entityId, limit, cursor, asOf, stocked = 'false' }: PositionsWanted,
): Promise<{ items: StockPosition[]; nextCursor: string | null }> {
  const onlyStocked = stocked === 'true';
  const list = `stock-positions ${side} ${entityId} ${asOf ?? ''}${onlyStocked ? ' stocked' : ''}`;
  const after = decodeCursor(list, cursor, z.uuid()) ?? LOWEST_ID;
  const keyOf = (row: PositionRow) => row[`${otherSide(side)}_id`];
  const wanted = [tx.workspaceId, entityId, after, limit + 1];
  const read = (sql: string, ...more: unknown[]) =>
    readPage<PositionRow>(tx, sql, [...wanted, ...more], { limit, long });
  if (asOf === undefined && !onlyStocked) return pageOf(list, await read(selectPositions(side)), keyOf, show);
  // One more than a page, or it could not be told that there are more.
  const looked = Math.max(SCAN_MAX, limit + 1);
  const rows =
    asOf === undefined
      ? await read(selectStockedPositions(side), looked)
      : await read(selectPositionsAsOf(side), firstIdAt(asOf + 1), looked, onlyStocked);
  const page = pageOf(list, rows, keyOf, show);
  if (page.nextCursor !== null) return page;
  const [end] = await tx.query<{ id: string }>(selectScanEnd(side), [
    tx.workspaceId,
    entityId,
    after,
    looked,
  ]);
  if (end === undefined) return page;
  // Positions that were made since the page was read let its end come earlier, and those shown behind it would come again.
  const last = page.items.length === 0 ? '' : keyOf(rows.rows.at(-1) as PositionRow);
  return { ...page, nextCursor: encodeCursor(list, last > end.id ? last : end.id) };
}

/** Items that a page goes on from. */
const ITEMS_MAX = 1000;

/**
 * Lists the positions of the workspace. A page may be shorter than its limit and still have a next one. Throws
 * `invalid_cursor`.
 */
export async function listAllPositions(
  tx: Tx,
  { q, short, limit, cursor }: AllPositionsQuery,
): Promise<{ items: StockPosition[]; nextCursor: string | null }> {
  const list = `all-positions ${short} ${q ?? ''}`;
  const [item, location] = decodeCursor(list, cursor, z.tuple([z.uuid(), z.uuid()])) ?? [
    LOWEST_ID,
    LOWEST_ID,
  ];
  const keyOf = (row: PositionRow) => [row.item_id, row.location_id];
  const wanted = [tx.workspaceId, item, location, limit + 1, short === 'true'];
  const found = q === undefined ? null : await findItemsByText(tx, q);
  if (found !== null) {
    const rows = await readPage<PositionRow>(tx, selectPositionsOfItems, [...wanted, found], { limit, long });
    return pageOf(list, rows, keyOf, show);
  }
  // One more than a page, or it could not be told that there are more.
  const looked = Math.max(SCAN_MAX, limit + 1);
  const rows = await (q === undefined
    ? readPage<PositionRow>(tx, selectAllPositions, [...wanted, looked], { limit, long })
    : readPage<PositionRow>(tx, selectPositionsWithText, [...wanted, looked, q], {
        limit,
        long,
      }));
  const page = pageOf(list, rows, keyOf, show);
  if (page.nextCursor !== null) return page;
  const [end] = await tx.query<{ item_id: string; location_id: string }>(selectAllScanEnd, [
    tx.workspaceId,
    item,
    location,
    looked,
  ]);
  return end === undefined
    ? page
    : { ...page, nextCursor: encodeCursor(list, [end.item_id, end.location_id]) };
}

/** Returns null if there are so many items that their positions are better read one after another. */
async function findItemsByText(tx: Tx, q: string): Promise<string[] | null> {
  const number = numberSought(q);
  if (number === null && !hasTrigram(q)) return null;
  const found = await (number === null
    ? tx.query<{ id: string }>(findItems, [q, ITEMS_MAX + 1])
    : tx.query<{ id: string }>(selectOfNumber, [tx.workspaceId, number, ITEMS_MAX + 1]));
  return found.length <= ITEMS_MAX ? found.map(({ id }) => id) : null;
}

function show(row: PositionRow): StockPosition {
  return showPosition(
    { id: row.item_id, number: row.item_number, name: row.item_name },
    { id: row.location_id, number: row.location_number, name: row.location_name },
    {
      onHand: microOfDecimal(row.on_hand),
      reserved: microOfDecimal(row.reserved),
      onOrder: microOfDecimal(row.on_order),
    },
    BigInt(row.updated_us),
  );
}
