/** The endpoints that read and control batches (contract §2.3). */
import { z } from 'zod';
import { PAGE_BYTES_MAX } from '../db/read-page.sql.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { sendPieces } from '../http/answers/send-pieces.ts';
import { inStream } from '../http/in-stream.ts';
import { decodeCursor, encodeCursor, ListQuery, listOf, pageOf } from '../http/list.ts';
import { type AnyRoute, defineRoute, type WorkspaceCall } from '../http/route.ts';
import { noBody, withBody } from '../idempotency/idempotency-key.ts';
import { batchEnded } from '../telemetry/signals.ts';
import { announceBatch, readEnvelope, readOne, refOf } from './answer-batch.ts';
import { cancelBatch, retryBatch } from './batch/control-batch.ts';
import { CSV_HEADER, type ResultFormat, withoutLast } from './batch/merge-results.ts';
import { listBatches, readBatch, requireResults } from './batch/read-batches.ts';
import { readResultPage, readResults } from './batch/read-results.ts';
import { withStillRejected } from './batch/read-still-rejected.ts';
import { filterName, filterOf, resultFilters } from './batch/results.schema.ts';
import { type ProgressStream, streamProgress } from './batch/stream-progress.ts';
import {
  BatchParams,
  BatchQuery,
  SyncBatch,
  SyncEvent,
  SyncResult,
  syncTag as tag,
} from './batch/sync.schema.ts';
import type { BatchRef } from './chunk/thread-context.ts';
import type { ResultFilter } from './elements/filter-results.ts';
import { claimBatch } from './intake/claim-batch.ts';
import { preferenceOf } from './prefer.ts';

const listSyncBatches = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/pdm/sync/batches',
  operationId: 'listSyncBatches',
  tag,
  summary: 'List batches, newest first',
  access: 'read',
  transaction: 'read',
  query: BatchQuery,
  answers: { 200: { description: 'Envelopes without results.', schema: listOf(SyncBatch) } },
  errors: ['invalid_cursor'],
  handle: async ({ query, workspace }, tx) => {
    const batches = await listBatches(tx, workspace.slug, {
      status: query.status ?? null,
      profile: query.profile ?? null,
      dryRun: query.dryRun ?? null,
      beforeId: decodeCursor('sync-batches', query.cursor, z.uuid()),
      limit: query.limit,
    });
    const page = pageOf(
      'sync-batches',
      batches,
      (batch) => batch.batchId,
      (batch) => batch,
    );
    if (!query.stillRejected) return { status: 200, body: page };
    return { status: 200, body: { ...page, items: await withStillRejected(tx, page.items) } };
  },
});

const getSyncBatch = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/pdm/sync/batches/{id}',
  operationId: 'getSyncBatch',
  tag,
  summary: 'Read a batch, with live counts',
  access: 'read',
  transaction: 'none',
  params: BatchParams,
  answers: { 200: { description: 'The envelope.', schema: SyncBatch } },
  errors: ['batch_not_found'],
  handle: async (call) => {
    const { bytes } = await readEnvelope(call, call.params.id, { withStillRejected: true });
    return { status: 200, bytes };
  },
});

