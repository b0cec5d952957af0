/**
 * The steps of a batch that threads take, each one transaction on one chunk: claim it, do the pass, store
 * what the next pass needs. Killed at any line, the chunk is as it was before, and the next job claims it.
 */
import { deserialize, serialize } from 'node:v8';
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import { loadConfiguration } from '../../configuration/current/read-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { lockStructure, noteStructureEdit } from '../../entities/links/lock-structure.ts';
import { saveStructure } from '../chunk/batch.sql.ts';
import { type ClaimedChunk, prepareChunk, type StepOutcome, withChunk } from '../chunk/claim-chunk.ts';
import { completeBatch } from '../chunk/complete-batch.ts';
import { noteFields, warnOfFields } from '../chunk/misspelled-fields.ts';
import type { WantedPlace } from '../chunk/place-locations.ts';
import { saveChunk } from '../chunk/save-chunk.ts';
import { readChunkResults, rejectedAmong } from '../chunk/save-results.ts';
import { savePlaces } from '../chunk/settle-places.ts';
import { type BatchRef, pair, type StepRef, type SyncThread } from '../chunk/thread-context.ts';
import type { SyncResult } from '../elements/sync-result.ts';
import { guidAt, guidsOf } from '../graph/guid-bytes.ts';
import { unlinkChildren } from '../link/unlink-children.ts';
import type { ChunkPlan } from '../plan/chunk-plan.ts';
import { checkedVersions, requireBasis } from '../plan/committed-plan.ts';
import { keepSent, noneUnchanged, prepareUnlessUnchanged } from '../plan/find-unchanged.ts';
import { planChunk } from '../plan/plan-chunk.ts';
import { linkFlags, type PlannedLinks } from '../plan/planned-links.ts';
import { type ChunkStructure, refusedLinks } from '../structure/plan-structure.ts';
import { reportPlan } from '../write/report-plan.ts';
import { noStructure } from '../write/write-chunk.ts';
import { writeElements } from '../write/write-elements.ts';
import { writeSupplierParts } from '../write/write-supplier-parts.ts';
import { applyBatch, openBatch, type Prepare, type PrepareChanged } from './apply-batch.ts';
import { writeLeaves } from './write-leaves.ts';

/** First pass: what does each element ask for? A chunk in which nothing differs ends here, or one that waits for no other. */
export function planStep(thread: SyncThread, ref: StepRef): Promise<StepOutcome> {
  return withChunk(thread, ref, 'plan', async (tx, chunk) => {
    const configuration = await loadConfiguration(tx);
    const { exact } = chunk;
    const preparing = { configuration, limits: thread.limits, exact };
    const isPlain = reportsOnlyChanges(chunk);
    const { elements, unchanged } = isPlain
      ? await prepareUnlessUnchanged(tx, ref, chunk, preparing)
      : { elements: await prepareChunk(tx, ref, chunk, preparing), unchanged: noneUnchanged };
    const planned = await planChunk(tx, elements, {
      configuration,
      lock: false,
      isWhole: false,
      sharesNumbers: chunk.dry_run || chunk.commit_of !== null,
      unchanged,
    });
    await requireBasis(tx, ref, chunk, planned);
    const { settled } = planned;
    const written = await writeLeaves(tx, ref, chunk, { elements, configuration, planned });
    if (written !== null) for (const result of written.results) settled.push(result);
    const { plan, structure } = written ?? { plan: planned.plan, structure: null };
    if (isPlain) keepSent(tx, planned.compared, chunk.element_count);
    warnOfFields(settled, await noteFields(tx, ref, chunk.misspelled, elements.misspelled));
    const keep = plan.pending.length > 0 || plan.links.count > 0 || plan.heldIndexes.length > 0 || exact;
    if (chunk.dry_run) reportPlan(settled, [], null, []);
    saveChunk(tx, ref, chunk.ordinal, settled, {
      phase: plan.pending.length > 0 ? 'write' : structure === null ? 'done' : 'link',
      plan: keep ? serialize(plan) : null,
      structure: structure === null ? null : serialize(structure),
      basis: chunk.dry_run || chunk.commit_of !== null ? planned.basis : null,
      hasLinks:
        exact ||
        plan.numbers !== undefined ||
        (structure === null ? plan.links.count > 0 : anyParentReleased(plan)),
      createsOutside: planned.plan.outsideGuids !== undefined,
      isRepeatable: written === null,
    });
    return 'worked';
  });
}

