/** Lets the lifecycle state of a line or a requirement follow what has happened, where its lifecycle has the way. */
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import { categoryOf } from '../../configuration/current/workspace-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { lockEntityRow } from '../../entities/lock-entity-row.ts';
import { type Mover, transitionEntity, type WantedTransition } from '../../entities/transition-entity.ts';
import { findRequirement } from './find-procured.ts';
import { type Requirement, requirementStates } from './requirement.ts';

/** Whether there was a way. The configuration and the entity's row are locked. */
export async function followState(tx: Tx, by: Mover, wanted: WantedTransition): Promise<boolean> {
  const configuration = await configurationForWriting(tx);
  const row = await lockEntityRow(tx, wanted.entity);
  const ways = categoryOf(configuration, row.category).lifecycle.transitions;
  if (!ways.some((way) => way.from === row.state && way.to === wanted.toState)) return false;
  await transitionEntity(tx, by, wanted);
  return true;
}

/**
 * Open and Covered follow Open Qty: called by whatever has changed it, in the same transaction. The requirement as it
 * then is. Its lock is held.
 */
export async function refreshRequirement(tx: Tx, by: Mover, id: string): Promise<Requirement> {
  const requirement = await findRequirement(tx, id);
  if (requirement.status === 'cancelled') return requirement;
  const toState = requirementStates[requirement.status];
  if (requirement.state === toState) return requirement;
  await followState(tx, by, { entity: id, toState });
  return findRequirement(tx, id);
}
