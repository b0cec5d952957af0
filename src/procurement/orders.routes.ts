/** `/orders`: orders with their lines and totals (contract §4.5). */
import { newId } from '../db/ids.ts';
import type { Tx } from '../db/transaction.ts';
import type { EntityRef } from '../entities/resolve-entity.ts';
import { AppError } from '../errors.ts';
import { singleCall, singleDone } from '../group-commit/gathering.ts';
import { tagOfContent } from '../http/entity-tag.ts';
import { listOf } from '../http/list.ts';
import { type AnyRoute, defineRoute, type WorkspaceCall } from '../http/route.ts';
import { moneyGiven } from '../money/money.ts';
import { LotCount, lotsWanted } from '../stock/movements/lot-shares.ts';
import { buildOf } from './builds/build-of-call.ts';
import type { WantedLine } from './lines/drafts.ts';
import { listOrders } from './lines/list-orders.ts';
import { moveLines } from './lines/move-lines.ts';
import { ownLine, readOrder } from './records/find-order.ts';
import {
  amountsGiven,
  dayOfCall,
  type GivenAmount,
  type Reading,
  readingIn,
} from './records/given-amounts.ts';
import { costsGiven } from './records/given-costs.ts';
import { isActOf, lineActs } from './records/line-acts.ts';
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
import { lineErrors, lineMakingErrors } from './records/procurement-errors.ts';
import { atLine, kindOf } from './records/refusals.ts';
import { showCreatedOrder, showLine } from './records/show-procurement.ts';
import { givenSupplier } from './records/suppliers/supplier-key.ts';

const collection = '/api/wid/{slug}/orders';
const tag = 'Procurement';

const getOrders = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listOrders',
  tag,
  summary: 'List orders',
  description:
    'Purchase, sales and manufacturing orders with the totals of their lines, in order of creation, or newest first. With `supplier`, `customer`, a date, `open`, `overdue` or `q`, a page may contain fewer items than `limit`, even none, although there are more: `nextCursor` is null only on the last page.',
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
  description: 'To close or cancel it, use a transition of its entity, which includes its lines.',
  access: 'read',
  transaction: 'glance',
  params: OrderParams,
  answers: { 200: { description: 'The order.', schema: OrderWithLines } },
  errors: ['order_not_found'],
  handle: async ({ params }, tx) => {
    const body = await readOrder(tx, params.id);
    return { status: 200, body, etag: tagOfContent(body) };
  },
});

const postOrder = defineRoute({
  method: 'post',
  path: collection,
  operationId: 'createOrder',
  tag,
  summary: 'Create an order with its lines: all or nothing',
  description:
    'Creates each line like `POST /stock/lines`, with its ledger entry; a refusal points at the line.',
  access: 'procurement',
  // Callers of the same time share a transaction, and their keys are recorded in it.
  transaction: 'none',
  idempotent: true,
  body: NewOrder,
  answers: { 201: { description: 'The order with its lines.', schema: OrderWithLines } },
  errors: [...lineMakingErrors, 'stock_busy'],
  handle: async (call) => {
    const { ctx, actor, body, workspace, idempotency } = call;
    return ctx.procurement.newLines.make({
      workspaceId: workspace.id,
      idempotency,
      by: ctx.moverOf(actor),
      type: body.type,
      order: null,
      supplier: givenSupplier(body),
      references: {
        customer: body.customer ?? null,
        ours: body.ourReference ?? null,
        theirs: body.theirReference ?? null,
      },
      give: async (reading) => ({ lines: await linesOf(reading, body) }),
      isList: true,
      show: (created) => ({
        status: 201,
        headers: { Location: `/api/wid/${workspace.slug}/orders/${created.order.id}` },
        body: showCreatedOrder(created),
      }),
    });
  },
});

/** The lines that a body wants. Throws `zero_quantity`, `quantity_out_of_range`, pointing at the line. */
async function linesOf(reading: Reading, { lines, note = null }: NewOrderLines): Promise<WantedLine[]> {
  const amounts = await amountsGiven(
    reading,
    lines.map((line, index) => ({ ...line, subject: { item: line.itemEntityId }, index })),
  );
  return lines.map(({ itemEntityId: item, locationEntityId: location, requirementId, ...line }, index) => {
    const { requiredBy, overDeliveryPercent, allowBackorder, state, supplierPartId, currency } = line;
    const terms = { supplierPartId, currency, price: moneyGiven(line.price) };
    const rest = { requiredBy, overDeliveryPercent, allowBackorder, state, ...terms };
    const given = amounts[index] as GivenAmount;
    return { ...rest, ...given, item, location, requirement: requirementId, note };
  });
}

