/** `/orders`: orders with their lines and totals (contract §4.5). */

import { z } from 'zod';
import { readPage } from '../db/read-page.ts';
import { resolveEntityIds } from '../entities/resolve-entity.ts';
import { AppError } from '../errors.ts';
import { decodeCursor, listOf, pageOf } from '../http/list.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';
import { lineOfRow, lineTypes } from './line.ts';
import { type LineRow, selectLinesOfOrder } from './lines.sql.ts';
import { ORDER_LINES_MAX, Order, OrderParams, OrderQuery, OrderWithLines } from './orders.schema.ts';
import { type OrderRow, selectOrder, selectOrderPage } from './orders.sql.ts';
import { showLine } from './show-line.ts';
import { showOrder } from './show-order.ts';

const collection = '/api/wid/{slug}/orders';
const tag = 'Procurement';

const getOrders = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listOrders',
  tag,
  summary: 'List orders',
  description:
    'Purchase, sales and manufacturing orders with the totals of their lines, in the order in which they were made.',
  access: 'read',
  transaction: 'read',
  query: OrderQuery,
  answers: { 200: { description: 'A page of orders.', schema: listOf(Order) } },
  handle: async ({ query: { type, state, limit, cursor } }, tx) => {
    const after = decodeCursor('orders', cursor, z.uuid());
    const page = await readPage<OrderRow>(
      tx,
      selectOrderPage(state !== undefined),
      [tx.workspaceId, after, limit + 1, type === undefined ? lineTypes : [type], state ?? null],
      { limit, long: ['number', 'name', 'state'] },
    );
    return { status: 200, body: pageOf('orders', page, (row) => row.id, showOrder) };
  },
});

const getOrder = defineRoute({
  method: 'get',
  path: `${collection}/{id}`,
  operationId: 'getOrder',
  tag,
  summary: 'Read an order with its lines',
  description: 'It is closed or cancelled by a transition of its entity, which takes its lines along.',
  access: 'read',
  transaction: 'read',
  params: OrderParams,
  answers: { 200: { description: 'The order.', schema: OrderWithLines } },
  errors: ['order_not_found'],
  handle: async ({ params }, tx) => {
    const id = (await resolveEntityIds(tx, [params.id])).get(params.id);
    const [row] = id === undefined ? [] : await tx.query<OrderRow>(selectOrder, [tx.workspaceId, id]);
    if (row === undefined) throw new AppError('order_not_found', `There is no order ${params.id}.`);
    const lines = await tx.query<LineRow>(selectLinesOfOrder, [tx.workspaceId, row.id, ORDER_LINES_MAX]);
    return {
      status: 200,
      body: { ...showOrder(row), lines: lines.map((line) => showLine(lineOfRow(line))) },
    };
  },
});

export const orderRoutes: readonly AnyRoute[] = [getOrders, getOrder];
