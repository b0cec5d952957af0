/** The input and the outcome of writing the entities of a chunk. */
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import type { WantedPlace } from '../chunk/place-locations.ts';
import type { SyncResult } from '../elements/sync-result.ts';
import type { ComparedEntity } from '../plan/compare-elements.ts';
import type { NotedLinks } from '../plan/report-results.ts';

/** In which batch, and whether it only says what it would do. */
export interface WriteContext {
  actorId: string;
  dryRun: boolean;
  /** The versions that the check of a committed plan saw, by GUID (0: not stored). */
  checkedVersions: ReadonlyMap<string, number> | null;
  /** The entities, where they are locked and compared already. */
  compared?: readonly ComparedEntity[] | undefined;
  /**
   * GUIDs that were not stored when the chunk was planned: they are not looked for again. Where somebody has created one
   * meanwhile the insert fails, and the work runs again without this.
   */
  absent?: ReadonlySet<string> | undefined;
  /** Numbers of the elements that stored entities have, where that was asked when the chunk was planned. */
  takenNumbers?: ReadonlySet<string> | null | undefined;
  /** Places of elements whose number is taken, where that was decided for the whole batch (see planned-numbers.ts). */
  decidedNumbers?: readonly number[] | null | undefined;
  /** GUIDs of elements that were rejected in this import, among the parents that are waited for. */
  rejectedParents: ReadonlySet<string>;
  /** Gets the places that the entities written ask for (see place-locations.ts). */
  places: WantedPlace[];
  /** Told of what became of some of the entities, which are not held any longer than that. */
  tell(results: readonly SyncResult[], changes: readonly WrittenChange[]): Promise<void>;
}

/** The change of one entity of the chunk. */
export interface WrittenChange {
  kind: 'created' | 'updated';
  entity: ComparedEntity;
  /** The id of the entity; null for a new one in a dry run. */
  id: string | null;
  number: string | null;
  /** Only its place is to change, which may be refused. The step that changes places reports it. */
  isOnlyMoved?: boolean;
}

export interface ChunkOutcome {
  /** Results of new entities, then of all others, each in the order of the GUIDs. */
  results: SyncResult[];
  /** For events: what is new in the order in which it was sent, all else in the order of the GUIDs. */
  changes: WrittenChange[];
}

/** The input and the outcome of writing the entities of a chunk. */
export interface ChunkWriting extends WriteContext {
  configuration: WorkspaceConfiguration;
  noted: NotedLinks;
  outcome: ChunkOutcome;
}

/** Adds results one by one: an entity may have a hundred thousand elements, more than a call takes arguments. */
export function add({ results }: ChunkOutcome, more: readonly SyncResult[]): void {
  for (const result of more) results.push(result);
}

/** Notes the place that an entity asks for, if it asks for another one than it has. */
export function notePlace(
  { places }: WriteContext,
  { guid, place, carrier, stored }: ComparedEntity,
  isOnlyMoved: boolean,
): void {
  if (place === null) return;
  places.push({
    index: carrier.element.index,
    guid,
    parentGuid: place.to,
    isNew: stored === null,
    isOnlyMoved,
  });
}
