/** The endpoints that put a batch in line: a payload, or a reviewed plan (interface, Synchronisation; contract §2.1, §2.6). */

import type { Config } from '../config.ts';
import { newId } from '../db/ids.ts';
import { inTransaction } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { bodySource, readingFor, wantBody } from '../http/bodies/read-body.ts';
import { notesOf } from '../http/requests/log-requests.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';
import { untilGone } from '../http/until-gone.ts';
import { noBody, withBody } from '../idempotency/idempotency-key.ts';
import { takeCsvPlace } from '../imports/csv-as-elements.ts';
import { batchEnded } from '../telemetry/signals.ts';
import { announceBatch, answerApplied, answerFor, readOne, refOf } from './answer-batch.ts';
import { commitPlan } from './batch/control-batch.ts';
import { SyncElement, SyncPayload } from './batch/payload.schema.ts';
import { BatchParams, PreferHeader, SyncBatch, SyncQuery, syncTag as tag } from './batch/sync.schema.ts';
import { type Intake, refuseTooMany } from './intake/accept-batch.ts';
import { claimBatch, type Staged } from './intake/claim-batch.ts';
import { SMALL_BYTES_MAX } from './intake/intake-places.ts';
import { preferenceOf } from './prefer.ts';
import { AcceptedBefore, mappingOf, tableBody } from './table-body.ts';

const submitSync = defineRoute({
  method: 'post',
  path: '/api/wid/{slug}/pdm/sync',
  operationId: 'submitSync',
  tag,
  summary: 'Submit a sync payload',
  description:
    'Creates or updates entities by GUID, with their parent links. Waits for the batch for a while ' +
    '(`Prefer: wait=N`, N from 0 to 60 seconds; `Prefer: respond-async` does not wait) and answers 200 with the ' +
    'whole envelope, or 202 with the envelope as it stands. Both are a promise: the batch is durable. Repeated with its ' +
    'Idempotency-Key, it names the same batch again and answers as `Prefer` then asks: after a first 202 it is 200 when ' +
    'the batch has ended meanwhile.',
  access: 'engineering',
  transaction: 'none',
  idempotent: 'ownForm',
  query: SyncQuery,
  headers: PreferHeader,
  rawSchemas: { 'application/json': SyncPayload, 'application/x-ndjson': SyncElement },
  rawBody: {
    'application/json': 'An object with one array, `entities`, of sync entities.',
    'application/x-ndjson':
      'One sync entity a line; any length up to the limit, streamed. The schema is that of a line.',
    'text/csv':
      'A table, read by the import definition that `profile` names. A line that cannot be read becomes an error in the results (`unreadable_line`); the other lines are processed. `match` of the definition says what happens to numbers that other entities have; with `ask`, such a table is refused (`match_undecided`), and a dry run proposes those entities.',
  },
  answers: {
    200: { description: 'The batch has ended.', schema: SyncBatch },
    202: { description: 'The batch is accepted and in progress.', schema: SyncBatch },
  },
  errors: [
    'invalid_json',
    'invalid_encoding',
    'incomplete_body',
    'too_many_entities',
    'payload_too_large',
    'too_many_batches',
    'merged_meanwhile',
    'import_definition_missing',
    'file_unreadable',
    'imports_busy',
  ],
  handle: async (call) => {
    const { ctx, req, res, workspace, actor } = call;
    const { config } = ctx;
    const format = formatOf(req.get('content-type'));
    const preference = preferenceOf(req.get('prefer'), config.SYNC_WAIT_SECONDS);
    // Before a large body is asked for; decided for good when the batch is accepted. What comes with an
    // Idempotency-Key may be accepted already: its first answer is due, however full the line is.
    if (call.idempotency === null && !isSmall(req.get('content-length')))
      await inTransaction(ctx.db, { workspaceId: workspace.id }, (tx) =>
        refuseTooMany(tx, config.SYNC_MAX_QUEUED_BATCHES),
      );
    if (format === 'csv') await takeCsvPlace(ctx, res);
    const { profile } = call.query;
    // Before it is asked for too; of what may be accepted already only when it has been read.
    const mapping = format === 'csv' && call.idempotency === null ? await mappingOf(call, profile) : null;
    wantBody(req, res);
    const json = format === 'json';
    const batchId = newId();
    const { bytesMax, wayRound } = bodyLimit(config, format);
    const body = bodySource(req, bytesMax, { ...readingFor(ctx, workspace.id), wayRound });
    const admitted = {
      read: (ended: AbortSignal) => untilGone(call.gone, body.read(AbortSignal.any([ended, call.gone]))),
      cut: body.cut,
      arrived: body.arrived,
    };
    const intake: Intake = {
      workspaceId: workspace.id,
      batchId,
      actorId: actor.id,
      requestId: call.requestId,
      traceparent: call.traceparent,
      profileName: profile,
      dryRun: call.query.dryRun === 'true',
      exact: call.query.structure === 'exact',
      resendOf: null,
      format: format === 'csv' ? 'lines' : format,
      elementsMax: json ? config.SYNC_JSON_ENTITIES_MAX : config.SYNC_NDJSON_ENTITIES_MAX,
      elementBytesMax: config.SYNC_ELEMENT_BYTES_MAX,
      chunkElements: config.SYNC_CHUNK_ELEMENTS,
      queuedBatchesMax: config.SYNC_MAX_QUEUED_BATCHES,
      idempotency: call.idempotency,
      isAwaited: preference.waitMs > 0 && call.query.dryRun !== 'true',
    };
    const source =
      format === 'csv'
        ? tableBody(call, admitted, async () => mapping ?? (await mappingOf(call, profile)))
        : admitted;
    const staged = await ctx.webPool.stage(intake, source).catch((error: unknown): Staged => {
      if (error instanceof AcceptedBefore) return { batchId: error.batchId, replayed: true };
      throw error;
    });
    notesOf(req).batchId = staged.batchId;
    if (staged.applied !== undefined) {
      batchEnded.send(() => ({ status: 'completed' }));
      return answerApplied(call, staged.batchId, staged.applied, {
        profile,
        structure: call.query.structure,
        preference,
      });
    }
    if (staged.isEmpty === true) batchEnded.send(() => ({ status: 'completed' }));
    else if (!staged.replayed) await announceBatch(call, staged.batchId);
    return answerFor(call, staged.batchId, preference, staged.replayed);
  },
});

