/** Lets an entity's lifecycle state follow what has happened, where its lifecycle has the way. */
import type { Actor } from '../access/actor.ts';
import { configurationForWriting } from '../configuration/current/configuration-for-writing.ts';
import type { Tx } from '../db/transaction.ts';
import { lifecycleOf } from '../entities/lifecycle-of.ts';
import { lockEntityRow } from '../entities/lock-entity-row.ts';
import {
  type TransitionEffect,
  transitionEntity,
  type WantedTransition,
} from '../entities/transition-entity.ts';

/** Whether there was a way. The configuration and the entity's row are locked. */
export async function followState(
  tx: Tx,
  actor: Actor,
  wanted: WantedTransition,
  effects: readonly TransitionEffect[],
): Promise<boolean> {
  const configuration = await configurationForWriting(tx);
  const row = await lockEntityRow(tx, wanted.entity);
  const ways = lifecycleOf(configuration, row.category).transitions;
  if (!ways.some((way) => way.from === row.state && way.to === wanted.toState)) return false;
  await transitionEntity(tx, actor, wanted, effects);
  return true;
}
