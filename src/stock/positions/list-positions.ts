/** A page of positions, now or at a time. */

import { z } from 'zod';
import { DAY_MS } from '../../calendar/days.ts';
import { firstIdAt } from '../../db/ids.ts';
import { readPage } from '../../db/read-page.ts';
import type { Tx } from '../../db/transaction.ts';
import { selectOfNumber } from '../../entities/lists/search-entities.sql.ts';
import { hasTrigram, numberSought } from '../../entities/lists/search-patterns.ts';
import { revisionLabel } from '../../entities/revision-label.ts';
import { decodeCursor, encodeCursor, pageOf } from '../../http/list.ts';
import { microOfDecimal, numberOf } from '../../quantity.ts';
import { LOWEST_ID } from '../entries/ledger-entry.ts';
import { momentOf, showPosition } from '../entries/show-stock.ts';
import type { AllPositionsQuery, ListedStockPosition, StockSum } from './positions.schema.ts';
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
  selectPositionsWithin,
  selectPositionsWithText,
  selectScanEnd,
  selectStockedPositions,
  selectSumsBelow,
  selectWithinScanEnd,
} from './positions.sql.ts';

/** Positions that one page looks at in search of such as are wanted. */
const SCAN_MAX = 5000;

const long = ['item_number', 'item_name', 'location_number', 'location_name', 'location_path'];

export interface PositionsWanted {
  side: Side;
  entityId: string;
  limit: number;
  cursor?: string | undefined;
  /** Milliseconds since 1970; entries of that millisecond count. */
  asOf?: number | undefined;
  /** A day at whose end the positions are, by the days on which movements happened. */
  effectiveAsOf?: string | undefined;
  /** Only those with something on hand. */
  stocked?: 'true' | 'false' | undefined;
}

