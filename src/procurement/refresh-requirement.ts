/** Open and Covered follow Open Qty: called by whatever has changed it, in the same transaction. */
import type { Actor } from '../access/actor.ts';
import type { Tx } from '../db/transaction.ts';
import type { TransitionEffect } from '../entities/transition-entity.ts';
import { findRequirement } from './find-requirement.ts';
import { followState } from './follow-state.ts';
import { type Requirement, requirementStates } from './requirement.ts';

/** The requirement as it then is. Its lock is held. */
export async function refreshRequirement(
  tx: Tx,
  actor: Actor,
  id: string,
  effects: readonly TransitionEffect[],
): Promise<Requirement> {
  const requirement = await findRequirement(tx, id);
  if (requirement.status === 'cancelled') return requirement;
  const toState = requirementStates[requirement.status];
  if (requirement.state === toState) return requirement;
  await followState(tx, actor, { entity: id, toState }, effects);
  return findRequirement(tx, id);
}
