/** Transfers between locations (contract §4.9). */
import { inTransaction } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';
import { transferErrors } from './transfers/check-transfers.ts';
import { StockTransfer, StockTransferPlanned, StockTransferred } from './transfers/transfer.schema.ts';
import { planTransfer } from './transfers/transfer-stock.ts';

const TRANSFER_BYTES_MAX = 8 * 1024 * 1024;

const transfer = defineRoute({
  method: 'post',
  path: '/api/wid/{slug}/stock/transfers',
  operationId: 'transferStock',
  tag: 'Stock',
  summary: 'Move stock between locations: all or nothing',
  description:
    'Moves available stock of items from one location to another, in order; a line may move on what an earlier line has brought. Each line makes two entries with the same `bookingId`. If any line lacks stock, nothing moves, and `refusals` names each such line by `index` with its figures. With `requirementId`, stock that is reserved for that requirement moves with its reservation.',
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
    const { dryRun, lines, note = null, effectiveOn = null } = body;
    const most = ctx.config.STOCK_BATCH_ADJUSTMENTS_MAX;
    if (lines.length > most) {
      throw new AppError('too_many_adjustments', {
        detail: `A transfer takes up to ${most} lines; this one has ${lines.length}. Send several.`,
        extensions: { limit: most },
      });
    }
    const work = { actor, lines, note, effectiveOn };
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

export const transferRoutes: readonly AnyRoute[] = [transfer];
