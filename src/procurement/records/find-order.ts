/** Reads an order with its lines, and says whether it takes further lines. */
import type { Tx } from '../../db/transaction.ts';
import type { EntityRow } from '../../entities/entity.entity.ts';
import { type EntityRef, resolveEntityIds } from '../../entities/resolve-entity.ts';
import { AppError } from '../../errors.ts';
import type { LineType } from '../../stock/entries/line-rules.ts';
import { type LineRow, lineOfRow } from './line.ts';
import { selectLinesOfOrder } from './lines.sql.ts';
import { ORDER_LINES_MAX, type OrderWithLines } from './orders.schema.ts';
import { type OrderRow, selectOrder, selectOrderOfLine, selectOrderType } from './orders.sql.ts';
import { atLine } from './refusals.ts';
import { showLine, showOrder } from './show-procurement.ts';

/** Throws `order_not_found`. */
export async function readOrder(tx: Tx, ref: EntityRef): Promise<OrderWithLines> {
  const id = (await resolveEntityIds(tx, [ref])).get(ref);
  const [row] = id === undefined ? [] : await tx.query<OrderRow>(selectOrder, [tx.workspaceId, id]);
  if (row === undefined) throw new AppError('order_not_found', `There is no order ${ref}.`);
  const lines = await tx.query<LineRow>(selectLinesOfOrder, [tx.workspaceId, row.id, ORDER_LINES_MAX]);
  return { ...showOrder(row), lines: lines.map((line) => showLine(lineOfRow(line))) };
}

/** Throws `order_not_found`. */
export async function findOrderType(tx: Tx, ref: EntityRef): Promise<{ id: string; type: LineType }> {
  const id = (await resolveEntityIds(tx, [ref])).get(ref);
  const [row] =
    id === undefined ? [] : await tx.query<{ type: LineType }>(selectOrderType, [tx.workspaceId, id]);
  if (id === undefined || row === undefined)
    throw new AppError('order_not_found', `There is no order ${ref}.`);
  return { id, type: row.type };
}

/** The state of an order that takes lines. */
export const openOrder = 'Open';
/** The state of an order that has ended. */
export const closedOrder = 'Closed';
const closedStates: ReadonlySet<string> = new Set([closedOrder, 'Cancelled']);

export function isOpenOrder({ state }: { state: string }): boolean {
  return !closedStates.has(state);
}

/** Returns the id of a line of the order. Throws `line_not_found`, pointing at where the body names it. */
export function ownLine({ id, number, lines }: OrderWithLines, lineId: string, index: number): string {
  const own = lines.find((line) => line.id === lineId.toLowerCase());
  return atLine(index, () => {
    if (own !== undefined) return own.id;
    throw new AppError('line_not_found', `Order ${number ?? id} has no line ${lineId}.`);
  });
}

/** Requires that the order of a new line is open. Throws `order_not_open`. */
export async function requireOpenOrder(tx: Tx, lineId: string): Promise<void> {
  const [order] = await tx.query<OrderState>(selectOrderOfLine, [tx.workspaceId, lineId]);
  if (order !== undefined) refuseClosed(order);
}

type OrderState = Pick<EntityRow, 'id' | 'number' | 'state'>;

export function refuseClosed({ id, number, state }: OrderState): void {
  if (isOpenOrder({ state })) return;
  throw new AppError('order_not_open', {
    detail: `Order ${number ?? id} is in state "${state}": no line is added or begun.`,
    extensions: { state },
  });
}
