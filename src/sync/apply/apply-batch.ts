/**
 * All passes over a batch of one chunk within one transaction: what most calls send. Statements that need nothing of each
 * other are sent together, so that ten entities cost a few round trips.
 */
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import { markPropertiesUsed } from '../../configuration/current/mark-properties-used.ts';
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { lockStructure } from '../../entities/links/lock-structure.ts';
import { type ContextType, listenedTo } from '../../events/record-events.ts';
import type { ClaimedChunk } from '../chunk/claim-chunk.ts';
import { warnOfFields } from '../chunk/misspelled-fields.ts';
import { notePlaced, placeLocations, type WantedPlace } from '../chunk/place-locations.ts';
import type { BatchRef } from '../chunk/thread-context.ts';
import type { PreparedElements, RefusedLinks } from '../elements/prepare-elements.ts';
import type { SyncResult } from '../elements/sync-result.ts';
import { GuidList } from '../graph/guid-bytes.ts';
import { anyLinkWaits, insertLinks, linkChunk } from '../link/link-chunk.ts';
import { unlinkChildren } from '../link/unlink-children.ts';
import { lockBasis, requireBasis } from '../plan/committed-plan.ts';
import { noneUnchanged, type UnchangedElements } from '../plan/find-unchanged.ts';
import { type PlannedChunk, planChunk } from '../plan/plan-chunk.ts';
import { linkFlags, type PlannedLinks, wantedLinks } from '../plan/planned-links.ts';
import {
  type ChunkStructure,
  type NamesAt,
  refusedLinks,
  StructurePlanner,
} from '../structure/plan-structure.ts';
import { noStructure } from '../write/write-chunk.ts';
import { propertyKeys, writeElements } from '../write/write-elements.ts';
import { writeSupplierParts } from '../write/write-supplier-parts.ts';

export type WholeChunk = Pick<ClaimedChunk, 'ordinal' | 'submitted_by' | 'dry_run' | 'commit_of' | 'exact'>;

/** The elements, without those whose links close a cycle. */
export type Prepare = (
  configuration: WorkspaceConfiguration,
  cycles: RefusedLinks | null,
) => Promise<PreparedElements>;

/** Prepares the elements that have changed, and returns what is known of the unchanged ones. */
export type PrepareChanged = (
  configuration: WorkspaceConfiguration,
) => Promise<{ elements: PreparedElements; unchanged: UnchangedElements }>;

export interface AppliedBatch {
  /** In no order. */
  results: SyncResult[];
  /** The basis of the plan; null unless the batch is a dry run. */
  basis: Buffer | null;
}

/** A chunk that is to be applied, with everything that its plan rests on locked unless it is a dry run. */
export interface OpenedBatch {
  configuration: WorkspaceConfiguration;
  listened: ReadonlySet<ContextType>;
  elements: PreparedElements;
  planned: PlannedChunk;
  /** Unchanged elements, which are not among the planned ones. */
  unchanged: UnchangedElements;
  /** Whether links wait for a parent. The structure lock is held where they do or where elements name parents. */
  linksWait: boolean;
}

/**
 * Opens a batch in the worker. Takes the configuration lock, the structure lock where links are concerned, then rows by GUID. With
 * `prepareChanged` elements that are the same word for word as before are neither parsed nor locked.
 */
export async function openBatch(
  tx: Tx,
  ref: BatchRef,
  chunk: WholeChunk,
  prepare: Prepare,
  prepareChanged: PrepareChanged | null,
): Promise<OpenedBatch> {
  const { dry_run: dryRun, commit_of: commitOf, exact } = chunk;
  const [configuration, listened, linksWaited] = await Promise.all([
    configurationForWriting(tx),
    listenedTo(tx),
    anyLinkWaits(tx),
  ]);
  const { elements, unchanged } = await prepareFirst(configuration, prepare, prepareChanged);
  // Before any row is locked: a transaction that has locked rows must not wait for this lock.
  const asking =
    !dryRun && (isLinked(elements) || linksWaited || exact) ? underStructureLock(tx) : linksWaited;
  if (commitOf !== null) {
    await asking;
    // Locked, what the plan rests on stays as it is.
    await markPropertiesUsed(tx, configuration, propertyKeys(elements, configuration));
    await lockBasis(tx, elements.entities);
  }
  // The same order as in every write: properties before entities.
  const marking = dryRun
    ? null
    : markPropertiesUsed(tx, configuration, propertyKeys(elements, configuration));
  const planning = planChunk(tx, elements, { configuration, lock: !dryRun, isWhole: true, unchanged });
  const [planned, linksWait] = await Promise.all([planning, asking, marking]);
  await requireBasis(tx, ref, chunk, planned);
  return { configuration, listened, elements, planned, unchanged, linksWait };
}

