/** Tracked items and their lots (contract §4.10). */
import { inTransaction } from '../db/transaction.ts';
import { resolveEntityId } from '../entities/resolve-entity.ts';
import { streamItems } from '../entities/structure/stream-items.ts';
import { AppError } from '../errors.ts';
import { sendTable } from '../http/answers/send-table.ts';
import { requireMatch } from '../http/entity-tag.ts';
import { inStream } from '../http/in-stream.ts';
import { listOf } from '../http/list.ts';
import { requireAsRead } from '../http/read-only.ts';
import { type AnyRoute, defineRoute, type WorkspaceCall } from '../http/route.ts';
import { amountAboveZero } from './entries/given-quantity.ts';
import { changeLotStatus } from './lots/change-status.ts';
import { changeTracking, readTracking } from './lots/change-tracking.ts';
import { exportLots } from './lots/export-lots.ts';
import {
  ItemTracking,
  LotExportQuery,
  LotParams,
  LotProposal,
  LotQuery,
  LotTrace,
  NewLotStatus,
  NewTracking,
  ProposalQuery,
  StockLot,
  StockLotAtPlaces,
  StockLotPatch,
  TraceQuery,
  TrackingParams,
} from './lots/lots.schema.ts';
import { changeLot, listLots, proposeLots, readLot } from './lots/lots.ts';
import { traceLot } from './lots/trace-lot.ts';

const tag = 'Stock';
const stock = '/api/wid/{slug}/stock';
const member = `${stock}/lots/{id}`;

const getTracking = defineRoute({
  method: 'get',
  path: `${stock}/tracking/{itemEntityId}`,
  operationId: 'getTracking',
  tag,
  summary: 'Read how an item is tracked',
  description: 'Shows also the stock that is in no lot, because it was there before the item was tracked.',
  access: 'read',
  transaction: 'read',
  params: TrackingParams,
  answers: { 200: { description: 'The tracking.', schema: ItemTracking } },
  errors: ['entity_not_found', 'not_an_item'],
  handle: async ({ params }, tx) => trackingAnswer(await readTracking(tx, params.itemEntityId)),
});

const putTracking = defineRoute({
  method: 'put',
  path: `${stock}/tracking/{itemEntityId}`,
  operationId: 'setTracking',
  tag,
  summary: 'Track an item by lots or serial numbers',
  description:
    'Possible while stock exists: what is there is then in no lot. Count it as lots, and count the rest, without a lot, as 0. Each movement of On Hand of a tracked item names its lots. Tracking can change again when no lot is in stock.',
  access: 'stock',
  transaction: 'write',
  params: TrackingParams,
  body: NewTracking,
  answers: { 200: { description: 'The tracking.', schema: ItemTracking } },
  errors: ['entity_not_found', 'not_an_item', 'tracking_in_use', 'too_many_adjustments'],
  handle: async (call, tx) => {
    const { actor, params, body } = call;
    const changed = await changeTracking(tx, actor, params.itemEntityId, body.tracking, (locked) => {
      requireMatch(call, locked.tracking);
      requireAsRead(NewTracking, body, locked);
    });
    return trackingAnswer(changed);
  },
});

function trackingAnswer(body: ItemTracking) {
  return { status: 200 as const, body, etag: body.tracking };
}

const getLots = defineRoute({
  method: 'get',
  path: `${stock}/lots`,
  operationId: 'listLots',
  tag,
  summary: 'List lots and serial numbers',
  description:
    'In order of creation; those of an item in order of their numbers, and those that expire in order of their dates. With `inStock`, a page may contain fewer items than `limit`, even none, although there are more: `nextCursor` is null only on the last page.',
  access: 'read',
  transaction: 'read',
  query: LotQuery,
  answers: { 200: { description: 'A page of lots.', schema: listOf(StockLot) } },
  errors: ['invalid_cursor', 'entity_not_found'],
  handle: async ({ query }, tx) => ({ status: 200, body: await listLots(tx, query) }),
});

const downloadLots = defineRoute({
  method: 'get',
  path: `${stock}/lots/export`,
  operationId: 'exportLots',
  tag,
  summary: 'Download lots and serial numbers as CSV',
  description:
    'All lots of the workspace, or the matching ones, in the order of the list. `properties` is one column, as JSON. Texts that look like formulas are prefixed with an apostrophe. The download is not a snapshot of one moment: each page is read when its turn comes. It ends when its key is revoked.',
  access: 'read',
  transaction: 'none',
  query: LotExportQuery,
  answers: {
    200: {
      description: 'The table.',
      alternatives: { 'text/csv': 'One lot per line, with a header line.' },
    },
  },
  errors: ['not_acceptable', 'too_many_streams', 'entity_not_found'],
  handle: async (call) => {
    const { ctx, req, workspace, query, gone } = call;
    if (req.accepts('text/csv') === false)
      throw new AppError('not_acceptable', 'The table is to be had as text/csv.');
    const { itemEntityId: item } = query;
    // A refusal comes before the first line.
    const itemEntityId =
      item === undefined
        ? undefined
        : await inTransaction(ctx.db, { workspaceId: workspace.id }, (tx) => resolveEntityId(tx, item), {
            readOnly: true,
            gone,
          });
    const lines = exportLots(ctx.db, workspace.id, { ...query, itemEntityId }, gone);
    return sendTable(call, `lots-${workspace.slug}.csv`, lines);
  },
});

