/** Settles the components of a manufacturing line at its end, so that none stays open. */

import { forgettingRows } from '../../db/forget-rows.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { lockRequirement } from '../records/find-procured.ts';
import { followState } from '../records/follow-state.ts';
import type { Line } from '../records/line.ts';
import { requirementStates } from '../records/requirement.ts';
import { selectOpenComponents } from './builds.sql.ts';
import { shareOf, unitsBuilt, unitsInAll } from './components.ts';
import { lockBuilds } from './open-builds.ts';
import { takeBack } from './take-back.ts';

/** Ways to settle components that were issued beyond what was built. */
const unusedActions = ['waive', 'return', 'scrap'] as const;
export type UnusedAction = (typeof unusedActions)[number];

/**
 * Cancels the requirements that were not issued in full, in the order of their ids, which releases what they hold. Issued components
 * stay issued.
 */
export async function endComponents(tx: Tx, by: Mover, { id }: Line, note: string | null): Promise<void> {
  const open = await tx.query<{ id: string }>(selectOpenComponents, [
    tx.workspaceId,
    id,
    requirementStates.cancelled,
  ]);
  for (const component of open) {
    await forgettingRows(tx, async () => {
      const { issued, required } = await lockRequirement(tx, component.id);
      if (issued < required)
        await followState(tx, by, { entity: component.id, toState: requirementStates.cancelled, note });
    });
  }
}

/**
 * Settles what was issued beyond what the built units take: `return` puts it back to where it was issued from, `scrap` writes it off
 * there, `waive` leaves it issued. The line is locked.
 */
export async function settleUnused(
  tx: Tx,
  by: Mover,
  line: Line,
  { action, note }: { action: UnusedAction; note: string | null },
): Promise<void> {
  if (action === 'waive' || line.type !== 'manufacturingOrder') return;
  const opened = await lockBuilds(tx, [line], { from: null });
  const build = opened.builds.get(line.id);
  if (build === undefined) return;
  const [built, inAll] = [unitsBuilt(build), unitsInAll(build)];
  const unused = build.components.map((component) => {
    const { required, issued } = component.requirement;
    return { component, amount: issued - shareOf(required, built, inAll) };
  });
  await takeBack(tx, by, {
    backs: unused.filter(({ amount }) => amount > 0n),
    requirements: opened.requirements,
    facts: { note, bookingId: newId() },
    isScrap: action === 'scrap',
  });
}
