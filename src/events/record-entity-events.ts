/**
 * The events of a single entity that was written other than by a sync (contract §5.4): nobody
 * has to ask whether somebody listens.
 */
import type { Tx } from '../db/transaction.ts';
import { listeningSlug, recordEvents } from './record-events.ts';

export interface EventEntity {
  id: string;
  versionId: string;
  guid?: string | null | undefined;
  number?: string | null | undefined;
  category: string;
}

export interface EventChange {
  property: string;
  from: unknown;
  to: unknown;
}

export function recordEntityCreated(tx: Tx, entity: EventEntity): Promise<void> {
  return recordEntitiesCreated(tx, [entity]);
}

export async function recordEntitiesCreated(tx: Tx, entities: readonly EventEntity[]): Promise<void> {
  const slug = await listeningSlug(tx, 'entityCreated');
  if (slug !== null) await recordCreated(tx, slug, entities);
}

/** Records created entities when it is known that somebody listens, in the workspace of that slug. One statement. */
export function recordCreated(tx: Tx, slug: string, entities: readonly EventEntity[]): Promise<void> {
  return recordEvents(
    tx,
    'entityCreated',
    entities.map((entity) => subjectOf(entity, slug)),
  );
}

export async function recordEntityUpdated(
  tx: Tx,
  entity: EventEntity,
  changes: readonly EventChange[],
): Promise<void> {
  const slug = await listeningSlug(tx, 'entityUpdated');
  if (slug === null) return;
  await recordEvents(tx, 'entityUpdated', [{ ...subjectOf(entity, slug), changes }]);
}

export interface EventMove {
  entity: EventEntity;
  fromState: string;
  toState: string;
}

/** Records transitions as `recordCreated` does. `entityId` is that of the version (interface, Events). */
export function recordMoved(tx: Tx, workspaceSlug: string, moves: readonly EventMove[]): Promise<void> {
  return recordEvents(
    tx,
    'lifecycleTransition',
    moves.map(({ entity: { versionId: entityId, number: entityNumber = null }, fromState, toState }) => ({
      entityId,
      entityNumber,
      fromState,
      toState,
      workspaceSlug,
    })),
  );
}

function subjectOf({ id, number, guid, category }: EventEntity, workspaceSlug: string) {
  return {
    entityId: id,
    entityNumber: number ?? null,
    entityGuid: guid ?? null,
    categoryKey: category,
    workspaceSlug,
    batchId: null,
  };
}
