/**
 * A small batch whose sender waits is applied in the very transaction that accepts it, where no other batch of the
 * workspace stands before it: most connectors send a few entities at a time, all day, and a batch of ten need not be
 * stored, announced, claimed and asked for. What cannot be done at once goes the way of all batches.
 */
import { isServerAway } from '../../db/server-away.ts';
import { inTransaction, sqlState, type Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { recordImportCompleted } from '../../events/record-import-completed.ts';
import { withBody } from '../../idempotency/idempotency-key.ts';
import { applyBatch, type Prepare } from '../apply/apply-batch.ts';
import { packPortion } from '../chunk/save-results.ts';
import type { StagedElement } from '../elements/payload-codec.ts';
import { ElementPreparer } from '../elements/prepare-elements.ts';
import type { ElementLimits } from '../elements/read-element.ts';
import { SentReader } from '../elements/sent-element.ts';
import { countResults, type ResultCounts } from '../elements/sync-result.ts';
import type { Arrived, Intake, IntakeThread } from './accept-batch.ts';
import { type AppliedBatch, claimBatch, type Staged } from './claim-batch.ts';
import { openInline } from './open-inline.ts';
import { insertApplied, insertAppliedAndDigest } from './stage-batch.sql.ts';

/** It is held by others of its workspace only for moments; where somebody takes longer, the batch can wait in line. */
const LOCK_TIMEOUT_MS = 250;

/**
 * Applies a small batch in the transaction that accepts it. Returns null where that is not possible; nothing of it
 * is left then. Throws `AppError` for a misused Idempotency-Key.
 */
export async function applyInline(
  { db, limits }: IntakeThread,
  intake: Intake,
  elements: readonly StagedElement[],
  arrived: Arrived,
): Promise<Staged | null> {
  const { digest } = arrived;
  const idempotency = intake.idempotency === null ? null : withBody(intake.idempotency, digest);
  const work = async (tx: Tx) => {
    let ending: Ending | null = null;
    const staged = await claimBatch(tx, idempotency, async () => {
      ending = await apply(tx, intake, { elements, arrived, limits });
      return intake.batchId;
    });
    return { staged, ending: ending as Ending | null };
  };
  try {
    const { staged, ending } = await inTransaction(db, { workspaceId: intake.workspaceId }, work, {
      lockTimeoutMs: LOCK_TIMEOUT_MS,
      // Somebody may create an entity with the same GUID between the comparison and the insert.
      retryOn: ['23505'],
    });
    return ending === null ? staged : { ...staged, applied: await appliedOf(ending) };
  } catch (error) {
    // Nobody knows whether it is committed where the server went away.
    const isWaiting = /^(40|55P03|57014)/.test(sqlState(error) ?? '');
    if (error instanceof AppError || (isServerAway(error) && !isWaiting)) throw error;
    // Whatever it was: in line it is tried again as often as any other, and fails with its reason.
    return null;
  }
}

type Times = Pick<AppliedBatch, 'submitted_at' | 'started_at' | 'finished_at'>;

/** The outcome of a batch whose transaction has been committed. */
interface Ending {
  times: Promise<Times[]>;
  counts: ResultCounts;
  elementCount: number;
  /** The results as JSON, in payload order. */
  results: Buffer;
}

async function appliedOf({ times, counts, elementCount, results }: Ending): Promise<AppliedBatch> {
  const [row] = await times;
  return { ...(row as Times), element_count: elementCount, counts, results };
}

interface Small {
  elements: readonly StagedElement[];
  arrived: Arrived;
  limits: ElementLimits;
}

async function apply(
  tx: Tx,
  { workspaceId, batchId, actorId, requestId, profileName, traceparent, exact }: Intake,
  { elements, arrived, limits }: Small,
): Promise<Ending> {
  const ref = { workspaceId, batchId };
  const chunk = { ordinal: 0, submitted_by: actorId, dry_run: false, commit_of: null, exact };
  const prepare: Prepare = async (configuration, cycles) => {
    const preparer = new ElementPreparer(configuration, limits, cycles, exact);
    const reader = new SentReader(configuration, limits);
    for (const element of elements)
      preparer.add(element, element.rejected ? null : reader.read(element.text));
    return preparer.finish();
  };
  const opened = await openInline(tx, prepare, exact);
  const { results } = await applyBatch(tx, ref, chunk, prepare, opened);
  const { json, columns, digest } = packPortion(results);
  const counts = countResults(results);
  const [segment] = arrived.segments;
  const inserting = tx.query<Times>(digest === null ? insertApplied : insertAppliedAndDigest, [
    workspaceId,
    batchId,
    profileName,
    actorId,
    requestId,
    results.length,
    JSON.stringify({ total: results.length, ...counts }),
    segment?.elements,
    counts.created,
    counts.updated,
    counts.skipped,
    counts.error,
    counts.warnings,
    traceparent,
    exact ? 'exact' : 'additive',
    ...columns,
    ...(digest === null ? [] : [digest]),
  ]);
  tx.withCommit(inserting);
  if (opened.listened.has('importCompleted'))
    await recordImportCompleted(tx, { batchId, profileName, counts });
  return { times: inserting, counts, elementCount: results.length, results: json };
}
