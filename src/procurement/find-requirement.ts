/** Reads one requirement, or takes it for a change of what covers it. */
import { configurationForWriting } from '../configuration/current/configuration-for-writing.ts';
import type { Tx } from '../db/transaction.ts';
import { lockEntityRow } from '../entities/lock-entity-row.ts';
import { type EntityRef, resolveEntityIds } from '../entities/resolve-entity.ts';
import { AppError } from '../errors.ts';
import { type Requirement, requirementOfRow } from './requirement.ts';
import { type RequirementRow, selectRequirements } from './requirements.sql.ts';

/** As it is now. Throws `requirement_not_found`. */
export async function findRequirement(tx: Tx, ref: EntityRef): Promise<Requirement> {
  const id = (await resolveEntityIds(tx, [ref])).get(ref);
  const [row] =
    id === undefined
      ? []
      : await tx.queryPrepared<RequirementRow>(selectRequirements, [tx.workspaceId, [id]]);
  if (row === undefined) {
    throw new AppError('requirement_not_found', `There is no material requirement ${ref}.`);
  }
  return requirementOfRow(row);
}

/**
 * As it is under its lock, which everything that reserves, orders, releases or issues for it holds. Takes the
 * configuration lock first (lock order: transition-effect.ts). Throws `requirement_not_found`.
 */
export async function lockRequirement(tx: Tx, ref: EntityRef): Promise<Requirement> {
  await configurationForWriting(tx);
  const { id } = await findRequirement(tx, ref);
  await lockEntityRow(tx, id);
  // Again: what was read before the lock may have moved since.
  return findRequirement(tx, id);
}
