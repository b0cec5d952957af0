/** Selects the entities that fit the filters of a list from a few that are known. */
import type { Tx } from '../../db/transaction.ts';
import { compileConditions } from '../conditions/compile-conditions.ts';
import type { EntityQuery } from '../entities.schema.ts';
import { scopeOfSearch } from './scope-of-search.ts';
import { withNumberSought } from './search-patterns.ts';
import { selectFitting } from './where-entities.sql.ts';

type Filters = Pick<EntityQuery, 'category' | 'state' | 'role' | 'number' | 'q' | 'archived' | 'where'>;

/** Throws `invalid_condition`. */
export async function whichFit(tx: Tx, given: Filters, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const filters = withNumberSought(given);
  const scope = filters === null || ids.length === 0 ? null : await scopeOfSearch(tx, filters);
  if (filters === null || scope === null) return new Set();
  const conditions = await compileConditions(tx, filters.where ?? []);
  const rows = await tx.query<{ id: string }>(selectFitting, [
    tx.workspaceId,
    ids,
    null,
    scope.categories,
    scope.states,
    filters.q ?? null,
    filters.number ?? null,
    false,
    null,
    null,
    filters.archived,
    conditions.path,
    conditions.has?.keys ?? null,
    conditions.has?.patterns ?? null,
  ]);
  return new Set(rows.map(({ id }) => id));
}
