/** Selects the entities that meet conditions from a few that are known. */
import type { Tx } from '../../db/transaction.ts';
import { compileConditions, type Predicate } from './compile-conditions.ts';
import { selectMeeting } from './conditions.sql.ts';

/** Keeps their order. Throws `invalid_condition`. */
export async function meeting<Of extends { id: string }>(
  tx: Tx,
  entities: readonly Of[],
  where: readonly string[],
): Promise<readonly Of[]> {
  if (where.length === 0) return entities;
  const conditions = await compileConditions(tx, where);
  const found = await idsMeeting(
    tx,
    entities.map(({ id }) => id),
    conditions,
  );
  return entities.filter(({ id }) => found.has(id));
}

export async function idsMeeting(
  tx: Tx,
  ids: readonly string[],
  { path, has }: Predicate,
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.query<{ id: string }>(selectMeeting, [
    tx.workspaceId,
    ids,
    path,
    has?.keys ?? null,
    has?.patterns ?? null,
  ]);
  return new Set(rows.map(({ id }) => id));
}
