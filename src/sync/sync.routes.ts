/** The sync endpoints (interface, Synchronisation; contract §2). */
import { z } from 'zod';
import { newId } from '../db/ids.ts';
import { inTransaction } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { decodeCursor, encodeCursor, ListQuery, listOf, pageOf } from '../http/list.ts';
import { decodedBody, wantBody } from '../http/read-body.ts';
import { type Answer, type AnyRoute, defineRoute, type WorkspaceCall } from '../http/route.ts';
import { refuseTooMany } from './intake/stage-batch.ts';
import { CSV_HEADER, type ResultFormat } from './merge-results.ts';
import { type Preference, preferenceOf } from './prefer.ts';
import { listBatches, readBatch, readResultDocuments } from './read-batches.ts';
import { BatchStatus, SyncBatch, SyncQuery, SyncResult } from './sync.schema.ts';
import type { ResultKind } from './sync-result.ts';

/** Above this the envelope leaves the results out. */
const INLINE_RESULTS_MAX = 10_000;
const RETRY_AFTER_SECONDS = '1';
const tag = 'Synchronisation';
const BatchParams = z.strictObject({ id: z.uuid().meta({ description: 'Id of the batch.' }) });

const submitSync = defineRoute({
  method: 'post',
  path: '/api/wid/{slug}/pdm/sync',
  operationId: 'submitSync',
  tag,
  summary: 'Submit a sync payload',
  description:
    'Creates or updates entities by GUID, with their parent links. Waits for the batch for a while ' +
    '(`Prefer: wait=N`, N from 0 to 60 seconds; `Prefer: respond-async` does not wait) and answers 200 with the ' +
    'whole envelope, or 202 with the envelope as it stands. Both are a promise: the batch is durable.',
  access: 'write',
  transaction: 'none',
  idempotent: true,
  query: SyncQuery,
  rawBody: {
    'application/json': 'An object with one array, `entities`, of sync entities.',
    'application/x-ndjson': 'One sync entity a line; any length up to the limit, streamed.',
  },
  answers: {
    200: { description: 'The batch has ended.', schema: SyncBatch },
    202: { description: 'The batch is accepted and under way.', schema: SyncBatch },
  },
  errors: [
    'invalid_json',
    'invalid_encoding',
    'incomplete_body',
    'too_many_entities',
    'payload_too_large',
    'too_many_batches',
  ],
  handle: async (call) => {
    const { ctx, req, res, workspace, actor } = call;
    const { config } = ctx;
    const format = formatOf(req.get('content-type'));
    const preference = preferenceOf(req.get('prefer'), config.SYNC_WAIT_SECONDS);
    // Before a large body is asked for; decided for good when the batch is accepted.
    await inTransaction(ctx.db, { workspaceId: workspace.id }, (tx) =>
      refuseTooMany(tx, workspace.id, config.SYNC_MAX_QUEUED_BATCHES),
    );
    wantBody(req, res);
    const json = format === 'json';
    const batchId = newId();
    const staged = await ctx.webPool.stage(
      {
        workspaceId: workspace.id,
        batchId,
        actorId: actor.id,
        requestId: call.requestId,
        profileName: call.query.profile,
        dryRun: false,
        format,
        elementsMax: json ? config.SYNC_JSON_ENTITIES_MAX : config.SYNC_NDJSON_ENTITIES_MAX,
        elementBytesMax: config.SYNC_ELEMENT_BYTES_MAX,
        chunkElements: config.SYNC_CHUNK_ELEMENTS,
        queuedBatchesMax: config.SYNC_MAX_QUEUED_BATCHES,
        idempotency: call.idempotency,
      },
      decodedBody(req, json ? config.SYNC_JSON_BYTES_MAX : config.SYNC_NDJSON_BYTES_MAX),
    );
    if (!staged.replayed) await announce(call, staged.batchId);
    return answerFor(call, staged.batchId, preference, staged.replayed);
  },
});

/** When the queue is away the batch is none the less accepted: healing announces it. */
async function announce({ ctx, log, workspace }: WorkspaceCall, batchId: string): Promise<void> {
  try {
    await ctx.queues.announce('sync.advance', { workspaceId: workspace.id, batchId });
  } catch (error) {
    log.warn({ err: error, batchId }, 'the batch is accepted but could not be announced yet');
  }
}

async function answerFor(
  call: WorkspaceCall,
  batchId: string,
  preference: Preference,
  replayed: boolean,
): Promise<Answer> {
  await call.ctx.batchWatch.untilEnded(batchId, preference.waitMs, call.closing);
  const { batch, bytes } = await readEnvelope(call, batchId);
  const ended = batch.finishedAt !== null;
  const headers: Record<string, string> = ended
    ? {}
    : { Location: batch.links.self, 'Retry-After': RETRY_AFTER_SECONDS };
  if (preference.applied !== null) headers['Preference-Applied'] = preference.applied;
  if (replayed) headers['Idempotent-Replayed'] = 'true';
  return { status: ended ? 200 : 202, headers, bytes };
}

