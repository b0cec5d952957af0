/** Decides whether locations may lie in others: one that a person changes, or thousands of an import. */
import type { WorkspaceConfiguration } from '../configuration/current/workspace-configuration.ts';
import { newId } from '../db/ids.ts';
import type { Tx } from '../db/transaction.ts';
import { uuidArray } from '../db/wire/array-parameter.ts';
import { type AppError, type ErrorCode, fieldError } from '../errors.ts';
import { heightsOf, parentsAround, selectRole } from './locations.sql.ts';
import { type EntityRef, noEntity, resolveEntityIds } from './resolve-entity.ts';

const roles: ReadonlySet<string> = new Set(['location', 'itemAndLocation']);

interface Place {
  id: string;
  number: string | null;
  name: string;
  category: string;
  role: string;
  is_archived: boolean;
}

/**
 * Returns the id of the parent, or null where the location is to lie in none. `id` is null for a location that is being created. The
 * structure lock is held. Throws `entity_not_found`, `not_a_location`, `entity_archived`, `cycle`, `tree_too_large`.
 */
export async function requireParentLocation(
  tx: Tx,
  { categories }: WorkspaceConfiguration,
  { id, category }: { id: string | null; category: string },
  parent: EntityRef | null,
): Promise<string | null> {
  if (parent === null) return null;
  if (!roles.has(categories.get(category)?.role ?? ''))
    throw refusal(
      'not_a_location',
      `Entities of category "${category}" are not locations: only a location lies in another one.`,
    );
  const parentId = (await resolveEntityIds(tx, [parent])).get(parent);
  const [place] = parentId === undefined ? [] : await tx.query<Place>(selectRole, [tx.workspaceId, parentId]);
  if (place === undefined) throw refusal('entity_not_found', noEntity(parent));
  const name = place.number ?? place.name;
  if (!roles.has(place.role))
    throw refusal(
      'not_a_location',
      `${name} is of category "${place.category}", which is not for locations.`,
    );
  if (place.is_archived) throw refusal('entity_archived', `${name} is archived. Unarchive it first.`);
  const location = id ?? newId();
  const refused = (await judgePlaces(tx, [{ location, parent: place.id }])).get(location);
  if (refused === 'cycle')
    throw refusal('cycle', `${name} is this location or lies in it: a location cannot lie in itself.`);
  if (refused === 'tree_too_large')
    throw refusal(
      'tree_too_large',
      `The tree of locations would have more than the ${LOCATION_LEVELS_MAX} levels that it may have.`,
    );
  return place.id;
}

function refusal(code: ErrorCode, message: string): AppError {
  return fieldError(code, '/parentLocation', message);
}

/** Levels of the tree of locations: warehouse, room, aisle, rack, shelf and bin are six. */
export const LOCATION_LEVELS_MAX = 20;
/** A refusal puts a location back to its old place, which may refuse another one. Beyond so many rounds all that are left are refused. */
const ROUNDS_MAX = 20;

export type PlaceRefusal = 'cycle' | 'tree_too_large';

/** A location and its new parent by their ids; a location that is not stored yet has any other id. */
export interface JudgedPlace {
  location: string;
  parent: string | null;
}

/**
 * Returns the locations that cannot get their new parents, with all others at theirs. Where several together would close a cycle, the
 * last of the list that is in it is refused. The structure lock is held.
 */
export async function judgePlaces(
  tx: Tx,
  places: readonly JudgedPlace[],
): Promise<Map<string, PlaceRefusal>> {
  const refused = new Map<string, PlaceRefusal>();
  if (places.length === 0) return refused;
  const moved = [...new Set(places.map(({ location }) => location))];
  const named = new Set([...moved, ...places.flatMap(({ parent }) => parent ?? [])]);
  const [edges, heights] = await Promise.all([
    tx.query<{ id: string; parent: string }>(parentsAround, [tx.workspaceId, uuidArray([...named])]),
    tx.query<{ id: string; height: number }>(heightsOf, [tx.workspaceId, uuidArray(moved)]),
  ]);
  const before = new Map(edges.map(({ id, parent }) => [id, parent]));
  const tree = new PlacedTree(before, new Map(heights.map(({ id, height }) => [id, height])), places);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const found = tree.findRefused();
    if (found.size === 0) return refused;
    for (const [location, why] of found) {
      refused.set(location, why);
      tree.putBack(location);
    }
  }
  for (const location of tree.moved) refused.set(location, 'cycle');
  return refused;
}

/** The tree with the locations at their new places. */
class PlacedTree {
  readonly #before: ReadonlyMap<string, string>;
  readonly #heights: ReadonlyMap<string, number>;
  readonly #parents: Map<string, string>;
  /** The place in the list of each location that is moved. */
  readonly #order: Map<string, number>;

  constructor(
    before: ReadonlyMap<string, string>,
    heights: ReadonlyMap<string, number>,
    places: readonly JudgedPlace[],
  ) {
    this.#before = before;
    this.#heights = heights;
    this.#parents = new Map(before);
    this.#order = new Map(places.map(({ location }, order) => [location, order]));
    for (const { location, parent } of places) {
      if (parent === null) this.#parents.delete(location);
      else this.#parents.set(location, parent);
    }
  }

  get moved(): Iterable<string> {
    return this.#order.keys();
  }

  putBack(location: string): void {
    this.#order.delete(location);
    const parent = this.#before.get(location);
    if (parent === undefined) this.#parents.delete(location);
    else this.#parents.set(location, parent);
  }

  /** Walks up once from each location that is moved; what lies above is remembered. */
  findRefused(): Map<string, PlaceRefusal> {
    const refused = new Map<string, PlaceRefusal>();
    /** Levels from the top down to a location; NaN in or below a cycle. */
    const levels = new Map<string, number>();
    for (const start of this.#order.keys()) {
      const way: string[] = [];
      const onWay = new Set<string>();
      let at: string | undefined = start;
      while (at !== undefined && !levels.has(at) && !onWay.has(at)) {
        way.push(at);
        onWay.add(at);
        at = this.#parents.get(at);
      }
      if (at !== undefined && onWay.has(at)) refused.set(this.#lastIn(way.slice(way.indexOf(at))), 'cycle');
      let level = at === undefined ? 0 : (levels.get(at) ?? Number.NaN);
      for (const location of way.reverse()) {
        level += 1;
        levels.set(location, level);
        const isTooDeep = level - 1 + (this.#heights.get(location) ?? 1) > LOCATION_LEVELS_MAX;
        if (isTooDeep && level > 1 && this.#order.has(location)) refused.set(location, 'tree_too_large');
      }
    }
    return refused;
  }

  /** A cycle has one that is moved, because there was none before. */
  #lastIn(cycle: readonly string[]): string {
    return cycle.reduce((a, b) => ((this.#order.get(a) ?? -1) > (this.#order.get(b) ?? -1) ? a : b));
  }
}
