/** Which categories and states a search is confined to, by all that is asked of them. */
import type { Tx } from '../../db/transaction.ts';
import type { EntityQuery } from '../entities.schema.ts';
import { selectSearchScope } from './search-entities.sql.ts';

export interface SearchScope {
  /** Keys; null for any. */
  categories: string[] | null;
  /** Names; null for any. */
  states: string[] | null;
}

/**
 * Returns null if no entity can match. States alone restrict the categories too: to those whose lifecycle has one
 * of them.
 */
export async function scopeOfSearch(
  tx: Tx,
  { category, state, role }: Pick<EntityQuery, 'category' | 'state' | 'role'>,
): Promise<SearchScope | null> {
  const states = state ?? null;
  if (role === undefined && states === null) return { categories: category ?? null, states };
  const rows = await tx.query<{ key: string }>(selectSearchScope, [
    tx.workspaceId,
    category ?? null,
    states,
    role === undefined ? null : rolesOf(role),
  ]);
  return rows.length === 0 ? null : { categories: rows.map((row) => row.key), states };
}

function rolesOf(role: NonNullable<EntityQuery['role']>): string[] {
  return role === 'item' || role === 'location' ? [role, 'itemAndLocation'] : [role];
}
