/** Writes elements that all is decided of: marks the properties, writes the entities, records the events. */
import { markPropertiesUsed } from '../../configuration/current/mark-properties-used.ts';
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import { setActor } from '../../db/acting.ts';
import type { Tx } from '../../db/transaction.ts';
import { type ContextType, listenedTo, recordEvents } from '../../events/record-events.ts';
import type { ClaimedChunk } from '../chunk/claim-chunk.ts';
import type { WantedPlace } from '../chunk/place-locations.ts';
import type { BatchRef } from '../chunk/thread-context.ts';
import type { PreparedElements } from '../elements/prepare-elements.ts';
import type { SyncResult } from '../elements/sync-result.ts';
import type { ComparedEntity } from '../plan/compare-elements.ts';
import { defaultKeys } from '../plan/complete-values.ts';
import type { PlannedLinks } from '../plan/planned-links.ts';
import type { ChunkStructure } from '../structure/plan-structure.ts';
import type { WriteContext, WrittenChange } from './chunk-writing.ts';
import { reportPlan } from './report-plan.ts';
import { writeChunk } from './write-chunk.ts';

/** Decisions that are made before a chunk is written. */
export interface DecidedChunk {
  configuration: WorkspaceConfiguration;
  structure: ChunkStructure;
  /** The planned links; null where no element has one. */
  links: PlannedLinks | null;
  /** The versions that `checkedVersions` returned. */
  checked: ReadonlyMap<string, number> | null;
  /** See `WriteContext`. */
  compared?: readonly ComparedEntity[] | undefined;
  absent?: ReadonlySet<string> | undefined;
  takenNumbers?: ReadonlySet<string> | null | undefined;
  decidedNumbers?: readonly number[] | null;
  rejectedParents?: ReadonlySet<string>;
  /** Gets the places that the written entities ask for. */
  places: WantedPlace[];
  /** The events that somebody listens to, where that has been asked. */
  listened?: ReadonlySet<ContextType>;
}

/** Returns the results. In a dry run they say what would be written, and nothing is. */
export async function writeElements(
  tx: Tx,
  ref: BatchRef,
  chunk: Pick<ClaimedChunk, 'submitted_by' | 'dry_run'>,
  elements: PreparedElements,
  {
    configuration,
    structure,
    links,
    checked,
    compared,
    absent,
    listened,
    takenNumbers,
    decidedNumbers,
    rejectedParents,
    places,
  }: DecidedChunk,
): Promise<SyncResult[]> {
  const { submitted_by: actorId, dry_run: dryRun } = chunk;
  setActor(tx, actorId);
  const tell: WriteContext['tell'] = async (some, changes) => {
    if (dryRun) reportPlan(some, changes, null, []);
    else if (changes.length > 0) await recordChanges(tx, ref, changes, listened ?? (await listenedTo(tx)));
  };
  const context = {
    actorId,
    dryRun,
    checkedVersions: checked,
    compared,
    absent,
    takenNumbers,
    decidedNumbers,
    rejectedParents: rejectedParents ?? rejectedAmong(elements),
    places,
    tell,
  };
  if (!dryRun) await markPropertiesUsed(tx, configuration, propertyKeys(elements, configuration));
  const results = await writeChunk(tx, context, elements, structure, configuration);
  if (dryRun) reportPlan(results, [], links, structure.links, structure.removals);
  return results;
}

function rejectedAmong({ refused }: PreparedElements): ReadonlySet<string> {
  return new Set(refused.flatMap(({ guid }) => (guid === null ? [] : [guid])));
}

/** Returns the properties that may be written: sent ones, and defaults of the categories that are sent. */
export function propertyKeys(
  { entities }: PreparedElements,
  configuration: WorkspaceConfiguration,
): Set<string> {
  const keys = new Set<string>();
  const categories = new Set<string>();
  let last: readonly string[] = [];
  for (const { carrier } of entities) {
    const own = carrier.properties.keys;
    categories.add(carrier.element.categoryKey);
    // Most have the very same list.
    if (own !== last) for (const key of own) keys.add(key);
    last = own;
  }
  for (const key of defaultKeys(configuration, categories)) keys.add(key);
  return keys;
}

/** Records one event for each created and each updated result (contract §2.5, §5.4). */
async function recordChanges(
  tx: Tx,
  { batchId }: BatchRef,
  changes: readonly WrittenChange[],
  listened: ReadonlySet<ContextType>,
): Promise<void> {
  if (changes.length === 0) return;
  if (!listened.has('entityCreated') && !listened.has('entityUpdated')) return;
  const workspaceSlug = await slugOf(tx);
  const subject = ({ entity, id, number }: WrittenChange) => ({
    entityId: id,
    entityNumber: number,
    entityGuid: entity.guid,
    categoryKey: entity.stored?.category ?? entity.carrier.element.categoryKey,
    workspaceSlug,
    batchId,
  });
  if (listened.has('entityCreated')) {
    const created = changes.filter((change) => change.kind === 'created').map(subject);
    await recordEvents(tx, 'entityCreated', created);
  }
  if (listened.has('entityUpdated')) {
    const updated = changes
      .filter(({ kind, isOnlyMoved }) => kind === 'updated' && isOnlyMoved !== true)
      .map((change) => ({
        ...subject(change),
        changes: change.entity.changes.map(({ property, from, to }) => ({ property, from, to })),
      }));
    await recordEvents(tx, 'entityUpdated', updated);
  }
}

async function slugOf(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ slug: string }>('select slug from workspace where id = $1', [
    tx.workspaceId,
  ]);
  return row?.slug ?? '';
}