/** Throws `invalid_cursor`. A page that looks for some among all may be short of its limit and still have a next one. */
export async function listPositions(
  tx: Tx,
  { side, entityId, limit, cursor, asOf: moment, effectiveAsOf: day, stocked = 'false' }: PositionsWanted,
): Promise<{ items: ListedStockPosition[]; nextCursor: string | null }> {
  const onlyStocked = stocked === 'true';
  const asOf = day === undefined ? moment : Date.parse(day) + DAY_MS - 1;
  const list = `stock-positions ${side} ${entityId} ${day ?? asOf ?? ''}${onlyStocked ? ' stocked' : ''}`;
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
      : await read(selectPositionsAsOf(side), firstIdAt(asOf + 1), looked, onlyStocked, day ?? null);
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
  { q, short, countedBefore, limit, cursor }: Omit<AllPositionsQuery, 'location' | 'below'>,
): Promise<{ items: ListedStockPosition[]; nextCursor: string | null }> {
  const list = `all-positions ${short} ${countedBefore ?? ''} ${q ?? ''}`;
  const [item, location] = decodeCursor(list, cursor, z.tuple([z.uuid(), z.uuid()])) ?? [
    LOWEST_ID,
    LOWEST_ID,
  ];
  const keyOf = (row: PositionRow) => [row.item_id, row.location_id];
  const wanted = [tx.workspaceId, item, location, limit + 1, short === 'true', sinceOf(countedBefore)];
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

export interface PositionsWithin extends Partial<Pick<AllPositionsQuery, 'q' | 'short' | 'countedBefore'>> {
  locationId: string;
  /** Also at all locations that lie in it. */
  below: 'true' | 'false';
  itemId?: string | undefined;
  stocked?: 'true' | 'false' | undefined;
  limit: number;
  cursor?: string | undefined;
}

/**
 * Lists positions at a location, or at it and all that lie in it, in order of locations and items. A page may be shorter than its limit
 * and still have a next one. Throws `invalid_cursor`.
 */
export async function listPositionsWithin(
  tx: Tx,
  wanted: PositionsWithin,
): Promise<{ items: ListedStockPosition[]; nextCursor: string | null }> {
  const { locationId, below, itemId, q, short, countedBefore, stocked, limit, cursor } = wanted;
  const by = itemId !== undefined ? 'item' : q !== undefined ? 'text' : 'all';
  const narrowed = itemId !== undefined ? [itemId] : q !== undefined ? [q] : [];
  const list = `positions-within ${[locationId, below, short, countedBefore, stocked, ...narrowed].join(' ')}`;
  const after = decodeCursor(list, cursor, z.tuple([z.uuid(), z.uuid()])) ?? [LOWEST_ID, LOWEST_ID];
  const keyOf = (row: { location_id: string; item_id: string }) => [row.location_id, row.item_id];
  // One more than a page, or it could not be told that there are more.
  const looked = Math.max(SCAN_MAX, limit + 1);
  const place = [tx.workspaceId, locationId, ...after, below === 'true', looked];
  const filters = [limit + 1, short === 'true', sinceOf(countedBefore), stocked === 'true', ...narrowed];
  const rows = await readPage<PositionRow>(tx, selectPositionsWithin(by), [...place, ...filters], {
    limit,
    long,
  });
  const page = pageOf(list, rows, keyOf, show);
  if (page.nextCursor !== null) return page;
  const [end] = await tx.query<{ location_id: string; item_id: string }>(selectWithinScanEnd(by), [
    ...place,
    ...(by === 'item' ? narrowed : []),
  ]);
  if (end === undefined) return page;
  // As in listPositions: the end of the look may come before what is shown.
  const places = [end, ...rows.rows.slice(-1)].map(keyOf);
  const last = places.toSorted((a, b) => (a.join() < b.join() ? -1 : 1)).at(-1);
  return { ...page, nextCursor: encodeCursor(list, last) };
}

interface SumRow {
  item_id: string;
  item_number: string | null;
  item_name: string;
  item_picture: string | null;
  item_revision: number;
  unit: string | null;
  on_hand: string;
  reserved: string;
  blocked: string;
  on_order: string;
  positions: number;
}

/** Lists sums of each item over a location and all that lie in it, in order of items. Throws `invalid_cursor`. */
export async function listSumsBelow(
  tx: Tx,
  locationId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ items: StockSum[]; nextCursor: string | null }> {
  const list = `sums-below ${locationId}`;
  const after = decodeCursor(list, cursor, z.uuid()) ?? LOWEST_ID;
  const rows = await readPage<SumRow>(tx, selectSumsBelow, [tx.workspaceId, locationId, after, limit + 1], {
    limit,
    long: ['item_number', 'item_name'],
  });
  return pageOf(list, rows, (row) => row.item_id, showSum);
}

function showSum(row: SumRow): StockSum {
  const [onHand, reserved] = [microOfDecimal(row.on_hand), microOfDecimal(row.reserved)];
  return {
    itemEntityId: row.item_id,
    itemNumber: row.item_number,
    itemName: row.item_name,
    itemPicture: row.item_picture,
    itemRevision: revisionLabel(row.item_revision),
    unit: row.unit,
    onHand: numberOf(onHand),
    reserved: numberOf(reserved),
    blocked: numberOf(microOfDecimal(row.blocked)),
    onOrder: numberOf(microOfDecimal(row.on_order)),
    available: numberOf(onHand - reserved),
    positions: row.positions,
  };
}

/** Counts have ids of their time: those at that time or later have this id or a later one. */
function sinceOf(countedBefore: number | undefined): string | null {
  return countedBefore === undefined ? null : firstIdAt(countedBefore);
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

function show(row: PositionRow): ListedStockPosition {
  const position = showPosition(
    { id: row.item_id, number: row.item_number, name: row.item_name },
    { id: row.location_id, number: row.location_number, name: row.location_name },
    {
      onHand: microOfDecimal(row.on_hand),
      reserved: microOfDecimal(row.reserved),
      onOrder: microOfDecimal(row.on_order),
    },
    BigInt(row.updated_us),
  );
  const lastCountedAt = row.counted_us === null ? null : momentOf(BigInt(row.counted_us));
  const blocked = numberOf(microOfDecimal(row.blocked));
  const { item_picture: itemPicture, unit } = row;
  const inLots = row.in_lots === null ? null : numberOf(microOfDecimal(row.in_lots));
  const itemRevision = revisionLabel(row.item_revision);
  return {
    ...position,
    itemPicture,
    itemRevision,
    unit,
    blocked,
    inLots,
    locationPath: row.location_path,
    lastCountedAt,
  };
}
