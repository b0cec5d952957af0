/** A page of positions, now or at a time. */

import { z } from 'zod';
import { readPage } from '../db/read-page.ts';
import type { Tx } from '../db/transaction.ts';
import { decodeCursor, encodeCursor, pageOf } from '../http/list.ts';
import { microOfDecimal } from '../quantity.ts';
import { firstEntryIdAt, LOWEST_ID } from './ledger-entry.ts';
import {
  otherSide,
  type PositionRow,
  type Side,
  selectPositions,
  selectPositionsAsOf,
  selectScanEnd,
} from './positions.sql.ts';
import { showPosition } from './show-stock.ts';
import type { StockPosition } from './stock.schema.ts';

/** Positions that one page looks at in search of such as there were at the time. */
const SCAN_MAX = 5000;

const long = ['item_number', 'item_name', 'location_number', 'location_name'];

export interface PositionsWanted {
  side: Side;
  entityId: string;
  limit: number;
  cursor?: string | undefined;
  /** Milliseconds since 1970; entries of that millisecond count. */
  asOf?: number | undefined;
}

/** Throws `invalid_cursor`. A page as of a time may be short of its limit and still have a next one. */
export async function listPositions(
  tx: Tx,
  { side, entityId, limit, cursor, asOf }: PositionsWanted,
): Promise<{ items: StockPosition[]; nextCursor: string | null }> {
  const list = `stock-positions ${side} ${entityId} ${asOf ?? ''}`;
  const after = decodeCursor(list, cursor, z.uuid()) ?? LOWEST_ID;
  const keyOf = (row: PositionRow) => row[`${otherSide(side)}_id`];
  if (asOf === undefined) {
    const wanted = [tx.workspaceId, entityId, after, limit + 1];
    return pageOf(
      list,
      await readPage<PositionRow>(tx, selectPositions(side), wanted, { limit, long }),
      keyOf,
      show,
    );
  }
  const rows = await readPage<PositionRow>(
    tx,
    selectPositionsAsOf(side),
    [tx.workspaceId, entityId, after, limit + 1, firstEntryIdAt(asOf + 1), SCAN_MAX],
    { limit, long },
  );
  const page = pageOf(list, rows, keyOf, show);
  if (page.nextCursor !== null) return page;
  const [end] = await tx.query<{ id: string }>(selectScanEnd(side), [
    tx.workspaceId,
    entityId,
    after,
    SCAN_MAX,
  ]);
  return end === undefined ? page : { ...page, nextCursor: encodeCursor(list, end.id) };
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