const listSyncResults = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/pdm/sync/batches/{id}/results',
  operationId: 'listSyncResults',
  tag,
  summary: 'List the results of a batch in payload order',
  description:
    'As CSV or NDJSON all results are streamed, from the cursor if one is given, regardless of `limit`.',
  access: 'read',
  transaction: 'none',
  params: BatchParams,
  query: ListQuery.extend(resultFilters),
  answers: {
    200: {
      description: 'Results.',
      schema: listOf(SyncResult),
      alternatives: {
        'text/csv': 'All results, one per line, with a header line.',
        'application/x-ndjson': 'All results, one JSON object a line; the schema is that of one.',
      },
      alternativeSchemas: { 'application/x-ndjson': SyncResult },
    },
  },
  errors: ['batch_not_found', 'results_gone', 'invalid_cursor', 'too_many_streams'],
  handle: async (call) => {
    const { req, query, params } = call;
    const filter = filterOf(query);
    const list = `sync-results ${params.id} ${filterName(filter)}`;
    const format = exportFormat(req.accepts(['application/json', 'text/csv', 'application/x-ndjson']));
    const after = decodeCursor(list, query.cursor, z.int().min(0)) ?? -1;
    if (format !== 'json') {
      requireResults(await readOne(call, params.id));
      return inStream(call, () => streamResults(call, params.id, { filter, after }, format));
    }
    // Asked behind the reading: of results that go meanwhile, what is left must not pass as all of them.
    const behind = async (tx: Tx) => requireResults(await readBatch(tx, call.workspace.slug, params.id));
    const bounds = { limit: query.limit + 1, bytesMax: PAGE_BYTES_MAX };
    const page = await readResultPage(
      call.ctx,
      refOf(call, params.id),
      { filter, after, gone: call.gone, behind },
      bounds,
    );
    const shown = page.count > query.limit ? withoutLast(page.bytes) : page;
    const nextCursor = page.cut || page.count > query.limit ? encodeCursor(list, shown.last) : null;
    const end = Buffer.from(`,"nextCursor":${JSON.stringify(nextCursor)}}`);
    return { status: 200, bytes: Buffer.concat([Buffer.from('{"items":'), shown.bytes, end]) };
  },
});

/** All results as a download, one range at a time: as fast as the client reads, and never held whole. */
async function streamResults(
  call: WorkspaceCall,
  batchId: string,
  wanted: { filter: ResultFilter; after: number },
  format: ResultFormat,
): Promise<null> {
  const csv = format === 'csv';
  const headers = {
    'Content-Type': csv ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
    'Content-Disposition': `attachment; filename="${batchId}.${csv ? 'csv' : 'ndjson'}"`,
  };
  const ref = refOf(call, batchId);
  async function* lines() {
    if (csv) yield Buffer.from(CSV_HEADER);
    const query = { ...wanted, format, gone: call.gone };
    for await (const { bytes } of readResults(call.ctx, ref, query, Number.MAX_SAFE_INTEGER)) yield bytes;
    requireResults(await readOne(call, batchId));
  }
  await sendPieces(call, lines(), { headers, buffering: {} });
  return null;
}

const streamSyncEvents = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/pdm/sync/batches/{id}/events',
  operationId: 'streamSyncEvents',
  tag,
  summary: 'Follow a batch as Server-Sent Events',
  description:
    '`progress` while something changes, then `completed`, `cancelled` or `failed`; the data are the envelope ' +
    'without results. Resumes by `Last-Event-ID`.',
  access: 'read',
  transaction: 'none',
  params: BatchParams,
  headers: z.object({
    'Last-Event-ID': z.string().optional().meta({ description: 'Id of the last event that you received.' }),
  }),
  answers: {
    200: {
      description: 'The stream.',
      alternatives: {
        'text/event-stream': 'Server-Sent Events; the schema is that of one.',
      },
      alternativeSchemas: { 'text/event-stream': SyncEvent },
    },
    204: { description: 'The batch has ended and the client has received its last event.' },
  },
  errors: ['batch_not_found', 'too_many_streams'],
  handle: async (call) => {
    const followed = { ...refOf(call, call.params.id), slug: call.workspace.slug };
    const stream: ProgressStream = {
      next: (ended) => call.ctx.batchFollower.next(followed, ended),
      read: () => readOne(call, call.params.id),
      res: call.res,
      gone: call.gone,
      heartbeatMs: call.ctx.config.STREAM_HEARTBEAT_SECONDS * 1000,
      lastEventId: call.req.get('last-event-id'),
      closing: call.closing,
    };
    await inStream(call, () => streamProgress(stream));
    return null;
  },
});

