/** Transfers between locations (contract §4.9). */
import { inTransaction } from '../db/transaction.ts';
import { resolveEntityId } from '../entities/resolve-entity.ts';
import { AppError } from '../errors.ts';
import { sendTable } from '../http/answers/send-table.ts';
import { listOf } from '../http/list.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';
import { transferErrors } from './transfers/check-transfers.ts';
import { exportTransits } from './transfers/export-transits.ts';
import { StockTransfer, StockTransferPlanned, StockTransferred } from './transfers/transfer.schema.ts';
import { planTransfer } from './transfers/transfer-stock.ts';
import {
  StockTransit,
  TransitExportQuery,
  TransitParams,
  TransitQuery,
  TransitReceipt,
  TransitReceived,
} from './transfers/transit.schema.ts';
import { listTransits, receiveTransit } from './transfers/transits.ts';

const TRANSFER_BYTES_MAX = 8 * 1024 * 1024;

const transfer = defineRoute({
  method: 'post',
  path: '/api/wid/{slug}/stock/transfers',
  operationId: 'transferStock',
  tag: 'Stock',
  summary: 'Move stock between locations: all or nothing',
  description:
    'Moves available stock of items from one location to another, in order; a line may move on what an earlier line has brought. Each line makes two entries with the same `bookingId`. If any line lacks stock, nothing moves, and `refusals` names each such line by `index` with its figures. With `requirementId`, stock that is reserved for that requirement moves with its reservation. With `inTransit` the goods arrive later: `/stock/transfers/{id}/receipts`.',
  access: 'stock',
  // Callers of the same time share a transaction, and their keys are recorded in it.
  transaction: 'none',
  idempotent: true,
  body: StockTransfer,
  bodyBytesMax: TRANSFER_BYTES_MAX,
  answers: {
    200: { description: 'The changes that would be made.', schema: StockTransferPlanned },
    201: { description: 'All lines were moved.', schema: StockTransferred },
  },
  errors: [...transferErrors, 'stock_busy'],
  handle: async ({ ctx, workspace, actor, body, idempotency, gone }) => {
    const { dryRun, lines, note = null, effectiveOn = null, inTransit } = body;
    const most = ctx.config.STOCK_BATCH_ADJUSTMENTS_MAX;
    if (lines.length > most) {
      throw new AppError('too_many_adjustments', {
        detail: `A transfer takes up to ${most} lines; this one has ${lines.length}. Send several.`,
        extensions: { limit: most },
      });
    }
    const work = { actor, lines, note, effectiveOn, inTransit };
    if (!dryRun) {
      const show = (done: StockTransferred) => ({ status: 201, body: done });
      return ctx.transfers.make({ ...work, workspaceId: workspace.id, idempotency, show });
    }
    const planned = await inTransaction(
      ctx.db,
      { workspaceId: workspace.id },
      (tx) => planTransfer(tx, work),
      { readOnly: true, gone },
    );
    return { status: 200, body: planned };
  },
});

const getTransits = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/stock/transfers',
  operationId: 'listTransfersInTransit',
  tag: 'Stock',
  summary: 'List goods in transit between locations',
  description: 'Newest first: each transferred line that was sent with `inTransit`.',
  access: 'read',
  transaction: 'read',
  query: TransitQuery,
  answers: { 200: { description: 'A page.', schema: listOf(StockTransit) } },
  errors: ['invalid_cursor', 'entity_not_found'],
  handle: async ({ query }, tx) => ({ status: 200, body: await listTransits(tx, query) }),
});

const downloadTransits = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/stock/transfers/export',
  operationId: 'exportTransfersInTransit',
  tag: 'Stock',
  summary: 'Download goods in transit as CSV',
  description:
    'All goods in transit, or with `open=false` also those that have arrived, in the order of the list. Texts that look like formulas are prefixed with an apostrophe. The download is not a snapshot of one moment: each page is read when its turn comes. It ends when its key is revoked.',
  access: 'read',
  transaction: 'none',
  query: TransitExportQuery,
  answers: {
    200: {
      description: 'The table.',
      alternatives: { 'text/csv': 'One transferred line per line, with a header line.' },
    },
  },
  errors: ['not_acceptable', 'too_many_streams', 'entity_not_found'],
  handle: async (call) => {
    const { ctx, req, workspace, query, gone } = call;
    if (req.accepts('text/csv') === false)
      throw new AppError('not_acceptable', 'The table is to be had as text/csv.');
    const { itemEntityId: item } = query;
    // A refusal comes before the first line.
    if (item !== undefined)
      await inTransaction(ctx.db, { workspaceId: workspace.id }, (tx) => resolveEntityId(tx, item), {
        readOnly: true,
        gone,
      });
    const lines = exportTransits(ctx.db, workspace.id, query, gone);
    return sendTable(call, `transfers-${workspace.slug}.csv`, lines);
  },
});

const postTransitReceipt = defineRoute({
  method: 'post',
  path: '/api/wid/{slug}/stock/transfers/{id}/receipts',
  operationId: 'receiveTransfer',
  tag: 'Stock',
  summary: 'Book goods in transit that have arrived',
  description:
    'Books what arrived, at the destination or elsewhere. With `isLast`, what is still in transit is written off there; if more arrived than is in transit, the surplus is added. Such a difference is an adjustment with `reason`.',
  access: 'stock',
  transaction: 'write',
  params: TransitParams,
  body: TransitReceipt,
  answers: { 201: { description: 'The goods, and the entries of the receipt.', schema: TransitReceived } },
  errors: [
    'transfer_not_found',
    'over_receipt',
    'zero_quantity',
    'quantity_out_of_range',
    'unknown_reason',
    'stock_closed',
    'entity_not_found',
    'not_a_location',
    'entity_archived',
    'insufficient_stock',
    'lot_refused',
  ],
  handle: async ({ actor, params, body }, tx) => ({
    status: 201,
    body: await receiveTransit(tx, actor, params.id, body),
  }),
});

export const transferRoutes: readonly AnyRoute[] = [
  transfer,
  getTransits,
  downloadTransits,
  postTransitReceipt,
];
