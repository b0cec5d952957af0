/** Serves elements as they were sent, and sends rejected ones again (contract §2.8). */
import { z } from 'zod';
import { newId, normaliseGuid } from '../db/ids.ts';
import { inTransaction } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { inStream } from '../http/in-stream.ts';
import { decodeCursor, encodeCursor, ListQuery, listOf } from '../http/list.ts';
import { type AnyRoute, defineRoute, type WorkspaceCall } from '../http/route.ts';
import { batchEnded } from '../telemetry/signals.ts';
import { announceBatch, answerFor, readOne, refOf } from './answer-batch.ts';
import { requireResults } from './batch/read-batches.ts';
import { ErrorCode, Result, WarningCode } from './batch/result-codes.schema.ts';
import { filterName, filterOf, resultFilters } from './batch/results.schema.ts';
import { BatchParams, resultForms, SyncBatch, syncTag as tag } from './batch/sync.schema.ts';
import { acceptedBefore } from './intake/claim-batch.ts';
import { preferenceOf } from './prefer.ts';
import { selectSource } from './sent/sent-elements.sql.ts';

/** Each is looked for among some megabytes. */
const ELEMENTS_MAX = 100;
const ELEMENTS_DEFAULT = 20;
const GUIDS_MAX = 1000;

const sent = {
  element: z.unknown().meta({
    description: 'As it was sent, byte for byte; null for a line that was not JSON, which is not stored.',
  }),
};
const [created, updated, skipped, refused] = resultForms;
const SentElement = z
  .discriminatedUnion('result', [
    created.extend(sent),
    updated.extend(sent),
    skipped.extend(sent),
    refused.extend(sent),
  ])
  .meta({ id: 'SentElement', description: 'An element of a payload, and its result.' });

const listSentElements = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/pdm/sync/batches/{id}/elements',
  operationId: 'listSentElements',
  tag,
  summary: 'List elements of a batch as they were sent',
  description: 'In payload order, with the result of each.',
  access: 'read',
  transaction: 'none',
  params: BatchParams,
  query: ListQuery.extend({
    ...resultFilters,
    limit: z.coerce.number().int().min(1).max(ELEMENTS_MAX).default(ELEMENTS_DEFAULT).meta({
      description: 'Maximum number of items. A page may be shorter although there are more.',
    }),
    from: z.coerce.number().int().min(0).max(2_147_483_647).default(0).meta({
      description: 'Start at this position in the payload.',
    }),
  }),
  answers: { 200: { description: 'Elements.', schema: listOf(SentElement) } },
  errors: ['batch_not_found', 'results_gone', 'payload_gone', 'invalid_cursor', 'too_many_streams'],
  handle: async (call) => {
    const { ctx, query, params } = call;
    const filter = filterOf(query);
    const list = `sync-elements ${params.id} ${query.from} ${filterName(filter)}`;
    const after = decodeCursor(list, query.cursor, z.int().min(0)) ?? query.from - 1;
    await requireKept(call, params.id);
    const page = await inStream(call, () =>
      ctx.webPool.sent({ ...refOf(call, params.id), filter, after, limit: query.limit }),
    );
    // Asked behind the reading: of elements that go meanwhile, what is left must not pass as all of them.
    await requireKept(call, params.id);
    if (page === null) throw payloadGone();
    const nextCursor = page.more && page.last !== null ? encodeCursor(list, page.last) : null;
    const bytes = Buffer.concat([
      Buffer.from('{"items":['),
      page.bytes,
      Buffer.from(`],"nextCursor":${JSON.stringify(nextCursor)}}`),
    ]);
    return { status: 200, bytes };
  },
});

const ResendRequest = z
  .strictObject({
    result: Result.optional().meta({
      description: 'Only elements with this result; `error` if neither this nor `warning` is given.',
    }),
    code: ErrorCode.optional().meta({ description: 'Only elements rejected with this code.' }),
    warning: WarningCode.optional().meta({
      description:
        'Only elements with this warning, such as `invalid_date` after the property has become a text.',
    }),
    guids: z
      .array(
        z.string().transform((text, context) => {
          const guid = normaliseGuid(text);
          if (guid !== null) return guid;
          context.addIssue({ code: 'custom', message: 'Not a GUID.' });
          return z.NEVER;
        }),
      )
      .min(1)
      .max(GUIDS_MAX)
      .optional()
      .meta({ description: 'Only elements of these entities.' }),
  })
  .meta({
    id: 'ResendRequest',
    description: 'Selects the elements to resend; all conditions must hold.',
  });

