/**
 * Procurement follows a lifecycle transition: lines and requirements move with their states, and the
 * feature automations attached to the transition run. So the calls of procurement and
 * `POST /entities/{id}/transitions` do the same.
 *
 * Lock order of everything in this folder (inside that of ARCHITECTURE.md, Transactions and locks):
 *   1. the configuration lock, shared
 *   2. number counters (whoever makes entities, unless a transition that is under way makes them)
 *   3. entity rows that are moved: first the one the transition is of (a part, an order, a project), then
 *      lines, then requirements, each kind by id where there are several; calls that may end lines take the orders
 *      of these before the lines
 *   4. stock positions by key (record-movements.ts; a cascade takes all of its positions before the first)
 * The item of a line or a requirement never changes and needs no lock; how much of a line is wanted, and the sums of both, are read
 * again under the lock of the entity's row. What still meets crosswise (cascades over shared children, a feature automation that
 * makes entities after rows are locked) is a deadlock that `inTransaction` runs again.
 */
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import type { Tx } from '../../db/transaction.ts';
import type { TransitionEffect, Transitioned } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import { type LineType, lineRules } from '../../stock/entries/line-rules.ts';
import { endComponents } from '../builds/settle-components.ts';
import { fixItemRevision } from '../builds/structure.sql.ts';
import { endOrderOf } from '../lines/end-lines.ts';
import { fulfilLine, releaseLine } from '../lines/line-movements.ts';
import { requireOpenOrder } from '../records/find-order.ts';
import { findLine, findRequirement } from '../records/find-procured.ts';
import { isFinal, isSupply, openOf } from '../records/line.ts';
import { selectDelivered, selectSubject } from '../records/lines.sql.ts';
import { requirementStates } from '../records/requirement.ts';
import { releaseRequirement } from '../requirements/move-requirement.ts';
import { runFeatures } from './run-features.ts';

/** For many transitions procurement is the caller: it has decided what moves, and that the features attached do no more. */
export const procurementEffect: TransitionEffect = Object.assign(effect, {
  forMany: async () => () => {},
});

async function effect(tx: Tx, happened: Transitioned): Promise<void> {
  const [subject] = await tx.query<{ kind: 'line' | 'requirement' | 'order' }>(selectSubject, [
    tx.workspaceId,
    happened.entity.id,
  ]);
  if (subject?.kind === 'line') await enterLineState(tx, happened);
  if (subject?.kind === 'order') await enterOrderState(tx, happened);
  if (subject?.kind === 'requirement') await enterRequirementState(tx, happened);
  await runFeatures(tx, happened);
  if (subject?.kind === 'line') await leaveLineState(tx, happened);
}

/**
 * A line that is called Received or Shipped is: what was open moves now. One that begins does so only while its
 * order is open; who closes the order waits for the line's row or has had it, so that no lock on the order is needed.
 */
async function enterLineState(tx: Tx, happened: Transitioned): Promise<void> {
  const { entity, toState, note, by } = happened;
  if (toState === 'Ordered' || toState === 'Reserved') await requireOpenOrder(tx, entity.id);
  // The structure of what is built stays that of this revision.
  if (toState === 'Ordered') await tx.query(fixItemRevision, [tx.workspaceId, entity.id]);
  const isBack = happened.fromState === 'Received' || happened.fromState === 'Shipped';
  if (toState !== 'Received' && toState !== 'Shipped' && toState !== 'Cancelled' && !isBack) return;
  const line = await findLine(tx, entity.id);
  if (isBack && toState === lineRules[line.type].working && openOf(line) === 0n)
    throw refuseBack(happened, isSupply(line.type));
  if (toState === 'Cancelled' && line.received + line.shipped > 0n)
    throw refuseCancel(happened, isSupply(line.type));
  if (lineRules[line.type].fulfilled !== toState) return;
  const { categories } = await configurationForWriting(tx);
  const consume = line.type === 'manufacturingOrder' ? categories.get(entity.category)?.consume : null;
  await fulfilLine(tx, by, line, note, consume ?? null);
}

/** A line goes back only when something of it is open again, which taking back a delivery does. */
function refuseBack({ entity, fromState }: Transitioned, wasReceived: boolean): AppError {
  const what = wasReceived ? 'receipt' : 'shipment';
  return new AppError('transition_not_allowed', {
    detail: `All of ${entity.number ?? entity.id} is ${wasReceived ? 'received' : 'shipped'}. Take back a ${what} instead: the line follows.`,
    extensions: { from: fromState },
  });
}

/** Refuses to cancel an order of which something was delivered: it can only be closed. */
async function enterOrderState(tx: Tx, happened: Transitioned): Promise<void> {
  if (happened.toState !== 'Cancelled') return;
  const { id } = happened.entity;
  const [delivered] = await tx.query<{ type: LineType }>(selectDelivered, [tx.workspaceId, id]);
  if (delivered !== undefined) throw refuseCancel(happened, isSupply(delivered.type));
}

function refuseCancel({ entity, fromState }: Transitioned, wasReceived: boolean): AppError {
  const done = wasReceived ? 'received' : 'shipped';
  return new AppError('transition_not_allowed', {
    detail: `Goods of ${entity.number ?? entity.id} have been ${done}: it cannot be cancelled. Close it, which gives back what is still open.`,
    extensions: { from: fromState },
  });
}

/** At its end a line holds nothing, whatever the lifecycle attaches to the way there; its order ends with its last line. */
async function leaveLineState(tx: Tx, { entity, toState, note, by }: Transitioned): Promise<void> {
  if (!isFinal(toState)) return;
  const line = await findLine(tx, entity.id);
  await releaseLine(tx, by, line, note);
  if (line.type === 'manufacturingOrder' && toState !== 'Received') await endComponents(tx, by, line, note);
  await endOrderOf(tx, by, line);
}

/** Open and Covered are what the quantities say; Cancelled gives back what is reserved. */
async function enterRequirementState(tx: Tx, happened: Transitioned): Promise<void> {
  const { entity, fromState, toState, note, by } = happened;
  const requirement = await findRequirement(tx, entity.id);
  if (toState === requirementStates.cancelled) {
    await releaseRequirement(tx, by.actor, requirement, note);
    return;
  }
  const covered = requirement.open <= 0n;
  const wrong =
    (toState === requirementStates.covered && !covered) || (toState === requirementStates.open && covered);
  if (!wrong) return;
  throw new AppError('transition_not_allowed', {
    detail: `"${toState}" follows from the quantities, which say otherwise: reserve, order or release.`,
    extensions: { from: fromState, allowed: [requirementStates.cancelled] },
  });
}
