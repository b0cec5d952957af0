/**
 * Searches in an order that a person chose: by number, name or last change, or the best first while typing. Few
 * entities are sorted; many are walked by an index where one has the order, and refused where none has: a million
 * names in their order serve nobody, and an index for them would cost every write of a sync.
 */
import { type RowPage, readPage } from '../../db/read-page.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import type { EntityQuery } from '../entities.schema.ts';
import { longEntityColumns, selectEntitiesInOrder } from '../entity.sql.ts';
import type { ListedEntity } from '../show-entity.ts';
import { type SearchScope, scopeOfSearch, searchParameters } from './scope-of-search.ts';
import { keepIndexOrder, preferIndexOrder } from './search-entities.sql.ts';
import { hasTrigram, numberSought, withNumberSought } from './search-patterns.ts';
import { type BestOf, type Sort, type Source, selectBest, sortFew, walkSorted } from './sort-entities.sql.ts';

/** Entities that are sorted by a statement; more have to be walked. */
export const SORTED_MAX = 20_000;
const HITS_MAX = 5000;
/** Maximum number of entities that are sorted although they could be walked: of more, a short page with a cursor is faster. */
const WALKABLE_HITS_MAX = 1000;
const WINDOW_ROWS = 20_000;
/** Rows that are looked at for a text, which is compared row by row. */
const WINDOW_TEXTS = 5000;
/** Looked at first, as in search-entities.ts. */
const NEAR_ROWS = 1000;
/** Maximum of a range of categories for a text that is being typed: fast enough for every keystroke. */
const RANKED_MAX = 5000;

/** The id of the last entity shown, and its key; null where it has none. */
export type SortKey = [id: string, key: string | null];

export interface SortedPage {
  entities: ListedEntity[];
  after: SortKey | null;
  /** Whether entities may lack that wait for the index of a property. */
  lacksWaiting?: boolean;
}

interface Found {
  walked: number;
  last?: SortKey | null;
  page: SortKey[];
}

/** At most `limit` entities behind the key. Throws `too_many_to_sort`. */
export async function sortEntities(
  tx: Tx,
  given: Omit<EntityQuery, 'cursor' | 'sort'> & { sort: Sort },
  after: SortKey | null,
): Promise<SortedPage> {
  const query = withNumberSought(given);
  if (query === null) return { entities: [], after: null };
  const { sort, order, limit } = query;
  await tx.query(preferIndexOrder);
  const scope = await scopeOfSearch(tx, query);
  if (scope === null) return { entities: [], after: null };
  const run = async (sql: string, rows: number): Promise<Found> => {
    const [found] = await tx.query<Found>(sql, [
      tx.workspaceId,
      rows,
      limit + 1,
      ...searchParameters(scope, query, after),
    ]);
    return found as Found;
  };
  if ((sort === 'number' || sort === 'created') && query.number === undefined) {
    // What fits is common, as a rule: then the next rows of the index fill the page, however many there are behind them.
    const isAny = scope.categories === null && scope.states === null && query.q === undefined;
    // Only archived entities are left out.
    for (const rows of isAny ? [limit + 1, NEAR_ROWS] : [Math.max(NEAR_ROWS, limit + 1)]) {
      const near = await run(walkSorted(sort, order), rows);
      if (near.page.length > limit || near.walked < rows) return pageOfKeys(tx, near.page, limit, null);
    }
  }
  for (const { source, max } of sourcesOf(query, scope)) {
    const few = await run(sortFew(source, sort, order), max + 1);
    if (few.walked <= max) return pageOfKeys(tx, few.page, limit, null);
  }
  if (sort === 'name' || sort === 'updatedAt') {
    throw new AppError('too_many_to_sort', {
      detail: `${tooMany(query.q)} By ${sort} so many are not sorted. Narrow them down, or sort by number.`,
      extensions: { max: SORTED_MAX },
    });
  }
  const rows = query.q === undefined ? WINDOW_ROWS : WINDOW_TEXTS;
  const many = await run(walkSorted(sort, order), rows);
  return pageOfKeys(tx, many.page, limit, many.walked === rows ? (many.last ?? null) : null);
}

