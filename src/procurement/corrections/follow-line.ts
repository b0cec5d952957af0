/** Lets a line and its order follow a correction or a return: both are open again where something is open again. */
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import { categoryOf } from '../../configuration/current/workspace-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { lockEntityRow } from '../../entities/lock-entity-row.ts';
import { type Mover, transitionEntity } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import { lineRules } from '../../stock/entries/line-rules.ts';
import { requireAgain } from '../builds/require-again.ts';
import { holdLess } from '../lines/line-movements.ts';
import { isOpenOrder, openOrder } from '../records/find-order.ts';
import { findLine } from '../records/find-procured.ts';
import { heldBy, isFinal, type Line, openOf } from '../records/line.ts';

/**
 * Reopens a received or shipped line of which something is open again, and its order. A line holds no more than is open. The rows of the
 * order and the line are locked. Throws `transition_not_allowed` with the transition that the lifecycle lacks.
 */
export async function followLine(tx: Tx, by: Mover, id: string, note: string | null): Promise<Line> {
  const line = await findLine(tx, id);
  const { working, fulfilled } = lineRules[line.type];
  if (line.state === fulfilled && openOf(line) > 0n) {
    await reopen(tx, by, line.orderId, openOrder, note);
    await moveBack(tx, by, id, working, note);
    if (line.type === 'manufacturingOrder') await requireAgain(tx, by.actor, await findLine(tx, id));
  }
  const after = await findLine(tx, id);
  const allowed = isFinal(after.state) ? 0n : openOf(after);
  const beyond = heldBy(after) - allowed;
  if (beyond <= 0n) return after;
  await holdLess(tx, by, after, beyond, note);
  return findLine(tx, id);
}

async function reopen(tx: Tx, by: Mover, id: string, toState: string, note: string | null): Promise<void> {
  const order = await lockEntityRow(tx, id);
  if (!isOpenOrder(order)) await moveBack(tx, by, id, toState, note);
}

/** The lifecycle of a workspace may lack the way back: the refusal says which to add. */
async function moveBack(tx: Tx, by: Mover, id: string, toState: string, note: string | null): Promise<void> {
  const configuration = await configurationForWriting(tx);
  const { number, category, state } = await lockEntityRow(tx, id);
  const { lifecycle } = categoryOf(configuration, category);
  if (!lifecycle.transitions.some((way) => way.from === state && way.to === toState)) {
    throw new AppError('transition_not_allowed', {
      detail: `${number ?? id} would go back from "${state}" to "${toState}", and the lifecycle of category "${category}" has no such transition. Add it to the lifecycle and try again.`,
      extensions: { category, from: state, to: toState },
    });
  }
  await transitionEntity(tx, by, { entity: id, toState, note });
}
