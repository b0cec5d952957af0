/**
 * The search over entities: pages in the order of the ids, whose cost does not grow with the table, whatever
 * is asked for. Filters are index ranges. A text is looked for in three ways, cheapest first: in the next
 * thousand rows (a common text fills the page from them), in the trigram index (a rare one), and where the
 * index has too many hits to sort, in a longer window, after which the page ends short and the next goes on.
 */

import { readPage } from '../../db/read-page.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Archived } from '../entities.schema.ts';
import { idOfGuid, listedColumns, longEntityColumns, selectEntitiesByIds } from '../entity.sql.ts';
import type { ListedEntity } from '../show-entity.ts';
import {
  preferIndexOrder,
  searchByTrigrams,
  walkAll,
  walkArchived,
  walkCategory,
  walkCategoryState,
  walkNumber,
  walkState,
} from './search-entities.sql.ts';
import { hasTrigram, isFound, withNumberSought } from './search-patterns.ts';

export interface EntityFilters {
  category?: string | undefined;
  state?: string | undefined;
  number?: string | undefined;
  guid?: string | undefined;
  q?: string | undefined;
  archived?: Archived | undefined;
}

export interface EntityPage {
  entities: ListedEntity[];
  /** Position at which the next page continues; null on the last. */
  after: string | null;
}

const NEAR_ROWS = 1000;
const FAR_ROWS = 20_000;
/** Rows that are looked at for a text, which is compared row by row. */
const FAR_TEXTS = 5000;
const HITS_MAX = 1000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** At most `limit` entities with ids above `after`. */
export async function searchEntities(
  tx: Tx,
  given: EntityFilters,
  after: string | null,
  limit: number,
): Promise<EntityPage> {
  const filters = withNumberSought(given);
  if (filters === null) return { entities: [], after: null };
  if (filters.guid !== undefined) return searchByGuid(tx, filters, filters.guid, after);
  await tx.query(preferIndexOrder);
  const page = await findIds(tx, filters, after ?? FIRST, limit);
  if (page.ids.length === 0) return { entities: [], after: page.after };
  const { rows, more } = await readPage<ListedEntity>(tx, selectEntitiesByIds, [tx.workspaceId, page.ids], {
    limit,
    long: longEntityColumns,
  });
  return { entities: [...rows], after: more ? (rows.at(-1)?.id ?? null) : page.after };
}

interface IdPage {
  ids: string[];
  after: string | null;
}

async function findIds(tx: Tx, filters: EntityFilters, after: string, limit: number): Promise<IdPage> {
  const { q } = filters;
  if (q === undefined) {
    const near = await walk(tx, filters, { after, limit, rows: windowOf(filters, limit), q: null });
    if (near.ids.length === limit || near.after === null) return near;
    // Some of the window are archived.
    return walk(tx, filters, { after, limit, rows: FAR_ROWS, q: null });
  }
  const near = await walk(tx, filters, { after, limit, rows: NEAR_ROWS, q });
  if (near.ids.length === limit || near.after === null) return near;
  return (
    (hasTrigram(q) ? await searchTrigrams(tx, filters, q, after, limit) : null) ??
    (await walk(tx, filters, { after, limit, rows: FAR_TEXTS, q }))
  );
}

/** Every row of the index range fits, but for what else is asked of entities with one number. */
function windowOf({ number, category, state, archived }: EntityFilters, limit: number): number {
  const isNarrowed = category !== undefined || state !== undefined;
  if (number !== undefined || archived === 'only') return isNarrowed ? FAR_ROWS : limit + 1;
  return limit + 1;
}

/** From where, how many ids at most, over how many rows, and what text they have. */
interface Walk {
  after: string;
  limit: number;
  rows: number;
  q: string | null;
}

async function walk(tx: Tx, filters: EntityFilters, { after, limit, rows, q }: Walk): Promise<IdPage> {
  const [found] = await tx.query<{ walked: number; last: string | null; ids: string[] }>(walkOf(filters), [
    tx.workspaceId,
    after,
    rows,
    limit + 1,
    filters.category ?? null,
    filters.state ?? null,
    q,
    filters.number ?? null,
    filters.archived ?? 'false',
  ]);
  const { ids, walked, last } = found as { walked: number; last: string | null; ids: string[] };
  const more = cut(ids, limit);
  return more.after === null && walked === rows ? { ids, after: last } : more;
}

function walkOf({ number, category, state, archived }: EntityFilters): string {
  if (number !== undefined) return walkNumber;
  if (archived === 'only') return walkArchived;
  if (category !== undefined) return state === undefined ? walkCategory : walkCategoryState;
  return state === undefined ? walkAll : walkState;
}

/** Returns null if the text has too many hits for the index to answer in bounded time. */
async function searchTrigrams(
  tx: Tx,
  { number, category, state, archived }: EntityFilters,
  q: string,
  after: string,
  limit: number,
): Promise<IdPage | null> {
  // Entities of one number are few, and the walk along them has not ended within a thousand: go on walking.
  if (number !== undefined) return null;
  const [found] = await tx.query<{ hits: number; ids: string[] }>(searchByTrigrams, [
    tx.workspaceId,
    after,
    HITS_MAX,
    limit + 1,
    category ?? null,
    state ?? null,
    q,
    archived ?? 'false',
  ]);
  return found === undefined || found.hits === HITS_MAX ? null : cut(found.ids, limit);
}

/** The id too many says that there is a next page. */
function cut(ids: string[], limit: number): IdPage {
  const shown = ids.slice(0, limit);
  return { ids: shown, after: ids.length > limit ? (shown.at(-1) as string) : null };
}

async function searchByGuid(
  tx: Tx,
  { category, state, number, q }: EntityFilters,
  guid: string,
  after: string | null,
): Promise<EntityPage> {
  const rows = await tx.query<ListedEntity>(
    `select * from (select ${listedColumns} from entity e where e.workspace_id = $1 and e.id = ${idOfGuid('$2')}) as e
     where ($3::uuid is null or id > $3) and ($4::text is null or category = $4) and ($5::text is null or state = $5)
       and ($6::text is null or number = $6)
       and ($7::text is null or ${isFound('$7', 'e')})`,
    [tx.workspaceId, guid, after, category ?? null, state ?? null, number ?? null, q ?? null],
  );
  return { entities: rows, after: null };
}