const cancelSyncBatch = defineRoute({
  method: 'post',
  path: '/api/wid/{slug}/pdm/sync/batches/{id}/cancel',
  operationId: 'cancelSyncBatch',
  tag,
  summary: 'Cancel a batch',
  description:
    'Stops what has not been processed; what is done stays done. Entities that are written get their links: where ' +
    'that takes longer than the call waits (`Prefer: wait=N`, as for a submission), the batch is `processing` until ' +
    'it ends as `cancelled`. The next batch begins after that.',
  access: 'engineering',
  transaction: 'none',
  idempotent: 'ownForm',
  params: BatchParams,
  answers: {
    200: { description: 'The cancelled batch, without results.', schema: SyncBatch },
    202: {
      description:
        'The batch is cancelled, except for the links of written entities, which are still being created.',
      schema: SyncBatch,
    },
  },
  errors: ['batch_not_found', 'batch_finished'],
  handle: async (call) => {
    const preference = preferenceOf(call.req.get('prefer'), call.ctx.config.SYNC_WAIT_SECONDS);
    const ref = refOf(call, call.params.id);
    let hasEnded = false;
    const replayed = await control(call, ref, async (tx) => {
      hasEnded = await cancelBatch(tx, ref, { actor: call.actor, reason: null });
    });
    if (hasEnded) batchEnded.send(() => ({ status: 'cancelled' }));
    const left = AbortSignal.any([call.closing, call.gone]);
    await call.ctx.batchWatch.untilEnded({ ...ref, id: ref.batchId }, preference.waitMs, left);
    const batch = await readOne(call, ref.batchId);
    const headers: Record<string, string> = {};
    if (preference.applied !== null) headers['Preference-Applied'] = preference.applied;
    if (replayed) headers['Idempotent-Replayed'] = 'true';
    if (batch.finishedAt !== null) return { status: 200, body: batch, headers };
    return {
      status: 202,
      body: batch,
      headers: { ...headers, Location: batch.links.self, 'Retry-After': '1' },
    };
  },
});

const retrySyncBatch = defineRoute({
  method: 'post',
  path: '/api/wid/{slug}/pdm/sync/batches/{id}/retry',
  operationId: 'retrySyncBatch',
  tag,
  summary: 'Retry a failed batch',
  description: 'The batch continues where it stopped, after the batches that are queued by now.',
  access: 'engineering',
  transaction: 'none',
  idempotent: 'ownForm',
  params: BatchParams,
  answers: { 202: { description: 'The batch is queued again.', schema: SyncBatch } },
  errors: ['batch_not_found', 'batch_not_failed', 'payload_gone', 'merged_meanwhile'],
  handle: async (call) => {
    const ref = refOf(call, call.params.id);
    const replayed = await control(call, ref, retryBatch);
    const batch = await readOne(call, ref.batchId);
    const headers: Record<string, string> = { Location: batch.links.self };
    if (replayed) headers['Idempotent-Replayed'] = 'true';
    return { status: 202, body: batch, headers };
  },
});

/** Does it and announces the batch, unless the Idempotency-Key says that it has been done: then true. */
async function control(
  call: WorkspaceCall,
  ref: BatchRef,
  work: (tx: Tx, ref: BatchRef) => Promise<void>,
): Promise<boolean> {
  const idempotency = call.idempotency === null ? null : withBody(call.idempotency, noBody);
  const { replayed } = await inTransaction(call.ctx.db, { workspaceId: ref.workspaceId }, (tx) =>
    claimBatch(tx, idempotency, async () => {
      await work(tx, ref);
      return ref.batchId;
    }),
  );
  if (!replayed) await announceBatch(call, ref.batchId);
  return replayed;
}

function exportFormat(accepted: string | false): ResultFormat {
  if (accepted === false) {
    throw new AppError(
      'not_acceptable',
      'Results are to be had as application/json, text/csv or application/x-ndjson.',
    );
  }
  return accepted === 'text/csv' ? 'csv' : accepted === 'application/x-ndjson' ? 'ndjson' : 'json';
}

export const batchRoutes: AnyRoute[] = [
  listSyncBatches,
  getSyncBatch,
  listSyncResults,
  streamSyncEvents,
  cancelSyncBatch,
  retrySyncBatch,
];