/** The envelope, with its results where they are few enough. */
async function readEnvelope(
  call: WorkspaceCall,
  batchId: string,
): Promise<{ batch: SyncBatch; bytes: Buffer }> {
  const { batch, documents } = await inTransaction(
    call.ctx.db,
    { workspaceId: call.workspace.id },
    async (tx) => {
      const batch = await readBatch(tx, call.workspace.slug, batchId);
      const inline = batch.counts.total <= INLINE_RESULTS_MAX;
      return { batch, documents: inline ? await readResultDocuments(tx, batchId, null, -1) : null };
    },
    { readOnly: true },
  );
  const envelope = JSON.stringify(batch);
  if (documents === null) return { batch, bytes: Buffer.from(envelope) };
  const results = await call.ctx.webPool.merge({
    documents,
    after: -1,
    limit: INLINE_RESULTS_MAX,
    kind: null,
    format: 'json',
  });
  const bytes = Buffer.concat([
    Buffer.from(`${envelope.slice(0, -1)},"results":[`),
    results,
    Buffer.from(']}'),
  ]);
  return { batch, bytes };
}

const listSyncBatches = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/pdm/sync/batches',
  operationId: 'listSyncBatches',
  tag,
  summary: 'List batches, newest first',
  access: 'read',
  transaction: 'read',
  query: ListQuery.extend({
    status: BatchStatus.optional(),
    profile: z.string().max(100).optional().meta({ description: 'Only batches of this import definition.' }),
  }),
  answers: { 200: { description: 'Envelopes without results.', schema: listOf(SyncBatch) } },
  errors: ['invalid_cursor'],
  handle: async ({ query, workspace }, tx) => {
    const items = await listBatches(tx, workspace.slug, {
      status: query.status ?? null,
      profile: query.profile ?? null,
      beforeId: decodeCursor('sync-batches', query.cursor, z.uuid()),
      limit: query.limit + 1,
    });
    const page = pageOf(
      'sync-batches',
      items,
      query.limit,
      (batch) => batch.batchId,
      (batch) => batch,
    );
    return { status: 200, body: page };
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
    const { bytes } = await readEnvelope(call, call.params.id);
    return { status: 200, bytes };
  },
});

const listSyncResults = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/pdm/sync/batches/{id}/results',
  operationId: 'listSyncResults',
  tag,
  summary: 'List the results of a batch in payload order',
  description: 'As CSV or NDJSON all results are streamed, whatever `limit` says.',
  access: 'read',
  transaction: 'none',
  params: BatchParams,
  query: ListQuery.extend({
    result: z
      .enum(['created', 'updated', 'skipped', 'error'])
      .optional()
      .meta({ description: 'Only results of this kind.' }),
  }),
  answers: {
    200: {
      description: 'Results.',
      schema: listOf(SyncResult),
      alternatives: {
        'text/csv': 'All results, one a line, with a header line.',
        'application/x-ndjson': 'All results, one JSON object a line.',
      },
    },
  },
  errors: ['batch_not_found', 'invalid_cursor'],
  handle: async (call) => {
    const { req, query, params } = call;
    const kind = query.result ?? null;
    const list = `sync-results ${params.id} ${kind ?? ''}`;
    const format = exportFormat(req.accepts(['application/json', 'text/csv', 'application/x-ndjson']));
    if (format !== 'json') return streamResults(call, params.id, kind, format);
    const after = decodeCursor(list, query.cursor, z.int().min(0)) ?? -1;
    const page = await resultPage(call, params.id, kind, after, query.limit + 1);
    const results = JSON.parse(`[${page.toString()}]`) as { index: number }[];
    const shown = results.slice(0, query.limit);
    const nextCursor = results.length > query.limit ? encodeCursor(list, shown.at(-1)?.index) : null;
    return { status: 200, body: { items: shown, nextCursor } };
  },
});

async function resultPage(
  call: WorkspaceCall,
  batchId: string,
  kind: ResultKind | null,
  after: number,
  limit: number,
): Promise<Buffer> {
  const documents = await inTransaction(
    call.ctx.db,
    { workspaceId: call.workspace.id },
    async (tx) => {
      await readBatch(tx, call.workspace.slug, batchId);
      return readResultDocuments(tx, batchId, kind, after);
    },
    { readOnly: true },
  );
  return Buffer.from(await call.ctx.webPool.merge({ documents, after, limit, kind, format: 'json' }));
}

async function streamResults(
  call: WorkspaceCall,
  batchId: string,
  kind: ResultKind | null,
  format: ResultFormat,
): Promise<null> {
  const documents = await inTransaction(
    call.ctx.db,
    { workspaceId: call.workspace.id },
    async (tx) => {
      await readBatch(tx, call.workspace.slug, batchId);
      return readResultDocuments(tx, batchId, kind, -1);
    },
    { readOnly: true },
  );
  const bytes = await call.ctx.webPool.merge({
    documents,
    after: -1,
    limit: Number.MAX_SAFE_INTEGER,
    kind,
    format,
  });
  const csv = format === 'csv';
  call.res.setHeader('Content-Type', csv ? 'text/csv; charset=utf-8' : 'application/x-ndjson');
  call.res.setHeader('Content-Disposition', `attachment; filename="${batchId}.${csv ? 'csv' : 'ndjson'}"`);
  if (csv) call.res.write(CSV_HEADER);
  call.res.end(bytes);
  return null;
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

function formatOf(contentType: string | undefined): 'json' | 'ndjson' {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return 'json';
  if (type === 'application/x-ndjson') return 'ndjson';
  throw new AppError('unsupported_media_type', {
    detail: 'A sync payload is application/json or application/x-ndjson.',
    headers: { Accept: 'application/json, application/x-ndjson' },
  });
}

export const syncRoutes: AnyRoute[] = [submitSync, listSyncBatches, getSyncBatch, listSyncResults];
