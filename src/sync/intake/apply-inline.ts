/**
 * A small batch whose sender waits is applied in the very transaction that accepts it, where no other batch of the
 * workspace stands before it: most connectors send a few entities at a time, all day, and a batch of ten need not be
 * stored, announced, claimed and asked for. What cannot be done at once goes the way of all batches.
 */
import { cacheOf } from '../../configuration/current/configuration-cache.ts';
import { configurationHeld } from '../../configuration/current/configuration-for-writing.ts';
import { markPropertiesUsed } from '../../configuration/current/mark-properties-used.ts';
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import { isHeldUp, isServerAway } from '../../db/server-away.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { contextTypesOf } from '../../events/record-events.ts';
import { recordImportEnded } from '../../events/record-import-ended.ts';
import { withBody } from '../../idempotency/idempotency-key.ts';
import {
  applyBatch,
  isLinked,
  type OpenedBatch,
  type Prepare,
  underStructureLock,
} from '../apply/apply-batch.ts';
import { packPortion } from '../chunk/save-results.ts';
import type { StagedElement } from '../elements/payload-codec.ts';
import { ElementPreparer, type PreparedElements } from '../elements/prepare-elements.ts';
import type { ElementLimits } from '../elements/read-element.ts';
import { SentReader } from '../elements/sent-element.ts';
import { countResults, type ResultCounts } from '../elements/sync-result.ts';
import { noneUnchanged } from '../plan/find-unchanged.ts';
import { type PlannedChunk, planChunk } from '../plan/plan-chunk.ts';
import { propertyKeys } from '../write/write-elements.ts';
import type { Arrived, Intake, IntakeThread } from './accept-batch.ts';
import { type AppliedBatch, claimBatch, type Staged } from './claim-batch.ts';
import { insertApplied, insertAppliedAndDigest, openSmallBatch } from './stage-batch.sql.ts';

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
    if (error instanceof AppError || (isServerAway(error) && !isHeldUp(error))) throw error;
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
  if (opened.listened.has('importCompleted') || opened.listened.has('importNotClean'))
    await recordImportEnded(tx, { batchId, profileName, counts });
  return { times: inserting, counts, elementCount: results.length, results: json };
}

interface OpenedRow {
  /** The version of the configuration; null where nothing was ever configured. */
  configuration: string | null;
  listened: number[];
  links_wait: boolean;
  holds_structure: boolean;
}

/**
 * Opens the batch in one burst: its locks, what it has to know, and the stored state of its entities. This works because the configuration
 * is expected to be the same as last time; if it has changed, the entities are prepared and compared again. Rejects where batches stand
 * before it.
 */
async function openInline(tx: Tx, prepare: Prepare, exact: boolean): Promise<OpenedBatch> {
  const expected = cacheOf(tx.db).last(tx.workspaceId);
  const ahead = expected === null ? null : await prepare(expected.configuration, null);
  const mayLink = exact || (ahead !== null && isLinked(ahead));
  const opening = tx.query<OpenedRow>(openSmallBatch, [tx.workspaceId, mayLink]);
  const planning = expected === null || ahead === null ? null : plan(tx, ahead, expected.configuration);
  // Where the first fails, it says why.
  planning?.catch(() => {});
  const [row] = await opening;
  if (row === undefined) throw new Error('A function without an answer');
  const { configuration: version, listened, links_wait: linksWait, holds_structure: holdsStructure } = row;
  const opened = { listened: contextTypesOf(listened), linksWait, unchanged: noneUnchanged };
  const configuration = await configurationHeld(tx, version);
  if (ahead !== null && planning !== null && configuration === expected?.configuration)
    return { ...opened, configuration, elements: ahead, planned: await planning };
  await planning;
  const elements = await prepare(configuration, null);
  // Only where the change of the configuration is what lets the first element in that names a parent are rows locked before this.
  const waits = isLinked(elements) && !holdsStructure ? await underStructureLock(tx) : linksWait;
  const planned = await plan(tx, elements, configuration);
  return { ...opened, configuration, elements, planned, linksWait: waits };
}

/** Properties before entities, as every writer of them. */
async function plan(
  tx: Tx,
  elements: PreparedElements,
  configuration: WorkspaceConfiguration,
): Promise<PlannedChunk> {
  const marking = markPropertiesUsed(tx, configuration, propertyKeys(elements, configuration));
  const [planned] = await Promise.all([
    planChunk(tx, elements, { configuration, lock: true, isWhole: true }),
    marking,
  ]);
  return planned;
}
