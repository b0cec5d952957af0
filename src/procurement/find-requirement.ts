/** Reads one requirement. */
import type { Tx } from '../db/transaction.ts';
import { type EntityRef, resolveEntityIds } from '../entities/resolve-entity.ts';
import { AppError } from '../errors.ts';
import { type Requirement, requirementOfRow } from './requirement.ts';
import { type RequirementRow, selectRequirements } from './requirements.sql.ts';

/** As it is now. Throws `requirement_not_found`. */
export async function findRequirement(tx: Tx, ref: EntityRef): Promise<Requirement> {
  const id = (await resolveEntityIds(tx, [ref])).get(ref);
  const [row] =
    id === undefined ? [] : await tx.query<RequirementRow>(selectRequirements, [tx.workspaceId, [id]]);
  if (row === undefined) {
    throw new AppError('requirement_not_found', `There is no material requirement ${ref}.`);
  }
  return requirementOfRow(row);
}
