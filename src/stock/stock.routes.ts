/** Stock: adjustments, and what proves the ledger (interface, Stock; contract §4). Lists are in lists.routes.ts, lines are procurement's. */

import { inTransaction } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import type { Answer } from '../http/answer.ts';
import { compressLong } from '../http/answers/compress-long.ts';
import { type AnyRoute, defineRoute, type WorkspaceCall } from '../http/route.ts';
import { adjustBatch } from './adjustments/adjust-batch.ts';
import type { Adjusted } from './adjustments/adjust-group.ts';
import { adjustmentErrors } from './adjustments/check-adjustments.ts';
import { planAdjustments } from './adjustments/plan-adjustments.ts';
import { KeptDigest, LedgerDigest, LedgerProof } from './digest/digest.schema.ts';
import { proveLedger } from './digest/prove-ledger.ts';
import { takeDigest } from './digest/take-digest.ts';
import {
  NewStockAdjustment,
  StockAdjusted,
  StockAdjustmentBatch,
  StockAdjustmentsPlanned,
  StockBatchAdjusted,
} from './entries/stock.schema.ts';
import { LedgerVerification } from './ledger/verification.schema.ts';
import { verifyLedger } from './ledger/verify-ledger.ts';

const tag = 'Stock';
const stock = '/api/wid/{slug}/stock';
/** 10 000 adjustments of 800 bytes: a page of notes for each is no batch. */
const BATCH_BYTES_MAX = 8 * 1024 * 1024;
/** A proxy in between gives up on an answer that shows no life. */
const HEARTBEAT_MS = 5_000;

const adjust = defineRoute({
  method: 'post',
  path: `${stock}/adjustments`,
  operationId: 'postAdjustment',
  tag,
  summary: 'Adjust stock by hand',
  description:
    'Adds to On Hand, or removes from it with a negative quantity. On Hand never falls below zero: such an adjustment is refused with the figures. Available may fall below zero, because a count is a fact.',
  access: 'stock',
  // Callers of the same time share a transaction, and their keys are recorded in it.
  transaction: 'none',
  idempotent: true,
  body: NewStockAdjustment,
  answers: {
    200: { description: 'The changes that would be made.', schema: StockAdjustmentsPlanned },
    201: { description: 'The entry, and the position after it.', schema: StockAdjusted },
  },
  errors: [...adjustmentErrors, 'stock_busy'],
  handle: async ({ ctx, workspace, actor, body, idempotency, gone }) => {
    const { dryRun, ...adjustment } = body;
    if (!dryRun) {
      const show = (adjusted: Adjusted) => ({ status: 201, body: adjusted });
      return ctx.adjustments.make({ workspaceId: workspace.id, actor, adjustment, idempotency, show });
    }
    // Changes nothing, and so needs no record of having been done.
    const planned = await inTransaction(
      ctx.db,
      { workspaceId: workspace.id },
      (tx) => planAdjustments(tx, actor, [adjustment], () => ''),
      { readOnly: true, gone },
    );
    return { status: 200, body: planned };
  },
});

const adjustMany = defineRoute({
  method: 'post',
  path: `${stock}/adjustments/batch`,
  operationId: 'postAdjustmentBatch',
  tag,
  summary: 'Adjust many positions: all or nothing',
  description:
    'Applies adjustments in order; a position may occur several times. A refusal lists the refused ones in `refusals`, by `index`.',
  access: 'stock',
  transaction: 'write',
  body: StockAdjustmentBatch,
  bodyBytesMax: BATCH_BYTES_MAX,
  answers: {
    200: { description: 'The changes that would be made.', schema: StockAdjustmentsPlanned },
    201: { description: 'All adjustments were made.', schema: StockBatchAdjusted },
  },
  errors: [...adjustmentErrors, 'too_many_adjustments'],
  handle: async ({ ctx, actor, body }, tx) => {
    const most = ctx.config.STOCK_BATCH_ADJUSTMENTS_MAX;
    if (body.adjustments.length > most) {
      throw new AppError('too_many_adjustments', {
        detail: `A batch takes up to ${most} adjustments; this one has ${body.adjustments.length}. Send several.`,
        extensions: { limit: most },
      });
    }
    const { adjustments, dryRun } = body;
    if (!dryRun) return { status: 201, body: await adjustBatch(tx, actor, adjustments) };
    return { status: 200, body: await planAdjustments(tx, actor, adjustments, (at) => `/adjustments/${at}`) };
  },
});

