/**
 * Transitions that a group makes itself: those with which nothing happens but the change of state and what the group does
 * anyway. Everything else is `transitionEntity`'s, which the call is then done apart by.
 */
import type { CategoryConfiguration } from '../../configuration/current/workspace-configuration.ts';
import type { LifecycleTransition } from '../../configuration/lifecycles/lifecycle.schema.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { recordMoved } from '../../events/record-entity-events.ts';
import { insertTransitions, type LockedEntity, moveEntities } from './together.sql.ts';

export type Feature = LifecycleTransition['featureAutomations'][number];

/** Of every transition: procurement's own, and the event. What is added to them is not plain (transition-effects.ts). */
const KNOWN_EFFECTS = 2;

/** `none` where the lifecycle has no such way; `plain` where every feature on it is. */
export function wayOf(
  { lifecycle }: CategoryConfiguration,
  [from, to]: readonly [from: string, to: string],
  { effects }: Mover,
  isPlain: (feature: Feature) => boolean,
): 'none' | 'plain' | 'apart' {
  const way = lifecycle.transitions.find((one) => one.from === from && one.to === to);
  if (way === undefined) return 'none';
  const opensRevision = lifecycle.releasedStates.has(from) && !lifecycle.releasedStates.has(to);
  const plain = !opensRevision && effects.length === KNOWN_EFFECTS && way.featureAutomations.every(isPlain);
  return plain ? 'plain' : 'apart';
}

export interface Move {
  entity: Pick<LockedEntity, 'id' | 'version_id' | 'number' | 'category' | 'revision_number'>;
  from: string;
  to: string;
  note: string | null;
  actorId: string;
}

/** With the commit; `slug` is the workspace's where somebody listens. New entities are in their state already. */
export function writeMoves(
  tx: Tx,
  moves: readonly Move[],
  { slug, areNew = false }: { slug: string | null; areNew?: boolean },
): void {
  if (moves.length === 0) return;
  const ids = moves.map(({ entity }) => entity.id);
  const states = moves.map(({ to }) => to);
  if (!areNew) tx.withCommit(tx.queryPrepared(moveEntities, [tx.workspaceId, ids, states]));
  tx.withCommit(
    tx.queryPrepared(insertTransitions, [
      tx.workspaceId,
      ids,
      moves.map(() => newId()),
      moves.map(({ entity }) => entity.version_id),
      moves.map(({ entity }) => entity.revision_number),
      moves.map(({ from }) => from),
      states,
      moves.map(({ note }) => note),
      moves.map(({ actorId }) => actorId),
    ]),
  );
  if (slug === null) return;
  const events = moves.map(({ entity: { version_id: versionId, ...entity }, from, to }) => ({
    entity: { ...entity, versionId },
    fromState: from,
    toState: to,
  }));
  tx.withCommit(recordMoved(tx, slug, events));
}
