/** Stock: positions, ledger, adjustments (interface, Stock; contract §4). Lines are procurement's. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { EntityRef, resolveEntityId } from '../entities/resolve-entity.ts';
import { AppError } from '../errors.ts';
import type { Answer } from '../http/answer.ts';
import { inStream } from '../http/in-stream.ts';
import { listOf } from '../http/list.ts';
import { type AnyRoute, defineRoute, type WorkspaceCall } from '../http/route.ts';
import { adjustBatch } from './adjust-batch.ts';
import { adjustmentErrors } from './check-adjustments.ts';
import { KeptDigest, LedgerDigest, LedgerProof } from './digest/digest.schema.ts';
import { proveLedger } from './digest/prove-ledger.ts';
import { takeDigest } from './digest/take-digest.ts';
import { type LedgerWanted, listLedger } from './list-ledger.ts';
import { listAllPositions, listPositions } from './list-positions.ts';
import type { Side } from './positions.sql.ts';
import {
  AllPositionsQuery,
  LedgerQuery,
  LedgerVerification,
  PositionsQuery,
  StockAdjusted,
  StockAdjustment,
  StockAdjustmentBatch,
  StockBatchAdjusted,
  StockLedgerEntry,
  StockPosition,
  WholeLedgerQuery,
} from './stock.schema.ts';
import { streamLedger } from './stream-ledger.ts';
import { verifyLedger } from './verify-ledger.ts';

const tag = 'Stock';
const stock = '/api/wid/{slug}/stock';
/** 10 000 adjustments of 800 bytes: a page of notes for each is no batch. */
const BATCH_BYTES_MAX = 8 * 1024 * 1024;
/** A proxy in between gives up on an answer that shows no life. */
const HEARTBEAT_MS = 5_000;

function positionsBy(side: Side) {
  return defineRoute({
    method: 'get',
    path: `${stock}/positions/by-${side}/{${side}EntityId}`,
    operationId: side === 'item' ? 'listPositionsByItem' : 'listPositionsByLocation',
    tag,
    summary: side === 'item' ? 'List the positions of an item' : 'List the positions at a location',
    description: `In order of ${side === 'item' ? 'locations' : 'items'}' ids. With \`asOf\` a page may be shorter than its limit and still have a next one.`,
    access: 'read',
    transaction: 'read',
    params: z.strictObject({ [`${side}EntityId`]: EntityRef }),
    query: PositionsQuery,
    answers: { 200: { description: 'A page of positions.', schema: listOf(StockPosition) } },
    errors: ['entity_not_found'],
    handle: async ({ params, query }, tx) => {
      const entityId = await resolveEntityId(tx, params[`${side}EntityId`] as EntityRef);
      return { status: 200, body: await listPositions(tx, { side, entityId, ...query }) };
    },
  });
}

function ledgerBy(side: Side) {
  return defineRoute({
    method: 'get',
    path: `${stock}/ledger/by-${side}/{${side}EntityId}`,
    operationId: side === 'item' ? 'listLedgerByItem' : 'listLedgerByLocation',
    tag,
    summary: side === 'item' ? 'List the movements of an item' : 'List the movements at a location',
    description: 'Newest first, unless `order=asc`. As CSV all of them are streamed, whatever `limit` says.',
    access: 'read',
    transaction: 'none',
    params: z.strictObject({ [`${side}EntityId`]: EntityRef }),
    query: LedgerQuery,
    answers: {
      200: {
        description: 'A page of entries.',
        schema: listOf(StockLedgerEntry),
        alternatives: { 'text/csv': 'All entries, one a line, with a header line.' },
      },
    },
    errors: ['entity_not_found', 'not_acceptable', 'too_many_streams'],
    handle: async (call) => {
      const { limit, cursor, ...filters } = call.query;
      return answerLedger(call, { limit, cursor }, async (tx) => {
        const entityId = await resolveEntityId(tx, call.params[`${side}EntityId`] as EntityRef);
        return { by: side, entityId, ...filters };
      });
    },
  });
}