function tooMany(q: string | undefined): string {
  if (q === undefined) return `More than ${SORTED_MAX} entities may fit.`;
  const among = `among more than ${SORTED_MAX} entities`;
  if (hasTrigram(q)) return `More than ${HITS_MAX} have the text, ${among}.`;
  return `A text without two letters or figures in a row is looked for ${among}.`;
}

/** The best first, at most `limit`; there is no second page. */
export async function bestEntities(
  tx: Tx,
  query: Omit<EntityQuery, 'cursor'> & { q: string },
): Promise<ListedEntity[]> {
  if (numberSought(query.q) !== null)
    return (await sortEntities(tx, { ...query, sort: 'number', order: 'asc' }, null)).entities;
  const scope = await scopeOfSearch(tx, query);
  if (scope === null) return [];
  const q = query.q.trim();
  const byIndex = hasTrigram(q);
  // All in one burst, which is a transaction by itself (the route's `isGlance`).
  const keeping = tx.queryPrepared(keepIndexOrder);
  const params = [
    tx.workspaceId,
    // Where the index knows nothing of the text, a range of categories is looked through whole, as far as it is sorted at all.
    byIndex && query.number === undefined ? RANKED_MAX : SORTED_MAX,
    query.limit,
    scope.categories,
    scope.states,
    q,
    query.number ?? null,
    [...new Set([q, q.toUpperCase(), q.toLowerCase()])],
    query.archived,
  ];
  const [best] = await Promise.all([
    readPage<ListedEntity>(tx, selectBest({ source: bestSource(query, scope), byIndex }), params, {
      limit: query.limit,
      long: longEntityColumns,
      isPrepared: true,
    }),
    keeping,
  ]);
  return [...best.rows];
}

function bestSource(
  { number }: Pick<EntityQuery, 'number'>,
  { categories, states }: SearchScope,
): BestOf['source'] {
  if (number !== undefined) return 'number';
  if (categories === null) return 'all';
  return states === null ? 'categories' : 'states';
}

/** Returns the sources where few may be found, the likeliest first. */
function sourcesOf(
  { number, q, sort }: Pick<EntityQuery, 'number' | 'q' | 'sort'>,
  { categories, states }: SearchScope,
): { source: Source; max: number }[] {
  const isWalked = q !== undefined && (sort === 'number' || sort === 'created');
  const of = (source: Source, max = SORTED_MAX) => ({ source, max });
  if (number !== undefined) return [of('number')];
  return [
    ...(q !== undefined && hasTrigram(q) ? [of('text', isWalked ? WALKABLE_HITS_MAX : HITS_MAX)] : []),
    ...(categories === null
      ? isWalked
        ? []
        : [of('all')]
      : [of(states === null ? 'categories' : 'states', isWalked ? WINDOW_TEXTS : SORTED_MAX)]),
  ];
}

/** The entities of a page by their keys. */
export async function pageOfKeys(
  tx: Tx,
  found: SortKey[],
  limit: number,
  windowEnd: SortKey | null,
): Promise<SortedPage> {
  const shown = found.slice(0, limit);
  const after = found.length > limit ? (shown.at(-1) ?? null) : windowEnd;
  const { rows, more } = await entitiesOf(
    tx,
    shown.map(([id]) => id),
  );
  // Where the bound on bytes ended the page, the next one goes on behind what is shown; found by its id, because what was
  // found a statement ago may be gone.
  const last = rows.at(-1)?.id;
  return { entities: [...rows], after: more ? (shown.find(([id]) => id === last) ?? null) : after };
}

async function entitiesOf(tx: Tx, ids: string[]): Promise<RowPage<ListedEntity>> {
  if (ids.length === 0) return { rows: [], more: false };
  return readPage<ListedEntity>(tx, selectEntitiesInOrder, [tx.workspaceId, ids], {
    limit: ids.length,
    long: longEntityColumns,
  });
}
