/** Pages of orders. */

import { z } from 'zod';
import { readPage } from '../../db/read-page.ts';
import type { Tx } from '../../db/transaction.ts';
import { decodeCursor, directionOf, encodeCursor, pageOf } from '../../http/list.ts';
import { findByText, WINDOW_ROWS } from '../records/find-by-text.ts';
import { lineTypes } from '../records/line.ts';
import type { Order, OrderQuery } from '../records/orders.schema.ts';
import { type OrderRow, selectOrderPage, selectOrderWindowEnd } from '../records/orders.sql.ts';
import { showOrder } from '../records/show-procurement.ts';

/** In order of their ids. Throws `invalid_cursor`. */
export async function listOrders(
  tx: Tx,
  { type, state, q, order, limit, cursor }: OrderQuery,
): Promise<{ items: Order[]; nextCursor: string | null }> {
  const list = order === 'asc' ? 'orders' : 'orders, newest first';
  const after = decodeCursor(list, cursor, z.uuid());
  const direction = directionOf(order);
  const found = await findByText(tx, q, false);
  const of = [type === undefined ? lineTypes : [type], state ?? null];
  const rows = await readPage<OrderRow>(
    tx,
    selectOrderPage({ state: state !== undefined, among: found.among }, direction),
    [tx.workspaceId, after, limit + 1, ...of, ...found.params],
    { limit, long: ['number', 'name', 'state'] },
  );
  const page = pageOf(list, rows, (row) => row.id, showOrder);
  if (page.nextCursor !== null || found.among !== 'window') return page;
  const [end] = await tx.query<{ id: string }>(selectOrderWindowEnd(state !== undefined, direction), [
    tx.workspaceId,
    after,
    WINDOW_ROWS,
    ...of,
  ]);
  return end === undefined ? page : { ...page, nextCursor: encodeCursor(list, end.id) };
}
