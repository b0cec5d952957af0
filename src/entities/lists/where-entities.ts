/**
 * Searches by the values of properties: with conditions, or sorted by a property. What is filterable has an index; of the rest a window
 * of entities is looked through, after which a page may end short.
 */
import { loadConfiguration } from '../../configuration/current/read-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import {
  type CompiledConditions,
  compileConditions,
  type IndexRanges,
  readIndexes,
  type ValueIndex,
} from '../conditions/compile-conditions.ts';
import { type EntityQuery, PROPERTY_SORT } from '../entities.schema.ts';
import { scopeOfSearch } from './scope-of-search.ts';
import { preferIndexOrder } from './search-entities.sql.ts';
import { hasTrigram, withNumberSought } from './search-patterns.ts';
import { pageOfKeys, SORTED_MAX, type SortedPage, type SortKey } from './sort-entities.ts';
import { type CandidateSource, type OrderKey, sortCandidates, walkInOrder } from './where-entities.sql.ts';

/** Rows of a window; the first is small, because what fits is often common. */
const NEAR_ROWS = 500;
const WINDOW_ROWS = 6000;
/** Candidates of an index that are looked at and sorted. */
const CANDIDATES_MAX = 10_000;
const HITS_MAX = 5000;

export type WhereQuery = Pick<
  EntityQuery,
  'category' | 'state' | 'role' | 'number' | 'q' | 'archived' | 'where' | 'order' | 'limit'
> & {
  sort: Exclude<EntityQuery['sort'], 'best'>;
};

/** Tells whether a search goes by the values of properties. */
export function isByProperties({ where, sort }: Pick<EntityQuery, 'where' | 'sort'>): boolean {
  return (where?.length ?? 0) > 0 || sort.startsWith(PROPERTY_SORT);
}

interface Found {
  walked: number;
  last?: SortKey | null;
  page: SortKey[];
}

interface Sorting {
  by: OrderKey;
  key: string | null;
  /** The index of the property; null if it has none that is filled. */
  index: ValueIndex | null;
}

/** At most `limit` entities behind the key. Throws `invalid_condition`, `unknown_property`, `too_many_to_sort`. */
export async function whereEntities(tx: Tx, given: WhereQuery, after: SortKey | null): Promise<SortedPage> {
  const conditions = await compileConditions(tx, given.where ?? []);
  const sorting = await sortingOf(tx, given.sort);
  const query = withNumberSought(given);
  if (query === null) return { entities: [], after: null };
  const { limit, order, q, number } = query;
  await tx.query(preferIndexOrder);
  const scope = await scopeOfSearch(tx, query);
  if (scope === null) return { entities: [], after: null };
  const run = async (sql: string, rows: number, from: IndexRanges | null = null): Promise<Found> => {
    const [found] = await tx.query<Found>(sql, [
      tx.workspaceId,
      rows,
      limit + 1,
      scope.categories,
      scope.states,
      q ?? null,
      number ?? null,
      after !== null,
      after?.[1] ?? null,
      after?.[0] ?? null,
      query.archived,
      ...parametersOf(conditions),
      sorting.key,
      sorting.index?.number ?? null,
      from?.index.number ?? null,
      from?.lows ?? null,
      from?.highs ?? null,
    ]);
    return found as Found;
  };
  const isWalkable = sorting.key === null || sorting.index !== null;
  const walk = isWalkable ? walkInOrder(sorting.by, order) : null;
  if (walk !== null && number === undefined) {
    const rows = Math.max(NEAR_ROWS, limit + 1);
    const near = await run(walk, rows);
    if (near.page.length > limit || near.walked < rows) return pageOfKeys(tx, near.page, limit, null);
  }
  for (const { source, max, from } of sourcesOf(query, scope, conditions)) {
    const few = await run(sortCandidates(source, sorting.by, order), max + 1, from);
    if (few.walked <= max) return pageOfKeys(tx, few.page, limit, null);
  }
  if (walk === null) throw tooMany(sorting);
  const many = await run(walk, WINDOW_ROWS);
  return pageOfKeys(tx, many.page, limit, many.walked === WINDOW_ROWS ? (many.last ?? null) : null);
}

/** $12 to $14 of the statements. */
export function parametersOf({ path, has }: CompiledConditions): unknown[] {
  return [path, has?.keys ?? null, has?.patterns ?? null];
}

async function sortingOf(tx: Tx, sort: WhereQuery['sort']): Promise<Sorting> {
  if (!sort.startsWith(PROPERTY_SORT)) return { by: sort as OrderKey, key: null, index: null };
  const key = sort.slice(PROPERTY_SORT.length);
  const { properties } = await loadConfiguration(tx);
  const definition = properties.get(key);
  if (definition === undefined) {
    const message = `The workspace defines no property ${JSON.stringify(key)}.`;
    throw new AppError('unknown_property', {
      detail: message,
      errors: [{ pointer: '/sort', in: 'query', code: 'unknown_property', message }],
    });
  }
  const by = definition.type === 'numeric' ? 'propertyNumber' : 'propertyText';
  return { by, key, index: (await readIndexes(tx, [key])).get(key) ?? null };
}

/** Returns the sources where few may be found, the likeliest first. */
export function sourcesOf(
  { number, q }: Pick<WhereQuery, 'number' | 'q'>,
  { categories, states }: { categories: string[] | null; states: string[] | null },
  { ranges }: CompiledConditions,
): { source: CandidateSource; max: number; from: IndexRanges | null }[] {
  const of = (source: CandidateSource, max: number, from: IndexRanges | null = null) => ({
    source,
    max,
    from,
  });
  if (number !== undefined) return [of('number', SORTED_MAX)];
  return [
    ...ranges.map((one) => of(one.index.kind === 'number' ? 'numbers' : 'words', CANDIDATES_MAX, one)),
    ...(q !== undefined && hasTrigram(q) ? [of('text', HITS_MAX)] : []),
    ...(categories === null ? [] : [of(states === null ? 'categories' : 'states', CANDIDATES_MAX)]),
    of('all', CANDIDATES_MAX),
  ];
}

function tooMany({ key, by }: Sorting): AppError {
  const detail =
    key === null
      ? `More than ${CANDIDATES_MAX} entities may fit. By ${by} so many are not sorted. Narrow them down, or sort by number.`
      : `More than ${CANDIDATES_MAX} entities may fit. By ${JSON.stringify(key)} so many are not sorted, because its values are not indexed. Make its definition filterable, or narrow them down.`;
  return new AppError('too_many_to_sort', { detail, extensions: { max: CANDIDATES_MAX } });
}
