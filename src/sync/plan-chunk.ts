/**
 * First pass over a chunk: what does each element ask for? Nothing is written, so that cycles and released
 * parents are known before any data is, and a chunk in which nothing differs is finished here.
 */
import type { WorkspaceConfiguration } from '../configuration/load-configuration.ts';
import type { Tx } from '../db/transaction.ts';
import { type ComparedEntity, compareElements } from './compare-elements.ts';
import { compareLinks, type PlannedLink } from './compare-links.ts';
import type { PreparedElements } from './prepare-elements.ts';
import { unchangedResults } from './report-results.ts';
import type { SyncResult } from './sync-result.ts';

export interface ChunkPlan {
  /** GUIDs that are not stored yet, each with the number of elements that could carry it. */
  newGuids: Map<string, number>;
  /**
   * Released entities whose data do not change, each with its carrier's place in the payload: they get a
   * revision when their structure changes.
   */
  heldGuids: Map<string, number>;
  links: PlannedLink[];
  /** Places in the payload of the elements that are still to be written. */
  pending: number[];
  /** Places of elements that share a GUID, for each GUID that stands in the payload more than once. */
  groups: number[][];
  /** Results that the first pass could settle. */
  settled: SyncResult[];
}

export async function planChunk(
  tx: Tx,
  workspaceId: string,
  { prepared, refused }: PreparedElements,
  configuration: WorkspaceConfiguration,
): Promise<ChunkPlan> {
  const compared = await compareElements(tx, workspaceId, prepared, configuration, false);
  const links = await compareLinks(tx, workspaceId, compared, configuration);
  const plan: ChunkPlan = {
    newGuids: new Map(),
    heldGuids: new Map(),
    links,
    pending: [],
    groups: [],
    settled: [...refused],
  };
  for (const entity of compared) {
    if (entity.others.length > 0) plan.groups.push(indexesOf(entity));
    if (entity.stored === null) plan.newGuids.set(entity.guid, 1 + entity.others.length);
    if (entity.stored === null || entity.changes.length > 0) {
      plan.pending.push(...indexesOf(entity));
      continue;
    }
    if (entity.stored.released) plan.heldGuids.set(entity.guid, entity.carrier.element.index);
    plan.settled.push(...unchangedResults(entity));
  }
  return plan;
}

/** Places in the payload of all elements of one entity. */
export function indexesOf(entity: ComparedEntity): number[] {
  return [entity.carrier.element.index, ...entity.others.map((other) => other.element.element.index)];
}