const verify = defineRoute({
  method: 'get',
  path: `${stock}/ledger/verify`,
  operationId: 'verifyLedger',
  tag,
  summary: 'Verify the ledger',
  description:
    'Recomputes the hash and balances of every entry and compares every position. It takes about half a minute for a million entries, and sends line ends meanwhile; concurrent calls share one result.',
  access: 'read',
  transaction: 'none',
  answers: { 200: { description: 'The matches.', schema: LedgerVerification } },
  errors: ['ledger_busy'],
  handle: (call) => answerSlowly(call, (signal) => verifyLedger(call.ctx.db, call.workspace.id, signal), ''),
});

const digest = defineRoute({
  method: 'get',
  path: `${stock}/ledger/digest`,
  operationId: 'getLedgerDigest',
  tag,
  summary: 'Create a digest of the ledger',
  description:
    'Returns a digest over the last entries of all positions at a moment and, by their hashes, over every entry. Store it outside the service: `POST /stock/ledger/verify` can then prove that everything it covers still exists unchanged, even against the owner of the database. It does not cover what was recorded later, or changed earlier. If nothing has moved since the last digest, that one is returned. A digest that would contradict the last one (a position removed or set back) is refused. The service also takes one each day, for the log, the audit trail, and webhooks that subscribe to `ledger.digested`. 200 000 positions take some seconds.',
  access: 'read',
  transaction: 'none',
  answers: { 200: { description: 'The digest.', schema: LedgerDigest } },
  errors: ['ledger_altered', 'ledger_busy'],
  handle: async ({ ctx, workspace, gone, closing }) => {
    const { digest: body } = await ctx.ledgerReads.run({
      workspaceId: workspace.id,
      kind: 'digest',
      gone,
      closing,
      work: (signal) => takeDigest(ctx.db, workspace.id, signal),
    });
    return { status: 200, body };
  },
});

const prove = defineRoute({
  method: 'post',
  path: `${stock}/ledger/verify`,
  operationId: 'verifyLedgerAgainstDigest',
  tag,
  summary: 'Verify the ledger against a digest stored elsewhere',
  description:
    'Does what `GET /stock/ledger/verify` does, and also checks that every entry that the digest covers still exists unchanged. It detects entries cut from the end of a position, a position that was removed or set back, and an entry rewritten with its chain. It proves nothing about entries recorded after the digest beyond what the ledger says of itself, nothing about who recorded them or whether they were true, and nothing at all if the same person could change the stored digest.',
  access: 'read',
  transaction: 'none',
  idempotent: false,
  body: KeptDigest,
  answers: { 200: { description: 'The matches.', schema: LedgerProof } },
  errors: ['ledger_busy'],
  handle: (call) =>
    answerSlowly(
      call,
      (signal) => proveLedger(call.ctx.db, call.workspace.id, call.body, signal),
      JSON.stringify(call.body),
    ),
});

/** Sends line ends while the work goes on, so that nobody on the way gives up on it. */
async function answerSlowly<T>(
  { ctx, workspace, gone, closing, res }: WorkspaceCall,
  work: (signal: AbortSignal) => Promise<T>,
  subject: string,
): Promise<Answer<T> | null> {
  const heartbeat = setInterval(() => {
    if (!res.headersSent) {
      res.statusCode = 200;
      res.setHeader('Content-Type', 'application/json');
      res.setHeader('Cache-Control', 'no-store');
      compressLong(res, null);
    }
    // White space may stand before a JSON text. The compressor would keep it back.
    res.write('\n');
    (res as { flush?: () => void }).flush?.();
  }, HEARTBEAT_MS);
  try {
    const workspaceId = workspace.id;
    const body = await ctx.ledgerReads.run({ workspaceId, kind: 'verify', subject, gone, closing, work });
    if (!res.headersSent) return { status: 200, body };
    res.end(JSON.stringify(body));
    return null;
  } finally {
    clearInterval(heartbeat);
  }
}

export const stockRoutes: readonly AnyRoute[] = [adjust, adjustMany, verify, digest, prove];
