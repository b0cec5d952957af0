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

/** The parameters that statements of a search behind a key have in common, in their order. */
export function searchParameters(
  { categories, states }: SearchScope,
  { q, number, archived }: Pick<EntityQuery, 'q' | 'archived'> & { number?: string | undefined },
  after: readonly [id: string, key: string | null] | null,
): unknown[] {
  const [id = null, key = null] = after ?? [];
  return [categories, states, q ?? null, number ?? null, after !== null, key, id, archived];
}

function rolesOf(role: NonNullable<EntityQuery['role']>): string[] {
  return role === 'item' || role === 'location' ? [role, 'itemAndLocation'] : [role];
}
