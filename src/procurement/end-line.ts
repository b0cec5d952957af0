/** Closes or cancels a line: its transition, which gives back what it holds. */
import type { Actor } from '../access/actor.ts';
import type { Tx } from '../db/transaction.ts';
import type { EntityRef } from '../entities/resolve-entity.ts';
import { type TransitionEffect, transitionEntity } from '../entities/transition-entity.ts';
import { findLine } from './find-line.ts';
import { lastEntryOf } from './line-entries.ts';
import { lockLine } from './lock-line.ts';
import type { LineDone } from './receive-line.ts';

/** Throws `line_not_found`, `transition_not_allowed`, and what a feature automation refuses. */
export async function endLine(
  tx: Tx,
  actor: Actor,
  { line: ref, toState, note }: { line: EntityRef; toState: 'Closed' | 'Cancelled'; note: string | null },
  effects: readonly TransitionEffect[],
): Promise<LineDone> {
  const { id } = await lockLine(tx, ref);
  const before = await lastEntryOf(tx, id);
  await transitionEntity(tx, actor, { entity: id, toState, note }, effects);
  return { line: await findLine(tx, id), before };
}
