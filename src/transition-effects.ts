/**
 * Effects of every lifecycle transition, in its transaction and in this order: the table that other capabilities
 * join (a warning about stock, feature automations, then the event for automations and webhooks).
 */
import type { Actor } from './actor.ts';
import type { Tx } from './db/transaction.ts';
import type { Moved, Mover, TransitionEffect, Transitioned } from './entities/transition-entity.ts';
import { recordMoved } from './events/record-entity-events.ts';
import { listeningSlugs } from './events/record-events.ts';
import { useEffect } from './procurement/demand/warn-of-use.ts';
import { procurementEffect } from './procurement/features/transition-effect.ts';
import { gatherProcured } from './stock/events/gather-changes.ts';

const eventEffect: TransitionEffect = Object.assign(recordOne, { forMany: recordMany });

async function recordOne(tx: Tx, moved: Transitioned): Promise<void> {
  (await recordMany(tx))([moved]);
}

async function recordMany(tx: Tx): Promise<(moved: readonly Moved[]) => void> {
  const [ofMoves, ...ofOrders] = await listeningSlugs(tx, [
    'lifecycleTransition',
    'orderChanged',
    'belowReorderPoint',
  ]);
  return (moved) => {
    if (moved.length === 0) return;
    if (ofMoves != null) tx.withCommit(recordMoved(tx, ofMoves, moved));
    if (ofOrders.some((slug) => slug !== null))
      gatherProcured(
        tx,
        moved.map(({ entity }) => entity.id),
      );
  };
}

const transitionEffects: readonly TransitionEffect[] = [useEffect, procurementEffect, eventEffect];

/** The caller as everything takes it that may move an entity from state to state. */
export function moverOf(actor: Actor): Mover {
  return { actor, effects: transitionEffects };
}