const getProposal = defineRoute({
  method: 'get',
  path: `${stock}/lots/proposal`,
  operationId: 'proposeLots',
  tag,
  summary: 'Propose the lots that expire first',
  description: 'For a shipment or an issue from a location. Nothing is held until it is made.',
  access: 'read',
  transaction: 'read',
  query: ProposalQuery,
  answers: { 200: { description: 'The lots.', schema: LotProposal } },
  errors: ['entity_not_found', 'quantity_out_of_range'],
  handle: async ({ query }, tx) => {
    const { itemEntityId: item, locationEntityId: location, quantity, all } = query;
    const amount = quantity === undefined ? null : amountAboveZero(quantity, null);
    return { status: 200, body: await proposeLots(tx, { item, location, amount, isAll: all === 'true' }) };
  },
});

const getLot = defineRoute({
  method: 'get',
  path: member,
  operationId: 'getLot',
  tag,
  summary: 'Read a lot with its locations',
  access: 'read',
  transaction: 'read',
  params: LotParams,
  answers: { 200: { description: 'The lot.', schema: StockLotAtPlaces } },
  errors: ['lot_not_found'],
  handle: async ({ params }, tx) => answer(await readLot(tx, params.id)),
});

const patchLot = defineRoute({
  method: 'patch',
  path: member,
  operationId: 'updateLot',
  tag,
  summary: 'Change the expiry date, supplier lot or properties of a lot',
  description:
    'Its number never changes, because the ledger names it. Properties replace those before. The audit trail keeps the previous values. A body that changes nothing writes nothing.',
  access: 'stock',
  transaction: 'write',
  params: LotParams,
  body: StockLotPatch,
  answers: { 200: { description: 'The changed lot.', schema: StockLotAtPlaces } },
  errors: ['lot_not_found'],
  handle: async (call, tx) => {
    const { actor, params, body } = call;
    const { expiresOn, supplierLot, properties } = body;
    return answer(
      await changeLot(tx, actor, {
        id: params.id,
        facts: { expiresOn, supplierLot, properties },
        check: (lot, version) => {
          requireMatch(call, String(version));
          requireAsRead(StockLotPatch, body, lot);
        },
      }),
    );
  },
});

function answer({ lot, version }: { lot: StockLotAtPlaces; version: number }) {
  return { status: 200 as const, body: lot, etag: String(version) };
}

const postStatus = defineRoute({
  method: 'post',
  path: `${member}/status`,
  operationId: 'setLotStatus',
  tag,
  summary: 'Change the status of a lot',
  description:
    'Only available lots are shipped and issued, and only their stock is available. What a lot in `quarantine` or `rejected` has on hand is reserved by movements of type `LotStatus`, at each location, also where others have reserved it already. Such a lot can be moved, counted, written off and returned. A status that the lot has already writes nothing.',
  access: 'stock',
  transaction: 'write',
  params: LotParams,
  body: NewLotStatus,
  answers: { 200: { description: 'The lot in its new status.', schema: StockLotAtPlaces } },
  errors: ['lot_not_found', 'too_many_adjustments', 'quantity_out_of_range'],
  handle: async (call, tx) => {
    const { actor, params, body } = call;
    const check = (_: StockLotAtPlaces, version: number) => requireMatch(call, String(version));
    return answer(
      await changeLotStatus(tx, actor, {
        id: params.id,
        status: body.status,
        note: body.note ?? null,
        check,
      }),
    );
  },
});

const getTrace = defineRoute({
  method: 'get',
  path: `${member}/trace`,
  operationId: 'traceLot',
  tag,
  summary: 'Trace a lot',
  description:
    'Streams what the lot was used for, down to shipments (`up`), or what it was made of, down to receipts (`down`), from the entries of the ledger. Each lot comes once, the nearest first; what was taken back does not count. Components that were issued with a receipt belong to the lots of that receipt, components that were issued before it to all lots of their manufacturing line.',
  access: 'read',
  transaction: 'none',
  readsMuch: true,
  params: LotParams,
  query: TraceQuery,
  answers: { 200: { description: 'The steps.', schema: LotTrace } },
  errors: ['lot_not_found', 'tree_too_large', 'too_many_streams'],
  handle: async (call) => {
    await inStream(call, () => sendTrace(call, call.params.id, call.query.direction));
    return null;
  },
});

async function sendTrace(call: WorkspaceCall, id: string, direction: 'up' | 'down'): Promise<void> {
  const { ctx, workspace, gone } = call;
  const { lot } = await inTransaction(ctx.db, { workspaceId: workspace.id }, (tx) => readLot(tx, id), {
    readOnly: true,
    gone,
  });
  const from = { itemId: lot.itemEntityId, lot: lot.number };
  const wanted = { from, direction, most: ctx.config.TREE_ITEMS_MAX };
  await streamItems(call, traceLot(ctx.db, workspace.id, wanted, gone));
}

export const lotRoutes: readonly AnyRoute[] = [
  getTracking,
  putTracking,
  getLots,
  downloadLots,
  getProposal,
  getLot,
  patchLot,
  postStatus,
  getTrace,
];
