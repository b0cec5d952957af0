/** Gives back what a line holds: what is still on order, or what is still reserved. */
import type { Actor } from '../access/actor.ts';
import type { Tx } from '../db/transaction.ts';
import type { TransitionEffect } from '../entities/transition-entity.ts';
import { recordMovements } from '../stock/record-movements.ts';
import { belonging, type Line } from './line.ts';
import { lockRequirement } from './lock-requirement.ts';
import { refreshRequirement } from './refresh-requirement.ts';

/** Writes OnOrderRelease or SORelease; does nothing where the line holds nothing. The line is locked. */
export async function releaseLine(
  tx: Tx,
  actor: Actor,
  line: Line,
  note: string | null,
  effects: readonly TransitionEffect[],
): Promise<void> {
  if (line.reserved > 0n) {
    await recordMovements(tx, actor, [
      { type: 'SORelease', amount: line.reserved, note, ...belonging(line) },
    ]);
  }
  if (line.onOrder <= 0n) return;
  if (line.requirementId !== null) await lockRequirement(tx, line.requirementId);
  await recordMovements(tx, actor, [
    { type: 'OnOrderRelease', amount: line.onOrder, note, ...belonging(line) },
  ]);
  // The requirement needs it again.
  if (line.requirementId !== null) await refreshRequirement(tx, actor, line.requirementId, effects);
}
