/**
 * What happens with every lifecycle transition, in its transaction and in this order: the table that other
 * capabilities join (feature automations, then the event for automations and webhooks). Callers of
 * `transitionEntity` pass it on.
 */
import type { TransitionEffect } from './entities/transition-entity.ts';
import { recordTransition } from './events/record-entity-events.ts';
import { procurementEffect } from './procurement/features/transition-effect.ts';

export const transitionEffects: readonly TransitionEffect[] = [
  procurementEffect(() => transitionEffects),
  (tx, { entity, fromState, toState }) => recordTransition(tx, entity, fromState, toState),
];
