/** Corrections and returns: ledger entries are taken back, goods go back to the supplier or come back from the customer (contract §4.5). */
import type { Tx } from '../db/transaction.ts';
import type { EntityRef } from '../entities/resolve-entity.ts';
import { AppError } from '../errors.ts';
import { type AnyRoute, defineRoute, type WorkspaceCall } from '../http/route.ts';
import type { LedgerEntry } from '../stock/entries/ledger-entry.ts';
import { showEntry, showPosition } from '../stock/entries/show-stock.ts';
import type { StockLedgerEntry } from '../stock/entries/stock.schema.ts';
import { positionKey } from '../stock/movements/decide-movements.ts';
import { findStockEntities } from '../stock/movements/find-stock-entities.ts';
import { LotCount, namedLots } from '../stock/movements/lot-shares.ts';
import { readPositions } from '../stock/movements/record-requests.ts';
import {
  DeliveryParams,
  DeliveryReversal,
  EntryParams,
  NewReversal,
  OrderCorrected,
  OrderReturn,
  ReversedEntry,
} from './corrections/corrections.schema.ts';
import { returnGoods } from './corrections/return-goods.ts';
import { reverseDelivery, reverseEntry } from './corrections/reverse-entries.ts';
import { ownLine, readOrder } from './records/find-order.ts';
import {
  amountOfCall,
  amountsGiven,
  dayOfCall,
  type GivenAmount,
  readingIn,
} from './records/given-amounts.ts';
import { OrderParams } from './records/orders.schema.ts';
import { lineErrors } from './records/procurement-errors.ts';
import { atLine } from './records/refusals.ts';
import { showLine } from './records/show-procurement.ts';

const tag = 'Procurement';
const workspace = '/api/wid/{slug}';

const reversalErrors = [
  'not_reversible',
  'over_reversal',
  'entity_archived',
  'insufficient_stock',
  'lot_refused',
  'transition_not_allowed',
  'properties_required',
  'tree_too_large',
] as const;

const postReversal = defineRoute({
  method: 'post',
  path: `${workspace}/stock/ledger/{entryId}/reversals`,
  operationId: 'reverseLedgerEntry',
  tag,
  summary: 'Take back a ledger entry',
  description:
    'Corrects a receipt, shipment, issue, transfer, adjustment or return, in full or in part. The original stays; the new entry has its type and the opposite quantities. What was received or shipped, the requirement and the state of line and order follow: a Received line goes back to Ordered. A transfer is taken back at both ends, and a build with its components. If the goods are no longer there, or reserved for others, nothing is written, and `takenBy` names the movements that took them.',
  access: 'stock',
  transaction: 'write',
  params: EntryParams,
  body: NewReversal,
  answers: {
    200: { description: 'Everything as it would be (`dryRun`).', schema: ReversedEntry },
    201: { description: 'The entry, its position and its line.', schema: ReversedEntry },
  },
  errors: [...lineErrors, ...reversalErrors, 'entry_not_found'],
  handle: async ({ ctx, actor, params, body }, tx) => {
    const { entries, lines } = await reverseEntry(tx, ctx.moverOf(actor), {
      entryId: params.entryId.toLowerCase(),
      give: async ({ itemId, lineId }) => {
        const { quantity } = body;
        if (quantity === undefined) return null;
        const subject =
          lineId === null ? { item: itemId as EntityRef } : { line: lineId as EntityRef, closes: false };
        return amountOfCall(readingIn(tx), { ...body, quantity, subject });
      },
      note: body.note,
    });
    const own = entries.find(({ reversesId }) => reversesId === params.entryId.toLowerCase());
    if (own === undefined) throw new Error('A reversal without its entry');
    const shown = await show(tx, actor, entries);
    const [names, { positions }] = await Promise.all([
      findStockEntities(tx, [own.itemId, own.locationId]),
      readPositions(tx, [own]),
    ]);
    const [item, location] = [names.get(own.itemId), names.get(own.locationId)];
    const position = positions.get(positionKey(own));
    if (item === undefined || location === undefined || position === undefined)
      throw new Error('An entry without its position');
    const line = lines.find(({ id }) => id === own.lineId);
    const reversed = {
      entry: shown[entries.indexOf(own)] as StockLedgerEntry,
      entries: shown,
      position: showPosition(item, location, position, position.updatedUs),
      line: line === undefined ? null : showLine(line),
    };
    if (!body.dryRun) return { status: 201 as const, body: reversed };
    tx.discard();
    return { status: 200 as const, body: reversed };
  },
});