const resendSyncElements = defineRoute({
  method: 'post',
  path: '/api/wid/{slug}/pdm/sync/batches/{id}/resend',
  operationId: 'resendSyncElements',
  tag,
  summary: 'Resend elements of a batch',
  description:
    'Puts the refused elements of a batch that has ended, or those that are chosen, in line as a new batch, as they were ' +
    'sent; all elements of one GUID go together, so that quantities come out as they would have. `index` stays the place ' +
    'in the payload. Waits and answers like a submission. It is as if they were sent from their source now: what ' +
    'changed in their entities meanwhile is overwritten. With `dryRun=true` it only says what it would do.',
  access: 'engineering',
  transaction: 'none',
  idempotent: 'ownForm',
  params: BatchParams,
  query: z.strictObject({
    dryRun: z
      .enum(['true', 'false'])
      .default('false')
      .meta({ description: 'Only report what would happen.' }),
  }),
  body: ResendRequest,
  answers: {
    200: { description: 'The new batch has ended.', schema: SyncBatch },
    202: { description: 'The new batch is accepted and in progress.', schema: SyncBatch },
  },
  errors: [
    'batch_not_found',
    'batch_not_finished',
    'nothing_to_resend',
    'payload_gone',
    'results_gone',
    'too_many_batches',
    'merged_meanwhile',
    'too_many_streams',
  ],
  handle: async (call) => {
    const { ctx, req, workspace, actor, body, query, params } = call;
    const { config } = ctx;
    const preference = preferenceOf(req.get('prefer'), config.SYNC_WAIT_SECONDS);
    const source = refOf(call, params.id);
    // What was put in line once is answered for, whatever is still kept of what it was taken from.
    const known = await acceptedBefore(ctx.db, workspace.id, call.idempotency);
    if (known !== null) return answerFor(call, known, preference, true);
    const { profileName } = await requireKept(call, params.id, true);
    const { result, code, warning, guids } = body;
    const kind = result ?? (warning === undefined ? 'error' : undefined);
    const staged = await inStream(call, () =>
      ctx.webPool.resend(
        {
          workspaceId: workspace.id,
          batchId: newId(),
          actorId: actor.id,
          requestId: call.requestId,
          traceparent: call.traceparent,
          profileName,
          dryRun: query.dryRun === 'true',
          // Some of a payload says nothing of whole assemblies.
          exact: false,
          resendOf: params.id,
          format: 'ndjson',
          elementsMax: config.SYNC_NDJSON_ENTITIES_MAX,
          elementBytesMax: config.SYNC_ELEMENT_BYTES_MAX,
          chunkElements: config.SYNC_CHUNK_ELEMENTS,
          queuedBatchesMax: config.SYNC_MAX_QUEUED_BATCHES,
          isAwaited: false,
          idempotency: call.idempotency,
        },
        { source, filter: filterOf({ result: kind, code, warning }), guids: guids ?? null },
      ),
    );
    if (staged.isEmpty === true) batchEnded.send(() => ({ status: 'completed' }));
    else if (!staged.replayed) await announceBatch(call, staged.batchId);
    return answerFor(call, staged.batchId, preference, staged.replayed);
  },
});

/** The batch, where its payload and its results are all there; with `ended` only one that has ended. */
async function requireKept(call: WorkspaceCall, batchId: string, ended = false): Promise<SyncBatch> {
  const batch = await readOne(call, batchId);
  if (ended && batch.finishedAt === null) {
    throw new AppError('batch_not_finished', `The batch is ${batch.status}: send again when it has ended.`);
  }
  requireResults(batch);
  const [source] = await inTransaction(
    call.ctx.db,
    { workspaceId: call.workspace.id },
    (tx) => tx.query<{ payload_kept: boolean }>(selectSource, [call.workspace.id, batchId]),
    { readOnly: true },
  );
  if (source?.payload_kept !== true) throw payloadGone();
  return batch;
}

function payloadGone(): AppError {
  return new AppError(
    'payload_gone',
    'The payload is past its retention and no longer kept: send it from its source.',
  );
}

export const resendRoutes: AnyRoute[] = [listSentElements, resendSyncElements];
