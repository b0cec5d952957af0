/** Finds entities by the numbers of entities that were merged into them. */
import type { Tx } from '../../db/transaction.ts';
import type { EntityQuery } from '../entities.schema.ts';
import { selectEntitiesInOrder } from '../entity.sql.ts';
import type { ListedEntity } from '../show-entity.ts';
import { scopeOfSearch } from './scope-of-search.ts';
import { selectByMergedNumber } from './search-entities.sql.ts';
import { numberSought } from './search-patterns.ts';

/** Merged entities of one number that are looked at. */
const ALIASES_MAX = 100;

/** Finds entities for a search that has found nothing else: its text or number may be the whole number of a merged entity. */
export async function findByMergedNumber(
  tx: Tx,
  query: Omit<EntityQuery, 'cursor'>,
): Promise<ListedEntity[]> {
  const { q, number, archived, limit } = query;
  const text = number ?? (q === undefined ? undefined : (numberSought(q) ?? q.trim()));
  if (text === undefined || text === '' || (number !== undefined && q !== undefined) || archived === 'only')
    return [];
  const numbers =
    number === undefined ? [...new Set([text, text.toUpperCase(), text.toLowerCase()])] : [text];
  const ids = await tx.query<{ id: string }>(selectByMergedNumber, [tx.workspaceId, numbers, ALIASES_MAX]);
  if (ids.length === 0) return [];
  const scope = await scopeOfSearch(tx, query);
  if (scope === null) return [];
  const rows = await tx.query<ListedEntity>(selectEntitiesInOrder, [tx.workspaceId, ids.map(({ id }) => id)]);
  const fits = ({ category, state, archived_at: archivedAt }: ListedEntity) =>
    (scope.categories?.includes(category) ?? true) &&
    (scope.states?.includes(state) ?? true) &&
    (archived === 'true' || archivedAt === null);
  return rows.filter(fits).slice(0, limit);
}