const commitSyncPlan = defineRoute({
  method: 'post',
  path: '/api/wid/{slug}/pdm/sync/batches/{id}/commit',
  operationId: 'commitSyncPlan',
  tag,
  summary: 'Apply a reviewed dry run',
  description:
    'Applies exactly the payload of a completed dry run as a new batch, without sending it again. Waits like a ' +
    'submission. When anything the plan rests on has changed, nothing is written: 409 `plan_stale`, or a batch ' +
    'that fails with it where the answer was given before its turn came.',
  access: 'engineering',
  transaction: 'none',
  idempotent: 'ownForm',
  params: BatchParams,
  headers: PreferHeader,
  answers: {
    200: { description: 'The new batch has ended.', schema: SyncBatch },
    202: { description: 'The new batch is accepted and in progress.', schema: SyncBatch },
  },
  errors: [
    'batch_not_found',
    'not_a_plan',
    'payload_gone',
    'plan_stale',
    'merged_meanwhile',
    'too_many_batches',
  ],
  handle: async (call) => {
    const { ctx, req, workspace, actor } = call;
    const preference = preferenceOf(req.get('prefer'), ctx.config.SYNC_WAIT_SECONDS);
    const idempotency = call.idempotency === null ? null : withBody(call.idempotency, noBody);
    const accepted = await inTransaction(ctx.db, { workspaceId: workspace.id }, (tx) =>
      claimBatch(tx, idempotency, () =>
        commitPlan(tx, refOf(call, call.params.id), {
          actorId: actor.id,
          requestId: call.requestId,
          traceparent: call.traceparent,
          queuedBatchesMax: ctx.config.SYNC_MAX_QUEUED_BATCHES,
        }),
      ),
    );
    if (!accepted.replayed) await announceBatch(call, accepted.batchId);
    await ctx.batchWatch.untilEnded(
      { workspaceId: workspace.id, id: accepted.batchId },
      preference.waitMs,
      AbortSignal.any([call.closing, call.gone]),
    );
    const { failure } = await readOne(call, accepted.batchId);
    if (failure?.code === 'plan_stale') {
      throw new AppError('plan_stale', { detail: failure.message, extensions: { guids: failure.guids } });
    }
    return answerFor(call, accepted.batchId, { ...preference, waitMs: 0 }, accepted.replayed);
  },
});

/** A small body is not worth asking first: accepting it asks, too. */
function isSmall(contentLength: string | undefined): boolean {
  return contentLength !== undefined && Number(contentLength) <= SMALL_BYTES_MAX;
}

type BodyFormat = 'json' | 'ndjson' | 'csv';

/** How long a body may be, and how more than that is sent. */
function bodyLimit(config: Config, format: BodyFormat): { bytesMax: number; wayRound: string } {
  switch (format) {
    case 'json':
      return {
        bytesMax: config.SYNC_JSON_BYTES_MAX,
        wayRound: 'Send the elements as NDJSON (application/x-ndjson), or in several batches.',
      };
    case 'csv':
      return {
        bytesMax: config.IMPORT_CSV_BYTES_MAX,
        wayRound: 'Send the table in parts, or its elements as NDJSON.',
      };
    default:
      return { bytesMax: config.SYNC_NDJSON_BYTES_MAX, wayRound: 'Send the elements in several batches.' };
  }
}

function formatOf(contentType: string | undefined): BodyFormat {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return 'json';
  if (type === 'application/x-ndjson') return 'ndjson';
  if (type === 'text/csv') return 'csv';
  throw new AppError('unsupported_media_type', {
    detail: 'A sync payload is application/json, application/x-ndjson or text/csv.',
    headers: { Accept: 'application/json, application/x-ndjson, text/csv' },
  });
}

export const submitRoutes: AnyRoute[] = [submitSync, commitSyncPlan];
