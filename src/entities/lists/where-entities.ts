/**
 * Searches by the values of properties: with conditions, or sorted by a property. What is filterable has an index; of the rest a window
 * of entities is looked through, after which a page may end short.
 */
import { loadConfiguration } from '../../configuration/current/read-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { compileConditions, readIndexes } from '../conditions/compile-conditions.ts';
import { type EntityQuery, PROPERTY_SORT } from '../entities.schema.ts';
import { type SearchScope, scopeOfSearch } from './scope-of-search.ts';
import { preferIndexOrder } from './search-entities.sql.ts';
import { hasTrigram, withNumberSought } from './search-patterns.ts';
import type { Source } from './sort-entities.sql.ts';
import { pageOfKeys, SORTED_MAX, type SortedPage, type SortKey } from './sort-entities.ts';
import { beginSearch, type KnownRange, type Sorting, type ValueSearch } from './value-search.ts';
import { type CandidateSource, type OrderKey, sortCandidates, walkInOrder } from './where-entities.sql.ts';

/** Candidates that are looked at and sorted, where no walk has the order, or the walk has not found enough. */
export const CANDIDATES_MAX = 10_000;
/** The bounds of one page. */
export interface SearchBounds {
  /** Rows of the first window, which is small, because what fits is often common. */
  near: number;
  /** Rows of the window behind it. */
  window: number;
  /** It is walked at once where so many rows should fill the page, by the share of the first ones that fit. */
  further: number;
  /** So few candidates are sorted at once: of more, a walk fills a page sooner. */
  few: number;
  candidates: number;
  /** Rows of an index that are compared with ranges, of which an entity is only looked at where it is in them. */
  compared: number;
}
const usual: SearchBounds = {
  near: 300,
  window: 6000,
  further: 4000,
  few: 2000,
  candidates: CANDIDATES_MAX,
  compared: 50_000,
};
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

interface Candidates {
  walked: number;
  page: SortKey[];
}

interface Walked {
  /** It is null when the page is full. */
  ended: boolean | null;
  last: SortKey | null;
  page: SortKey[];
}

/** At most `limit` entities behind the key. Throws `invalid_condition`, `unknown_property`, `too_many_to_sort`. */
export async function whereEntities(
  tx: Tx,
  given: WhereQuery,
  after: SortKey | null,
  bounds: SearchBounds = usual,
): Promise<SortedPage> {
  const conditions = await compileConditions(tx, given.where ?? []);
  const sorting = await sortingOf(tx, given.sort);
  const query = withNumberSought(given);
  if (query === null) return { entities: [], after: null };
  await tx.query(preferIndexOrder);
  const scope = await scopeOfSearch(tx, query);
  if (scope === null) return { entities: [], after: null };
  const search = await beginSearch(tx, { query, scope, conditions, sorting });
  const page = await findPage(tx, { query, scope, sorting, search }, after, bounds);
  return { ...page, lacksWaiting: search.lacksWaiting };
}

interface Begun {
  query: WhereQuery;
  scope: SearchScope;
  sorting: Sorting;
  search: ValueSearch;
}

/** Throws `too_many_to_sort`. */
async function findPage(
  tx: Tx,
  { query, scope, sorting, search }: Begun,
  after: SortKey | null,
  bounds: SearchBounds,
): Promise<SortedPage> {
  const { limit, order } = query;
  const run = <Answer>(sql: string, rows: number, wanted = limit + 1, behind = after) =>
    search.run<Answer>(sql, [rows, wanted], behind);
  const walk = async (
    rows: number,
    sets: readonly KnownRange[],
    behind: SortKey | null,
    found: SortKey[] = [],
  ) => {
    const sql = walkInOrder(sorting.by, order, { sets, isBounded: search.isBounded });
    if (sql === null) return null;
    const more = await run<Walked>(sql, rows, limit + 1 - found.length, behind);
    return { ...more, page: [...found, ...more.page] };
  };
  const end = ({ ended, last, page }: Walked) => pageOfKeys(tx, page, limit, ended === true ? null : last);
  const isDone = ({ ended, page }: Walked) => ended !== false || page.length > limit;
  const isWalkable = (sorting.key === null || sorting.index !== null) && query.number === undefined;
  const rows = Math.max(bounds.near, limit + 1);
  const near = isWalkable ? await walk(rows, [], after) : null;
  if (near !== null) {
    if (isDone(near)) return end(near);
    if ((near.page.length / rows) * bounds.further > limit) {
      const further = await walk(bounds.window, [], near.last, near.page);
      if (further !== null) return end(further);
    }
  }
  const sort = async (source: CandidateSource, max: number) => {
    const few = await run<Candidates>(sortCandidates(source, sorting.by, order), max + 1);
    return few.walked <= max ? pageOfKeys(tx, few.page, limit, null) : null;
  };
  const ranges = query.number === undefined ? await search.smallest() : [];
  let compared: Walked | null = null;
  if (ranges.length > 0) {
    const few = await sort(ranges, near === null ? bounds.candidates : bounds.few);
    if (few !== null) return few;
    compared = near === null ? null : await walk(bounds.compared, ranges, near.last, near.page);
    if (compared !== null && isDone(compared)) return end(compared);
  }
  const sources = [
    ...(compared === null ? [] : [{ source: ranges, max: bounds.candidates }]),
    ...otherSources(query, scope),
  ];
  for (const { source, max } of sources) {
    const few = await sort(source, max);
    if (few !== null) return few;
  }
  const many = compared ?? (near === null ? null : await walk(bounds.window, [], near.last, near.page));
  if (many === null) throw tooMany(sorting);
  return end(many);
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

/** Returns the sources beside the ranges of conditions where few may be found, the likeliest first. */
export function otherSources(
  { number, q }: Pick<WhereQuery, 'number' | 'q'>,
  { categories, states }: SearchScope,
): { source: Source; max: number }[] {
  if (number !== undefined) return [{ source: 'number', max: SORTED_MAX }];
  return [
    ...(q !== undefined && hasTrigram(q) ? [{ source: 'text', max: HITS_MAX } as const] : []),
    ...(categories === null
      ? []
      : [{ source: states === null ? 'categories' : 'states', max: CANDIDATES_MAX } as const]),
    { source: 'all', max: CANDIDATES_MAX },
  ];
}

function tooMany({ key, by }: Sorting): AppError {
  const detail =
    key === null
      ? `More than ${CANDIDATES_MAX} entities may fit. By ${by} so many are not sorted. Narrow them down, or sort by number.`
      : `More than ${CANDIDATES_MAX} entities may fit. By ${JSON.stringify(key)} so many are not sorted, because its values are not indexed. Make its definition filterable, or narrow them down.`;
  return new AppError('too_many_to_sort', { detail, extensions: { max: CANDIDATES_MAX } });
}
