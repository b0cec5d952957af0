/**
 * Writes a chunk where it is planned, so that it is read, checked and compared once, when nothing that its entities would
 * wait for can come from the other chunks. They wait for what the links of the whole batch say of them: whether one closes
 * a cycle, so that the element is not written, and whether a released parent needs a revision.
 *
 * A cycle goes only through entities below which something hangs. A new entity that no element names as its parent and that
 * no link waits for is at the end of every way, whatever else exists; its links are still made by the last pass, which looks
 * again where somebody has edited the structure.
 */
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { anyOutsideParent } from '../chunk/batch.sql.ts';
import type { ClaimedChunk } from '../chunk/claim-chunk.ts';
import { type BatchRef, pair } from '../chunk/thread-context.ts';
import type { PreparedElements, PreparedEntity } from '../elements/prepare-elements.ts';
import type { SyncResult } from '../elements/sync-result.ts';
import { guidsOf } from '../graph/guid-bytes.ts';
import { waitedForAmong } from '../link/link-chunk.ts';
import type { ChunkPlan } from '../plan/chunk-plan.ts';
import { type ComparedEntity, lockCompared } from '../plan/compare-elements.ts';
import { isNew, isRead } from '../plan/entity-columns.ts';
import type { PlannedChunk } from '../plan/plan-chunk.ts';
import { linkFlags, type PlannedLinks, withChildIds } from '../plan/planned-links.ts';
import type { ChunkStructure } from '../structure/plan-structure.ts';
import { noStructure } from '../write/write-chunk.ts';
import { writeElements } from '../write/write-elements.ts';
import { writeSupplierParts } from '../write/write-supplier-parts.ts';

interface Planned {
  elements: PreparedElements;
  configuration: WorkspaceConfiguration;
  planned: PlannedChunk;
}

export interface WrittenLeaves {
  /** Results of the entities that were written. */
  results: SyncResult[];
  /** The part of the plan that is left for later passes. */
  plan: ChunkPlan;
  /** The links of the plan, where the link pass is still to write them. */
  structure: ChunkStructure | null;
}

/** Writes the chunk in the plan pass. Returns null where the chunk has to wait or has nothing to write. */
export async function writeLeaves(
  tx: Tx,
  ref: BatchRef,
  chunk: ClaimedChunk,
  { elements, configuration, planned }: Planned,
): Promise<WrittenLeaves | null> {
  const { plan } = planned;
  // What is taken out of an entity of an exact batch is known when all chunks are planned.
  if (chunk.dry_run || chunk.commit_of !== null || chunk.exact || plan.pending.length === 0) return null;
  const createsOrLinks = plan.newGuids.length > 0 || plan.links.count > 0;
  if (createsOrLinks && !(chunk.leaves && areAllNew(plan))) return null;
  // Refused by the structure pass.
  if (plan.links.flags.some(isOutside)) return null;
  // They wait for the entities of the other chunks.
  if (planned.compared.some(asksForPlace)) return null;
  if (plan.links.flags.some(isOfMissingParent)) {
    const [outside] = await tx.query<{ any: boolean }>(anyOutsideParent, pair(ref));
    if (outside?.any !== false) return null;
  }
  if (createsOrLinks && (await waitedForAmong(tx, plan.newGuids)).length > 0) return null;
  // Changed since it was planned by: the write pass prepares the elements anew.
  if ((await configurationForWriting(tx)) !== configuration) return null;
  const pending = new Set(plan.pending);
  const entities = pendingOf(elements.entities, pending);
  const compared = pendingOf(planned.compared, pending);
  // What is new has no row to be locked. Where somebody has made one meanwhile the insert fails, and all runs again.
  const onlyNew = compared.every(isNew);
  const holds = onlyNew || (compared.every(isRead) && (await lockCompared(tx, compared)));
  const decided = {
    configuration,
    structure: noStructure,
    links: null,
    checked: null,
    // Where somebody has written one since, all are compared again.
    compared: holds ? compared : undefined,
    absent: holds ? undefined : new Set(guidsOf(plan.newGuids)),
    places: [],
  };
  const results = await writeElements(tx, ref, chunk, { ...elements, entities, refused: [] }, decided);
  await writeSupplierParts(tx, chunk, { entities }, configuration, results);
  const nothing = new Uint32Array(0);
  if (!createsOrLinks) return { results, plan: { ...plan, pending: nothing }, structure: null };
  return {
    results,
    plan: { ...linksOnly(withChildIds(plan.links, results)), isWritten: true },
    structure: plan.links.count === 0 ? null : { ...noStructure, links: [...plan.links.firstIndexes.keys()] },
  };
}

function pendingOf<Of extends PreparedEntity>(entities: readonly Of[], pending: ReadonlySet<number>): Of[] {
  const found: Of[] = [];
  for (let i = 0; i < entities.length; i++) {
    const entity = entities[i] as Of;
    if (pending.has(entity.carrier.element.index)) found.push(entity);
  }
  return found;
}

const asksForPlace = ({ place }: ComparedEntity) => place !== null;
const isOutside = (flags: number) => (flags & linkFlags.outside) !== 0;
const isOfMissingParent = (flags: number) => (flags & linkFlags.parentStored) === 0;
const isOfNew = (flags: number) => (flags & linkFlags.childStored) === 0;

/** Whether all links to make are those of entities that the chunk creates. */
function areAllNew({ links }: ChunkPlan): boolean {
  return links.flags.every(isOfNew);
}

/** No element names an entity of the chunk as its parent, so the structure pass needs only its links. */
function linksOnly(links: PlannedLinks): ChunkPlan {
  const [guids, places] = [new Uint8Array(0), new Uint32Array(0)];
  return {
    newGuids: guids,
    newCarriers: places,
    heldGuids: guids,
    heldIndexes: places,
    links,
    pending: places,
    groups: [],
  };
}