const orderCorrected = {
  200: { description: 'The order and the entries as they would be (`dryRun`).', schema: OrderCorrected },
  201: { description: 'The order and the written entries.', schema: OrderCorrected },
};

function deliveryReversal(name: 'receipts' | 'shipments', operationId: string, summary: string) {
  return defineRoute({
    method: 'post',
    path: `${workspace}/orders/{id}/${name}/{bookingId}/reversals`,
    operationId,
    tag,
    summary,
    description:
      'Takes back all that is left of the delivery, each entry as `POST /stock/ledger/{entryId}/reversals` does: all or nothing.',
    access: 'stock',
    transaction: 'write',
    params: DeliveryParams,
    body: DeliveryReversal,
    answers: orderCorrected,
    errors: [...lineErrors, ...reversalErrors, 'order_not_found', 'booking_not_found'],
    handle: async ({ ctx, actor, params, body }, tx) => {
      const order = await readOrder(tx, params.id);
      const { entries } = await reverseDelivery(tx, ctx.moverOf(actor), {
        orderId: order.id,
        bookingId: params.bookingId.toLowerCase(),
        isReceipt: name === 'receipts',
        note: body.note,
      });
      return answerOrder(tx, actor, order.id, { entries, dryRun: body.dryRun });
    },
  });
}

const postReturn = defineRoute({
  method: 'post',
  path: `${workspace}/orders/{id}/returns`,
  operationId: 'returnOrder',
  tag,
  summary: 'Return goods of an order: all or nothing',
  description:
    'Purchase orders: POReturn, goods go back to the supplier and On Hand falls; with `replace`, On Order rises and the line is open again. Sales orders: SOReturn, goods come back from the customer into a location. No more than was delivered and not returned. What was received or shipped stays as it is.',
  access: 'stock',
  transaction: 'write',
  params: OrderParams,
  body: OrderReturn,
  answers: orderCorrected,
  errors: [...lineErrors, 'order_not_found', 'over_return', 'entity_not_found', 'not_a_location'],
  handle: async ({ ctx, actor, params, body }, tx) => {
    const order = await readOrder(tx, params.id);
    if (order.type === 'manufacturingOrder') {
      throw new AppError('line_not_open', {
        detail: `Order ${order.number ?? order.id} is a manufacturing order: take its receipt back instead.`,
        extensions: { orderType: order.type },
      });
    }
    const lotCount = new LotCount();
    const reading = readingIn(tx);
    const effectiveOn = await dayOfCall(reading, body.effectiveOn);
    const amounts = await amountsGiven(
      reading,
      body.lines.map((line, index) => ({ ...line, subject: { line: line.lineId, closes: false }, index })),
    );
    const lines = body.lines.map(({ lineId, reason, locationEntityId, lots }, index) => {
      const { amount, entered } = amounts[index] as GivenAmount;
      return {
        lineId: ownLine(order, lineId, index),
        amount,
        entered,
        reason: reason ?? null,
        location: locationEntityId ?? null,
        lots: atLine(index, () => namedLots(lots, { amount, entered }, lotCount)),
      };
    });
    const { replace, note = null, dryRun } = body;
    const entries = await returnGoods(tx, ctx.moverOf(actor), { lines, replace, note, effectiveOn });
    return answerOrder(tx, actor, order.id, { entries, dryRun });
  },
});

async function answerOrder(
  tx: Tx,
  actor: WorkspaceCall['actor'],
  orderId: string,
  { entries, dryRun }: { entries: readonly LedgerEntry[]; dryRun: boolean },
) {
  const shown = await show(tx, actor, entries);
  const body = { order: await readOrder(tx, orderId), entries: shown };
  if (!dryRun) return { status: 201 as const, body };
  tx.discard();
  return { status: 200 as const, body };
}

async function show(
  tx: Tx,
  actor: WorkspaceCall['actor'],
  entries: readonly LedgerEntry[],
): Promise<StockLedgerEntry[]> {
  const ids = new Set(entries.flatMap(({ itemId, locationId }) => [itemId, locationId]));
  const names = await findStockEntities(tx, ids);
  const numberOf = (id: string) => names.get(id)?.number ?? null;
  return entries.map((entry) => showEntry(entry, numberOf(entry.itemId), numberOf(entry.locationId), actor));
}

export const correctionRoutes: readonly AnyRoute[] = [
  postReversal,
  deliveryReversal('receipts', 'reverseReceipt', 'Take back a receipt of an order'),
  deliveryReversal('shipments', 'reverseShipment', 'Take back a shipment of an order'),
  postReturn,
];
