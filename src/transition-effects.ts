/**
 * Effects of every lifecycle transition, in its transaction and in this order: the table that other capabilities
 * join (a warning about stock, feature automations, then the event for automations and webhooks).
 */
import type { Actor } from './actor.ts';
import type { Tx } from './db/transaction.ts';
import type { Moved, Mover, TransitionEffect, Transitioned } from './entities/transition-entity.ts';
import { recordMoved, recordTransition } from './events/record-entity-events.ts';
import { listeningSlug } from './events/record-events.ts';
import { useEffect } from './procurement/demand/warn-of-use.ts';
import { procurementEffect } from './procurement/features/transition-effect.ts';

const eventEffect: TransitionEffect = Object.assign(recordOne, { forMany: recordMany });

function recordOne(tx: Tx, { entity, fromState, toState }: Transitioned): Promise<void> {
  return recordTransition(tx, entity, fromState, toState);
}

async function recordMany(tx: Tx): Promise<(moved: readonly Moved[]) => void> {
  const slug = await listeningSlug(tx, 'lifecycleTransition');
  return (moved) => {
    if (slug !== null && moved.length > 0) tx.withCommit(recordMoved(tx, slug, moved));
  };
}

const transitionEffects: readonly TransitionEffect[] = [useEffect, procurementEffect, eventEffect];

/** The caller as everything takes it that may move an entity from state to state. */
export function moverOf(actor: Actor): Mover {
  return { actor, effects: transitionEffects };
}