const ledgerOfAll = defineRoute({
  method: 'get',
  path: `${stock}/ledger`,
  operationId: 'listLedger',
  tag,
  summary: 'List the movements of the workspace',
  description:
    'Newest first, unless `order=asc`; all, or those of a line or of a requirement. As CSV all of them are streamed, ' +
    'whatever `limit` says.',
  access: 'read',
  transaction: 'none',
  query: WholeLedgerQuery,
  answers: {
    200: {
      description: 'A page of entries.',
      schema: listOf(StockLedgerEntry),
      alternatives: { 'text/csv': 'All entries, one a line, with a header line.' },
    },
  },
  errors: ['not_acceptable', 'too_many_streams', 'invalid_cursor'],
  handle: async (call) => {
    const { limit, cursor, lineId, requirementId, ...filters } = call.query;
    const by = lineId !== undefined ? 'line' : requirementId !== undefined ? 'requirement' : 'all';
    const entityId = lineId ?? requirementId ?? null;
    return answerLedger(call, { limit, cursor }, async () => ({ by, entityId, ...filters }));
  },
});

/** A page, or all of it as CSV. */
async function answerLedger(
  call: WorkspaceCall,
  page: { limit: number; cursor?: string | undefined },
  wantedOf: (tx: Tx) => Promise<LedgerWanted>,
): Promise<Answer | null> {
  const { ctx, workspace, req } = call;
  const accepted = req.accepts(['application/json', 'text/csv']);
  if (accepted === false) {
    throw new AppError('not_acceptable', 'The ledger is to be had as application/json or text/csv.');
  }
  const find = <T>(work: (tx: Tx, wanted: LedgerWanted) => Promise<T>) =>
    inTransaction(ctx.db, { workspaceId: workspace.id }, async (tx) => work(tx, await wantedOf(tx)), {
      readOnly: true,
      gone: call.gone,
    });
  if (accepted === 'application/json') {
    return { status: 200, body: await find((tx, wanted) => listLedger(tx, wanted, page)) };
  }
  const wanted = await find(async (_tx, found) => found);
  await inStream(call, () => sendCsv(call, wanted));
  return null;
}

const positionsOfAll = defineRoute({
  method: 'get',
  path: `${stock}/positions`,
  operationId: 'listPositions',
  tag,
  summary: 'List the positions of the workspace',
  description:
    'In order of items and locations. A page may hold fewer positions than `limit` and still have a next one: each looks at a bounded number.',
  access: 'read',
  transaction: 'read',
  query: AllPositionsQuery,
  answers: { 200: { description: 'A page of positions.', schema: listOf(StockPosition) } },
  errors: ['invalid_cursor', 'too_many_to_sort'],
  handle: async ({ query }, tx) => ({ status: 200, body: await listAllPositions(tx, query) }),
});

async function sendCsv(call: WorkspaceCall, wanted: LedgerWanted): Promise<void> {
  const { ctx, res, req, workspace, gone } = call;
  res.statusCode = 200;
  res.setHeader('Content-Type', 'text/csv; charset=utf-8');
  res.setHeader(
    'Content-Disposition',
    `attachment; filename="ledger${wanted.entityId === null ? '' : `-${wanted.entityId}`}.csv"`,
  );
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Vary', 'Accept');
  res.flushHeaders();
  if (req.method === 'HEAD') return;
  const lines = Readable.from(streamLedger(ctx.db, workspace.id, wanted, gone), { highWaterMark: 2 });
  await pipeline(lines, res);
}