const postOrderLines = defineRoute({
  method: 'post',
  path: `${collection}/{id}/lines`,
  operationId: 'addOrderLines',
  tag,
  summary: 'Add lines to an order: all or nothing',
  description:
    'Adds to an open order; each line like `POST /stock/lines`, with its ledger entry. A refusal points at the line.',
  access: 'procurement',
  // As above.
  transaction: 'none',
  idempotent: true,
  params: OrderParams,
  body: NewOrderLines,
  answers: { 201: { description: 'The lines that were added.', schema: AddedLines } },
  errors: [...lineMakingErrors, 'stock_busy'],
  handle: async (call) => {
    const { ctx, actor, params, body, workspace, idempotency } = call;
    return ctx.procurement.newLines.make({
      workspaceId: workspace.id,
      idempotency,
      by: ctx.moverOf(actor),
      type: null,
      order: params.id,
      give: async (reading) => ({ lines: await linesOf(reading, body) }),
      isList: true,
      show: (created) => ({ status: 201, body: { lines: created.lines.map(({ line }) => showLine(line)) } }),
    });
  },
});

const orderMoved = {
  200: { description: 'The order as it would be (`dryRun`).', schema: OrderWithLines },
  201: { description: 'The order after the movements.', schema: OrderWithLines },
};

const postOrderReceipt = defineRoute({
  method: 'post',
  path: `${collection}/{id}/receipts`,
  operationId: 'receiveOrder',
  tag,
  summary: 'Receive lines of an order: all or nothing',
  description:
    'Each like `POST /stock/lines/{id}/receipts`. Without `lines`, everything open is received. `locationEntityId` of a line says where its goods are put.',
  access: 'stock',
  transaction: 'write',
  params: OrderParams,
  body: OrderReceipt,
  answers: orderMoved,
  errors: [...lineErrors, 'costing_off', 'order_not_found', 'entity_not_found', 'not_a_location'],
  handle: (call, tx) => deliver(call, tx, 'receive'),
});

const postOrderShipment = defineRoute({
  method: 'post',
  path: `${collection}/{id}/shipments`,
  operationId: 'shipOrder',
  tag,
  summary: 'Ship lines of a sales order: all or nothing',
  description:
    'Each like `POST /stock/lines/{id}/shipments`. Without `lines`, everything open is shipped. A refusal points at each line with insufficient stock.',
  access: 'stock',
  transaction: 'write',
  params: OrderParams,
  body: OrderShipment,
  answers: orderMoved,
  errors: [...lineErrors, 'order_not_found'],
  handle: (call, tx) => deliver(call, tx, 'ship'),
});

interface DeliveryCall extends Pick<WorkspaceCall, 'ctx' | 'actor'> {
  params: { id: EntityRef };
  body: OrderDelivery;
}

async function deliver({ ctx, actor, params, body }: DeliveryCall, tx: Tx, act: 'receive' | 'ship') {
  const order = await readOrder(tx, params.id);
  const { lines, note = null } = body;
  const reading = readingIn(tx);
  const effectiveOn = await dayOfCall(reading, body.effectiveOn);
  if (lines === undefined) requireDeliverable(act, order);
  const lotCount = new LotCount();
  const amounts = await amountsGiven(
    reading,
    (lines ?? []).map((line, index) => ({ ...line, subject: { line: line.lineId, closes: true }, index })),
  );
  const stated =
    lines?.map((line, index) => ({
      unitCost: 'unitCost' in line ? line.unitCost : undefined,
      amount: amounts[index] as GivenAmount,
      index,
    })) ?? [];
  const costs = await costsGiven(reading, stated);
  const moves =
    lines === undefined
      ? order.lines.map(({ id }) => ({ line: id, amount: null, index: null }))
      : lines.map((given, index) => {
          const { amount, entered } = amounts[index] as GivenAmount;
          return {
            line: ownLine(order, given.lineId, index),
            amount,
            entered,
            index,
            location: 'locationEntityId' in given ? given.locationEntityId : undefined,
            lots: atLine(index, () => lotsWanted(given.lots, { amount, entered }, lotCount)),
            unitCost: costs[index],
          };
        });
  const consume = 'consume' in body ? (body.consume ?? null) : null;
  const build = consume === null ? undefined : await buildOf(reading, { consume }, null);
  const request = { by: ctx.moverOf(actor), act, moves, note, effectiveOn, bookingId: newId(), build };
  singleDone(await moveLines(tx, [request], singleCall()));
  const after = await readOrder(tx, order.id);
  if (!body.dryRun) return { status: 201 as const, body: after };
  tx.discard();
  return { status: 200 as const, body: after };
}

function requireDeliverable(act: 'receive' | 'ship', { id, number, type }: OrderWithLines): void {
  if (isActOf(act, type)) return;
  throw new AppError('line_not_open', {
    detail: `Order ${number ?? id} is a ${kindOf(type)} order, which is not ${lineActs[act].done}.`,
    extensions: { orderType: type },
  });
}

export const orderRoutes: readonly AnyRoute[] = [
  getOrders,
  getOrder,
  postOrder,
  postOrderLines,
  postOrderReceipt,
  postOrderShipment,
];