async function prepareFirst(
  configuration: WorkspaceConfiguration,
  prepare: Prepare,
  prepareChanged: PrepareChanged | null,
): Promise<{ elements: PreparedElements; unchanged: UnchangedElements }> {
  const unlike = prepareChanged === null ? null : await prepareChanged(configuration);
  // A writer of a link holds both of its ends, but entities that were sent before are not locked.
  if (unlike !== null && unlike.unchanged.links.length === 0) return unlike;
  return { elements: await prepare(configuration, null), unchanged: noneUnchanged };
}

/** Makes all passes behind the plan, inline and in the worker alike. */
export async function applyBatch(
  tx: Tx,
  ref: BatchRef,
  chunk: WholeChunk,
  prepare: Prepare,
  { configuration, listened, elements: planElements, planned, unchanged, linksWait }: OpenedBatch,
): Promise<AppliedBatch> {
  const { dry_run: dryRun, exact, commit_of: commitOf } = chunk;
  let elements = planElements;
  let structure: ChunkStructure = noStructure;
  /** The elements are those that were planned. */
  let isPlanned = true;
  if (isLinked(elements) || dryRun || commitOf !== null || exact) {
    const planner = new StructurePlanner(namesAmong(elements));
    planner.add({ chunk: chunk.ordinal, ...planned.plan });
    for await (const [, whole] of planner.plan(tx, linksWait)) structure = whole;
    // Of an element that is refused for its link the data are not taken either: the next one with its GUID carries them.
    isPlanned = structure.cycles.length === 0 && !isConcerned(unchanged, structure);
    if (!isPlanned) elements = await prepare(configuration, refusedLinks(structure));
  }
  const { links } = planned.plan;
  const places: WantedPlace[] = [];
  const results = await writeElements(tx, ref, chunk, elements, {
    configuration,
    structure,
    links,
    checked: null,
    compared: isPlanned ? planned.compared : undefined,
    takenNumbers: isPlanned ? planned.takenNumbers : null,
    listened,
    places,
  });
  if (places.length > 0) {
    const created = new Set(
      results.flatMap(({ result, guid }) => (result === 'created' ? (guid ?? []) : [])),
    );
    const placing = { actorId: chunk.submitted_by, batchId: ref.batchId, dryRun, created };
    notePlaced(results, places, await placeLocations(tx, placing, places));
  }
  warnOfFields(results, Object.fromEntries(elements.misspelled));
  if (dryRun) {
    await writeSupplierParts(tx, chunk, elements, configuration, results);
    return { results, basis: planned.basis };
  }
  const { removals } = structure;
  if (removals !== undefined)
    await unlinkChildren(tx, chunk.submitted_by, removals, new Set(), configuration);
  const created = new GuidList();
  if (linksWait)
    for (const { result, guid } of results) if (result === 'created') created.push(guid as string);
  const wanted = wantedLinks(links, structure.links);
  if (created.bytes.length === 0 && isPlain(structure, links)) insertLinks(tx, wanted, results);
  else
    await linkChunk(
      tx,
      chunk.submitted_by,
      { links: wanted, areAsPlanned: false },
      created.bytes,
      configuration,
    );
  await writeSupplierParts(tx, chunk, elements, configuration, results);
  if (isPlanned) for (const result of unchanged.results) results.push(result);
  return { results, basis: null };
}

/** Returns the numbers of elements, by their places. */
function namesAmong({ entities }: PreparedElements): NamesAt {
  return async (places) => {
    const names = new Map<number, string>();
    for (const wanted of places.values()) {
      for (const { carrier, others } of entities) {
        const { index, number } = carrier.element;
        if (wanted.has(index)) names.set(index, number);
        for (const other of others) if (wanted.has(other.index)) names.set(other.index, other.number);
      }
    }
    return names;
  };
}

/** Whether one that was sent before is to be written none the less: a released one has another child. */
function isConcerned({ held }: UnchangedElements, { revise }: ChunkStructure): boolean {
  const revised = new Set(revise);
  return held.some(({ index }) => revised.has(index));
}

/** Whether all parents of the links to make are there, and none of them is released: then they are only inserted. */
function isPlain(
  { cycles, pendingParents, removals, links: places }: ChunkStructure,
  { flags }: PlannedLinks,
): boolean {
  if (cycles.length > 0 || pendingParents.length > 0 || removals !== undefined) return false;
  return places.every((place) => ((flags[place] as number) & linkFlags.parentReleased) === 0);
}

/** Whether any link waits, as it stays while the lock is held. */
export async function underStructureLock(tx: Tx): Promise<boolean> {
  const locking = lockStructure(tx);
  const asking = anyLinkWaits(tx);
  const [anyWaits] = await Promise.all([asking, locking]);
  return anyWaits;
}

/** Whether an element says something of the structure, or of the tree of locations. */
export function isLinked({ entities }: PreparedElements): boolean {
  return entities.some(
    ({ carrier, others }) =>
      carrier.element.parentGuid !== null ||
      carrier.element.parentLocation !== undefined ||
      others.some(({ parentGuid }) => parentGuid !== null),
  );
}
