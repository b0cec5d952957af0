/** Puts a purchase or manufacturing line on order. */
import type { Actor } from '../access/actor.ts';
import type { Tx } from '../db/transaction.ts';
import type { TransitionEffect } from '../entities/transition-entity.ts';
import { recordMovements } from '../stock/record-movements.ts';
import { belonging, type Line } from './line.ts';
import { lockRequirement } from './lock-requirement.ts';
import { refreshRequirement } from './refresh-requirement.ts';
import { requireRoom } from './refuse-requirement.ts';

/**
 * Raises On Order to what the line has still to receive (OnOrderAdd); does nothing where it stands there
 * already. The line is locked. Throws `over_requirement`, `requirement_cancelled` where it is for one.
 */
export async function orderSupply(
  tx: Tx,
  actor: Actor,
  line: Line,
  note: string | null,
  effects: readonly TransitionEffect[],
): Promise<void> {
  const amount = line.quantity - line.received - line.onOrder;
  if (amount <= 0n) return;
  if (line.requirementId !== null) {
    const requirement = await lockRequirement(tx, line.requirementId);
    requireRoom(requirement, amount, requirement.open, 'Ordering');
  }
  await recordMovements(tx, actor, [{ type: 'OnOrderAdd', amount, note, ...belonging(line) }]);
  if (line.requirementId !== null) await refreshRequirement(tx, actor, line.requirementId, effects);
}
