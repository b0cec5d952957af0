/** Reads an order with its lines. */
import type { Tx } from '../db/transaction.ts';
import { type EntityRef, resolveEntityIds } from '../entities/resolve-entity.ts';
import { AppError } from '../errors.ts';
import { type LineRow, lineOfRow } from './line.ts';
import { selectLinesOfOrder } from './lines.sql.ts';
import { ORDER_LINES_MAX, type OrderWithLines } from './orders.schema.ts';
import { type OrderRow, selectOrder } from './orders.sql.ts';
import { showLine } from './show-line.ts';
import { showOrder } from './show-order.ts';

/** Throws `order_not_found`. */
export async function readOrder(tx: Tx, ref: EntityRef): Promise<OrderWithLines> {
  const id = (await resolveEntityIds(tx, [ref])).get(ref);
  const [row] = id === undefined ? [] : await tx.query<OrderRow>(selectOrder, [tx.workspaceId, id]);
  if (row === undefined) throw new AppError('order_not_found', `There is no order ${ref}.`);
  const lines = await tx.query<LineRow>(selectLinesOfOrder, [tx.workspaceId, row.id, ORDER_LINES_MAX]);
  return { ...showOrder(row), lines: lines.map((line) => showLine(lineOfRow(line))) };
}