/** Second pass: entities and revisions; in a dry run only the report of them. */
export function writeStep(thread: SyncThread, ref: StepRef): Promise<StepOutcome> {
  return withChunk(thread, ref, 'write', async (tx, chunk, isRetry) => {
    const plan = planOf(chunk);
    const structure =
      chunk.structure === null ? noStructure : (deserialize(chunk.structure) as ChunkStructure);
    const configuration = await configurationForWriting(tx);
    const due = dueIndexes(plan, structure);
    const { removals } = structure;
    // Before any row is locked: a transaction that has locked rows must not wait for this lock.
    if (removals !== undefined && !chunk.dry_run) await lockStructure(tx);
    const elements = await prepareChunk(tx, ref, chunk, {
      configuration,
      limits: thread.limits,
      only: due,
      cycles: refusedLinks(structure),
    });
    const checked = await checkedVersions(tx, ref, chunk);
    const absent = isRetry ? undefined : new Set(guidsOf(plan.newGuids));
    const rejectedParents = await rejectedParentsOf(tx, ref, plan.links, structure);
    const decidedNumbers = plan.numbers === undefined ? null : (structure.numbersTaken ?? []);
    const { links } = plan;
    const places: WantedPlace[] = [];
    const decided = {
      configuration,
      structure,
      links,
      checked,
      absent,
      rejectedParents,
      decidedNumbers,
      places,
    };
    const written = await writeElements(tx, ref, chunk, elements, decided);
    const refused = notWritten(written);
    if (removals !== undefined && !chunk.dry_run) {
      await unlinkChildren(tx, chunk.submitted_by, removals, refused, configuration);
      // Links may have been planned that were to be free of a cycle without these: the last pass is to look again.
      if (removals.indexes.some((index) => refused.has(index))) await noteStructureEdit(tx);
    }
    await writeSupplierParts(tx, chunk, elements, configuration, written);
    const standing = await standingLinks(tx, ref, chunk, decided, refused);
    const settled = await readChunkResults(tx, ref, chunk.ordinal);
    const results = [...settled.filter((result) => !due.has(result.index)), ...written];
    warnOfFields(results, chunk.misspelled ?? {});
    const toLink = !chunk.dry_run && (standing.length > 0 || plan.newCarriers.length > 0);
    saveChunk(tx, ref, chunk.ordinal, results, { phase: toLink ? 'link' : 'done' });
    savePlaces(tx, ref, chunk.ordinal, places);
    return 'worked';
  });
}

/** All passes over a batch of one chunk and its end, in one transaction. */
export function wholeStep(thread: SyncThread, ref: StepRef): Promise<StepOutcome> {
  const { limits } = thread;
  return withChunk(thread, ref, 'plan', async (tx, chunk) => {
    const prepare: Prepare = (configuration, cycles) =>
      prepareChunk(tx, ref, chunk, { configuration, limits, cycles, exact: chunk.exact });
    const prepareChanged: PrepareChanged = (configuration) =>
      prepareUnlessUnchanged(tx, ref, chunk, { configuration, limits });
    const isPlain = reportsOnlyChanges(chunk);
    const opened = await openBatch(tx, ref, chunk, prepare, isPlain ? prepareChanged : null);
    const { results, basis } = await applyBatch(tx, ref, chunk, prepare, opened);
    if (isPlain) keepSent(tx, opened.planned.compared, chunk.element_count);
    saveChunk(tx, ref, chunk.ordinal, results, { phase: 'done', basis });
    return (await completeBatch(tx, ref)) ?? 'worked';
  });
}

/**
 * Whether the batch needs no result for unchanged elements. A dry run, its commit and an exact batch need all of
 * them.
 */
function reportsOnlyChanges({ dry_run: dryRun, commit_of: commitOf, exact }: ClaimedChunk): boolean {
  return !dryRun && commitOf === null && !exact;
}

/** Whether links of new entities make a revision of their parent, which may stand in another chunk. */
function anyParentReleased({ links }: ChunkPlan): boolean {
  return links.flags.some(isOfReleased);
}

const isOfReleased = (flags: number) => (flags & linkFlags.parentReleased) !== 0;

/** Places of elements that were refused though they were planned: somebody has edited the entity since. */
function notWritten(written: readonly SyncResult[]): Set<number> {
  const codes = new Set<SyncResult['code']>(['plan_stale', 'invalid_entity', 'number_taken']);
  return new Set(written.flatMap(({ code, index }) => (codes.has(code) ? [index] : [])));
}

/** GUIDs of parents that are waited for because their elements were rejected in this import. */
async function rejectedParentsOf(
  tx: Tx,
  ref: BatchRef,
  links: PlannedLinks,
  { pendingParents, rejectedParents = [] }: ChunkStructure,
): Promise<ReadonlySet<string>> {
  const pending = new Set(pendingParents);
  const parents = new Set<string>();
  for (let place = 0; place < links.count; place++)
    if (pending.has(links.firstIndexes[place] as number)) parents.add(guidAt(links.parents, place));
  // The chunk of a parent that the structure pass refuses may not be written yet.
  return new Set([...rejectedParents, ...(await rejectedAmong(tx, ref, [...parents]))]);
}

/** Places of the links to make: those of an entity that a committed plan no longer fits, or that has no room now, are not. */
async function standingLinks(
  tx: Tx,
  ref: BatchRef,
  chunk: ClaimedChunk,
  { links, structure }: { links: PlannedLinks; structure: ChunkStructure },
  stale: ReadonlySet<number>,
): Promise<number[]> {
  if (stale.size === 0) return structure.links;
  const standing = structure.links.filter((place) => !stale.has(links.firstIndexes[place] as number));
  await tx.query(saveStructure, [...pair(ref), chunk.ordinal, serialize({ ...structure, links: standing })]);
  return standing;
}

function planOf(chunk: ClaimedChunk): ChunkPlan {
  if (chunk.plan === null) throw new Error('A chunk that is to be written or linked has no plan');
  return deserialize(chunk.plan) as ChunkPlan;
}

/** Elements to be written: what the plan left, and all elements of any entity that the structure concerns. */
function dueIndexes(plan: ChunkPlan, structure: ChunkStructure): Set<number> {
  const due = new Set<number>(plan.pending);
  const { cycles, pendingParents, relinked, revise, keptLinks = [], removals } = structure;
  const concerned = [cycles, pendingParents, relinked, revise, keptLinks, removals?.indexes ?? []];
  for (const indexes of concerned) for (const index of indexes) due.add(index);
  for (const group of plan.groups) {
    if (group.some((index) => due.has(index))) for (const index of group) due.add(index);
  }
  return due;
}
