/**
 * Gives the locations of a batch their places in the tree, when all its entities are written: the parent of a location may come
 * behind it. A place that cannot be given is a warning of its element, and the rest of the element is taken.
 */
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import type { Tx } from '../../db/transaction.ts';
import { uuidArray } from '../../db/wire/array-parameter.ts';
import { lockStructure } from '../../entities/links/lock-structure.ts';
import { judgePlaces, LOCATION_LEVELS_MAX, type PlaceRefusal } from '../../entities/place-location.ts';
import { listeningSlug, recordEvents } from '../../events/record-events.ts';
import {
  locationPending,
  locationRefused,
  type SyncResult,
  type SyncWarning,
} from '../elements/sync-result.ts';
import { placeEntities, selectPlaceable } from './place-locations.sql.ts';

/** Bounds the time at the end of a batch. */
const PLACES_MAX = 20_000;

/** The place that an element asks for, other than the one that its entity has. */
export interface WantedPlace {
  /** Place in the payload of the element. */
  index: number;
  guid: string;
  /** The GUID of the location around; null takes it out of the one that it lies in. */
  parentGuid: string | null;
  /** The batch creates the entity. */
  isNew: boolean;
  /** The element changes nothing else. */
  isOnlyMoved: boolean;
}

interface Placing {
  actorId: string;
  batchId: string;
  dryRun: boolean;
  /** GUIDs of entities that a dry run would create. */
  created: ReadonlySet<string>;
}

interface Placeable {
  guid: string;
  id: string;
  parent_location_id: string | null;
  is_location: boolean;
  category: string;
}

/** An element with the ids of its location and of its new parent; a location that a dry run would create has its GUID. */
interface Found {
  want: WantedPlace;
  location: string;
  parent: string | null;
  before: string | null;
}

/**
 * Returns the warnings by the places of the elements in the payload. Takes the configuration lock and the structure lock, unless it is
 * a dry run: call it before rows of entities are locked, or with both.
 */
export async function placeLocations(
  tx: Tx,
  { actorId, batchId, dryRun, created }: Placing,
  wanted: readonly WantedPlace[],
): Promise<Map<number, SyncWarning>> {
  const warnings = new Map<number, SyncWarning>();
  await configurationForWriting(tx);
  if (!dryRun) await lockStructure(tx);
  const sorted = wanted.toSorted((a, b) => a.index - b.index);
  for (const { index } of sorted.slice(PLACES_MAX)) warnings.set(index, tooMany);
  const found = await findPlaces(tx, sorted.slice(0, PLACES_MAX), dryRun ? created : noGuids, warnings);
  const refused = await judgePlaces(tx, found);
  const places = found.filter(({ want, location }) => {
    const why = refused.get(location);
    if (why !== undefined) warnings.set(want.index, locationRefused(reasonOf(why, want)));
    return why === undefined;
  });
  if (!dryRun) await place(tx, { actorId, batchId }, places);
  return warnings;
}

/** Returns the places whose ends are locations of the workspace, and that are not given already. */
async function findPlaces(
  tx: Tx,
  wanted: readonly WantedPlace[],
  created: ReadonlySet<string>,
  warnings: Map<number, SyncWarning>,
): Promise<Found[]> {
  const guids = new Set(wanted.flatMap(({ guid, parentGuid }) => [guid, parentGuid ?? guid]));
  const rows = await tx.query<Placeable>(selectPlaceable, [tx.workspaceId, uuidArray([...guids])]);
  const stored = new Map(rows.map((row) => [row.guid, row]));
  return wanted.flatMap((want): Found[] => {
    const { index, guid, parentGuid } = want;
    const own = stored.get(guid);
    // It was refused after it was planned.
    if (own === undefined && !created.has(guid)) return [];
    const around = parentGuid === null ? null : stored.get(parentGuid);
    const other = [own, around].find((row) => row?.is_location === false);
    if (other !== undefined) {
      const message = `The place was not taken: the entity ${other?.guid} is of category ${JSON.stringify(other?.category)}, which is not for locations.`;
      warnings.set(index, locationRefused(message));
      return [];
    }
    if (around === undefined && !created.has(parentGuid as string)) {
      warnings.set(index, locationPending(parentGuid as string));
      return [];
    }
    const before = own?.parent_location_id ?? null;
    const parent = parentGuid === null ? null : (around?.id ?? parentGuid);
    return parent === before ? [] : [{ want, location: own?.id ?? guid, parent, before }];
  });
}

async function place(
  tx: Tx,
  { actorId, batchId }: Pick<Placing, 'actorId' | 'batchId'>,
  places: readonly Found[],
): Promise<void> {
  if (places.length === 0) return;
  const ordered = places.toSorted((a, b) => (a.location < b.location ? -1 : 1));
  const moved = await tx.query<{
    id: string;
    versionId: string;
    guid: string;
    number: string | null;
    category: string;
  }>(placeEntities, [
    tx.workspaceId,
    uuidArray(ordered.map(({ location }) => location)),
    ordered.map(({ parent }) => parent),
    ordered.map(({ want }) => !want.isNew),
    actorId,
  ]);
  const workspaceSlug = await listeningSlug(tx, 'entityUpdated');
  if (workspaceSlug === null) return;
  const found = new Map(ordered.map((one) => [one.location, one]));
  const events = moved.flatMap(({ id, guid, number, category }) => {
    const { want, before, parent } = found.get(id) as Found;
    if (want.isNew) return [];
    return [
      {
        entityId: id,
        entityNumber: number,
        entityGuid: guid,
        categoryKey: category,
        workspaceSlug,
        batchId,
        changes: [{ property: 'parentLocation', from: before, to: parent }],
      },
    ];
  });
  await recordEvents(tx, 'entityUpdated', events);
}

/** Adds the warnings to the results. An element that was to change nothing but its place is skipped where it keeps it. */
export function notePlaced(
  results: readonly SyncResult[],
  wanted: readonly WantedPlace[],
  warnings: ReadonlyMap<number, SyncWarning>,
): void {
  if (warnings.size === 0) return;
  const onlyMoved = new Set(wanted.flatMap(({ index, isOnlyMoved }) => (isOnlyMoved ? [index] : [])));
  for (const result of results) {
    const warning = warnings.get(result.index);
    if (warning === undefined || result.result === 'error') continue;
    const { warnings: said = [] } = result;
    if (!said.some(({ code }) => code === warning.code)) result.warnings = [...said, warning];
    if (onlyMoved.has(result.index) && result.result === 'updated') result.result = 'skipped';
    const changes = result.changes?.filter(({ field }) => field !== 'parentLocation');
    if (changes !== undefined) result.changes = changes;
  }
}

const noGuids: ReadonlySet<string> = new Set();
const tooMany = locationRefused(
  `A batch places ${PLACES_MAX} locations at most: send this one again in another batch.`,
);

function reasonOf(why: PlaceRefusal, { parentGuid }: WantedPlace): string {
  if (why === 'cycle')
    return `The place was not taken: ${parentGuid} is this location or lies in it, and a location cannot lie in itself.`;
  return `The place was not taken: the tree of locations would have more than the ${LOCATION_LEVELS_MAX} levels that it may have.`;
}