const adjust = defineRoute({
  method: 'post',
  path: `${stock}/adjustments`,
  operationId: 'postAdjustment',
  tag,
  summary: 'Adjust stock by hand',
  description:
    'Adds to On Hand, or removes from it with a quantity below zero. On Hand never falls below zero: such an adjustment is refused with the figures. Available may, because a count is a fact.',
  access: 'write',
  // Callers of the same time share a transaction, and their keys are recorded in it.
  transaction: 'none',
  idempotent: true,
  body: StockAdjustment,
  answers: { 201: { description: 'The entry, and the position after it.', schema: StockAdjusted } },
  errors: [...adjustmentErrors, 'stock_busy'],
  handle: ({ ctx, workspace, actor, body, idempotency }) =>
    ctx.adjustments.make({ workspaceId: workspace.id, actor, adjustment: body, idempotency }),
});

const adjustMany = defineRoute({
  method: 'post',
  path: `${stock}/adjustments/batch`,
  operationId: 'postAdjustmentBatch',
  tag,
  summary: 'Adjust many positions: all or nothing',
  description:
    'For a stock count. The adjustments are made in their order, the same position as often as it is named. A refusal names those that stand in the way in `refusals`, by `index`.',
  access: 'write',
  transaction: 'write',
  body: StockAdjustmentBatch,
  bodyBytesMax: BATCH_BYTES_MAX,
  answers: { 201: { description: 'All of them were made.', schema: StockBatchAdjusted } },
  errors: [...adjustmentErrors, 'too_many_adjustments'],
  handle: async ({ ctx, actor, body }, tx) => {
    const most = ctx.config.STOCK_BATCH_ADJUSTMENTS_MAX;
    if (body.adjustments.length > most) {
      throw new AppError('too_many_adjustments', {
        detail: `A batch takes up to ${most} adjustments; this one has ${body.adjustments.length}. Send several.`,
        extensions: { limit: most },
      });
    }
    return { status: 201, body: await adjustBatch(tx, actor, body.adjustments) };
  },
});

const verify = defineRoute({
  method: 'get',
  path: `${stock}/ledger/verify`,
  operationId: 'verifyLedger',
  tag,
  summary: 'Prove the ledger',
  description:
    'Recomputes the hash and the balances of every entry and compares every position. Takes about half a minute for a million entries, and sends line ends meanwhile; whoever asks while it runs gets the same result.',
  access: 'read',
  transaction: 'none',
  answers: { 200: { description: 'What was found.', schema: LedgerVerification } },
  errors: ['ledger_busy'],
  handle: (call) => answerSlowly(call, (signal) => verifyLedger(call.ctx.db, call.workspace.id, signal), ''),
});

const digest = defineRoute({
  method: 'get',
  path: `${stock}/ledger/digest`,
  operationId: 'getLedgerDigest',
  tag,
  summary: 'Cover the ledger with a digest',
  description:
    'A digest over the last entries of all positions at a moment, and by their hashes over every entry. Keep it outside the service: `POST /stock/ledger/verify` with it then proves that everything it covered is still there, unchanged, even against somebody who owns the database. What was recorded after it is not covered, nor what was changed before it was taken. Where nothing has moved since the last digest, that one is given again. A digest that would contradict the last one (a position gone, or set back) is refused. One is taken each day besides, and goes to the log, the audit trail and webhooks that listen to `ledger.digested`. 200 000 positions take some seconds.',
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
  summary: 'Prove the ledger against a digest that was kept elsewhere',
  description:
    'Does what `GET /stock/ledger/verify` does, and besides that every entry which the digest covers is still there, unchanged: entries cut from the end of a position, a position that is gone or set back, an entry rewritten with the chain behind it. Proves nothing of entries recorded after the digest but what the ledger says of itself, nothing of who made them or whether they were true, and nothing at all with a digest that was kept where the same person could change it.',
  access: 'read',
  transaction: 'none',
  idempotent: false,
  body: KeptDigest,
  answers: { 200: { description: 'What was found.', schema: LedgerProof } },
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

export const stockRoutes: readonly AnyRoute[] = [
  positionsOfAll,
  ledgerOfAll,
  positionsBy('item'),
  positionsBy('location'),
  ledgerBy('item'),
  ledgerBy('location'),
  adjust,
  adjustMany,
  verify,
  digest,
  prove,
];
