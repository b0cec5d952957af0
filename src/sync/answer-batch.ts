/** How a batch is answered: the wait, the envelope with its results, the announcement. */
import { inTransaction } from '../db/transaction.ts';
import type { Answer } from '../http/answer.ts';
import type { WorkspaceCall } from '../http/route.ts';
import { readBatch, toEnvelope } from './batch/read-batches.ts';
import { readFewResults } from './batch/read-results.ts';
import { withStillRejected } from './batch/read-still-rejected.ts';
import type { SyncBatch } from './batch/sync.schema.ts';
import type { BatchRef } from './chunk/thread-context.ts';
import type { AppliedBatch } from './intake/claim-batch.ts';
import type { Preference } from './prefer.ts';

/** Above these the envelope leaves the results out. */
const INLINE_RESULTS_MAX = 10_000;
/** Ten thousand results may be ten thousand lists of warnings. */
const INLINE_BYTES_MAX = 4 * 1024 * 1024;
const RETRY_AFTER_SECONDS = '1';

/** When the queue is away the batch is none the less accepted: healing announces it. */
export async function announceBatch({ ctx, log, workspace }: WorkspaceCall, batchId: string): Promise<void> {
  try {
    const patienceMs = ctx.config.QUEUE_PATIENCE_MS;
    await ctx.queues.announce('sync.advance', { workspaceId: workspace.id, batchId }, { patienceMs });
  } catch (error) {
    log.warn({ err: error, batchId }, 'the batch is accepted but could not be announced yet');
  }
}

/** Waits as preferred, then answers 200 with the whole envelope or 202 with it as it stands. */
export async function answerFor(
  call: WorkspaceCall,
  batchId: string,
  preference: Preference,
  replayed: boolean,
): Promise<Answer> {
  await call.ctx.batchWatch.untilEnded(
    { workspaceId: call.workspace.id, id: batchId },
    preference.waitMs,
    AbortSignal.any([call.closing, call.gone]),
  );
  const { batch, bytes } = await readEnvelope(call, batchId);
  const ended = batch.finishedAt !== null;
  const headers: Record<string, string> =
    ended && !preference.async ? {} : { Location: batch.links.self, 'Retry-After': RETRY_AFTER_SECONDS };
  if (preference.applied !== null) headers['Preference-Applied'] = preference.applied;
  if (replayed) headers['Idempotent-Replayed'] = 'true';
  return { status: ended && !preference.async ? 200 : 202, headers, bytes };
}

/** 200 with the whole envelope of a batch that ended as it was accepted. */
export function answerApplied(
  { workspace, actor }: WorkspaceCall,
  batchId: string,
  { results, ...applied }: AppliedBatch,
  {
    profile,
    structure,
    preference,
  }: { profile: string; structure: SyncBatch['structure']; preference: Preference },
): Answer {
  const batch = toEnvelope(workspace.slug, {
    id: batchId,
    status: 'completed',
    profile_name: profile,
    dry_run: false,
    failure: null,
    cancellation: null,
    commit_of: null,
    resend_of: null,
    structure_mode: structure,
    results_kept: true,
    actor_type: actor.type,
    actor_id: actor.id,
    actor_name: actor.name,
    ...applied,
  });
  const headers: Record<string, string> =
    preference.applied === null ? {} : { 'Preference-Applied': preference.applied };
  return { status: 200, headers, bytes: withResults(JSON.stringify(batch), results) };
}

function withResults(envelope: string, results: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${envelope.slice(0, -1)},"results":`), results, Buffer.from('}')]);
}

/** Returns the envelope, with its results where they are few enough. */
export async function readEnvelope(
  call: WorkspaceCall,
  batchId: string,
  options: { withStillRejected?: boolean } = {},
): Promise<{ batch: SyncBatch; bytes: Buffer }> {
  const { ctx, gone, workspace } = call;
  const { batch, results } = await readFewResults(ctx, refOf(call, batchId), {
    read: async (tx) => {
      const batch = await readBatch(tx, workspace.slug, batchId);
      if (options.withStillRejected !== true) return batch;
      const [counted] = await withStillRejected(tx, [batch]);
      return counted ?? batch;
    },
    gone,
    elementsMax: INLINE_RESULTS_MAX,
    bytesMax: INLINE_BYTES_MAX,
  });
  const envelope = JSON.stringify(batch);
  return { batch, bytes: results === null ? Buffer.from(envelope) : withResults(envelope, results) };
}

export function readOne({ ctx, gone, workspace }: WorkspaceCall, batchId: string): Promise<SyncBatch> {
  return inTransaction(
    ctx.db,
    { workspaceId: workspace.id },
    (tx) => readBatch(tx, workspace.slug, batchId),
    { readOnly: true, gone },
  );
}

export function refOf({ workspace }: WorkspaceCall, batchId: string): BatchRef {
  return { workspaceId: workspace.id, batchId };
}
