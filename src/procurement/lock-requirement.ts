/** Takes a requirement for a change of what covers it. */
import { configurationForWriting } from '../configuration/current/configuration-for-writing.ts';
import type { Tx } from '../db/transaction.ts';
import { lockEntityRow } from '../entities/lock-entity-row.ts';
import type { EntityRef } from '../entities/resolve-entity.ts';
import { findRequirement } from './find-requirement.ts';
import type { Requirement } from './requirement.ts';

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
