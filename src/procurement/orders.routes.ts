/** `/orders`: orders with their lines and totals (contract §4.5). */

import { inTransaction, type Tx } from '../db/transaction.ts';
import type { EntityRef } from '../entities/resolve-entity.ts';
import { listOf } from '../http/list.ts';
import { type AnyRoute, defineRoute, type WorkspaceCall } from '../http/route.ts';
import { firstAnswer } from '../idempotency/first-answer.ts';
import { moverOf } from '../transition-effects.ts';
import { createLines, orderedLines } from './lines/create-lines.ts';
import { listOrders } from './lines/list-orders.ts';
import { type DeliveryAct, moveOrderLines } from './lines/move-order-lines.ts';
import { findOrderType, readOrder } from './records/find-order.ts';
import type { Line } from './records/line.ts';
import {
  AddedLines,
  NewOrder,
  NewOrderLines,
  Order,
  type OrderDelivery,
  OrderParams,
  OrderQuery,
  OrderReceipt,
  OrderShipment,
  OrderWithLines,
} from './records/orders.schema.ts';
import { procuredTag } from './records/procured-tag.ts';
import { lineErrors, lineMakingErrors } from './records/procurement-errors.ts';
import { showLine } from './records/show-procurement.ts';
import { givenSupplier } from './records/supplier-key.ts';
import { showMadeOrder } from './together/show-made-order.ts';

const collection = '/api/wid/{slug}/orders';
const tag = 'Procurement';

const getOrders = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listOrders',
  tag,
  summary: 'List orders',
  description:
    'Purchase, sales and manufacturing orders with the totals of their lines, in the order in which they were made, or the newest first. With `supplier`, a day, `open`, `overdue` or `q` a page may hold fewer items than `limit`, none even, while there are more: `nextCursor` is null on the last page and only there.',
  access: 'read',
  transaction: 'read',
  query: OrderQuery,
  answers: { 200: { description: 'A page of orders.', schema: listOf(Order) } },
  handle: async ({ query }, tx) => ({ status: 200, body: await listOrders(tx, query) }),
});

const getOrder = defineRoute({
  method: 'get',
  path: `${collection}/{id}`,
  operationId: 'getOrder',
  tag,
  summary: 'Read an order with its lines',
  description: 'It is closed or cancelled by a transition of its entity, which takes its lines along.',
  access: 'read',
  transaction: 'glance',
  params: OrderParams,
  answers: { 200: { description: 'The order.', schema: OrderWithLines } },
  errors: ['order_not_found'],
  handle: async ({ params }, tx) => {
    const body = await readOrder(tx, params.id);
    return { status: 200, body, etag: procuredTag(body) };
  },
});

const postOrder = defineRoute({
  method: 'post',
  path: collection,
  operationId: 'createOrder',
  tag,
  summary: 'Create an order with its lines: all or nothing',
  description:
    'Each line as by `POST /stock/lines`, with its ledger entry; a refusal names the line by its pointer.',
  access: 'write',
  // Callers of the same time share a transaction, and their keys are recorded in it.
  transaction: 'none',
  idempotent: true,
  body: NewOrder,
  answers: { 201: { description: 'The order with its lines.', schema: OrderWithLines } },
  errors: [...lineMakingErrors, 'stock_busy'],
  handle: async ({ ctx, actor, body, workspace, idempotency }) => {
    const by = moverOf(actor);
    const lines = await orderedLines(body);
    const supplier = givenSupplier(body);
    const answer = (order: OrderWithLines) => ({
      status: 201,
      headers: { Location: `/api/wid/${workspace.slug}/orders/${order.id}` },
      body: order,
    });
    return ctx.procurement.newLines.make({
      workspaceId: workspace.id,
      idempotency,
      by,
      type: body.type,
      order: null,
      supplier,
      lines,
      show: (made) => answer(showMadeOrder(body.type, made)),
      apart: async (tx) => {
        const [first] = await createLines(tx, by, { type: body.type, order: null, supplier }, lines);
        return answer(await readOrder(tx, (first as Line).orderId));
      },
    });
  },
});

const postOrderLines = defineRoute({
  method: 'post',
  path: `${collection}/{id}/lines`,
  operationId: 'addOrderLines',
  tag,
  summary: 'Add lines to an order: all or nothing',
  description:
    'To an order that is open; each line as by `POST /stock/lines`, with its ledger entry. A refusal names the line by its pointer.',
  access: 'write',
  // As above.
  transaction: 'none',
  idempotent: true,
  params: OrderParams,
  body: NewOrderLines,
  answers: { 201: { description: 'The lines that were added.', schema: AddedLines } },
  errors: [...lineMakingErrors, 'stock_busy'],
  handle: async ({ ctx, actor, params, body, workspace, idempotency }) => {
    const by = moverOf(actor);
    const lines = await orderedLines(body);
    const scope = { workspaceId: workspace.id };
    // What was done is answered as it was then, whatever has become of the order.
    const first = await firstAnswer(ctx.db, scope, idempotency);
    if (first !== null) return first;
    // What is found here is looked at again with the order held: an order stays of its type, unless its category is changed.
    const { id, type } = await inTransaction(ctx.db, scope, (tx) => findOrderType(tx, params.id), {
      readOnly: true,
    });
    const answer = (added: readonly Line[]) => ({ status: 201, body: { lines: added.map(showLine) } });
    return ctx.procurement.newLines.make({
      workspaceId: workspace.id,
      idempotency,
      by,
      type,
      order: id,
      lines,
      show: (made) => answer(made.lines.map(({ line }) => line)),
      apart: async (tx) => answer(await createLines(tx, by, { type, order: id }, lines)),
    });
  },
});

const postOrderReceipt = defineRoute({
  method: 'post',
  path: `${collection}/{id}/receipts`,
  operationId: 'receiveOrder',
  tag,
  summary: 'Receive lines of an order: all or nothing',
  description:
    'Each as by `POST /stock/lines/{id}/receipts`. Without `lines` everything that is open is received.',
  access: 'write',
  transaction: 'write',
  params: OrderParams,
  body: OrderReceipt,
  answers: { 201: { description: 'The order after it.', schema: OrderWithLines } },
  errors: [...lineErrors, 'order_not_found'],
  handle: (call, tx) => deliver(call, tx, 'receive'),
});

const postOrderShipment = defineRoute({
  method: 'post',
  path: `${collection}/{id}/shipments`,
  operationId: 'shipOrder',
  tag,
  summary: 'Ship lines of a sales order: all or nothing',
  description:
    'Each as by `POST /stock/lines/{id}/shipments`. Without `lines` everything that is open is shipped. A refusal points at each line of which there is not enough.',
  access: 'write',
  transaction: 'write',
  params: OrderParams,
  body: OrderShipment,
  answers: { 201: { description: 'The order after it.', schema: OrderWithLines } },
  errors: [...lineErrors, 'order_not_found'],
  handle: (call, tx) => deliver(call, tx, 'ship'),
});

interface DeliveryCall {
  actor: WorkspaceCall['actor'];
  params: { id: EntityRef };
  body: OrderDelivery;
}

async function deliver({ actor, params, body }: DeliveryCall, tx: Tx, act: DeliveryAct) {
  const order = await readOrder(tx, params.id);
  await moveOrderLines(tx, moverOf(actor), act, order, body);
  return { status: 201 as const, body: await readOrder(tx, order.id) };
}

export const orderRoutes: readonly AnyRoute[] = [
  getOrders,
  getOrder,
  postOrder,
  postOrderLines,
  postOrderReceipt,
  postOrderShipment,
];
