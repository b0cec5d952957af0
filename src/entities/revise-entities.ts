/** Opens a new revision of entities: the one way in which a released revision is left behind. */
import type { Tx } from '../db/transaction.ts';
import { archiveEntities, archiveLinks, openRevisions } from './revise-entities.sql.ts';

export interface Revising {
  id: string;
  /** Identifies the new revision. */
  versionId: string;
  /** Of the new revision: the lifecycle's initial one. */
  state: string;
}

/**
 * Copies the current revision, values and structure, to the history and starts the next one with the same
 * values. The caller holds the rows' locks and writes its changes after this.
 */
export async function reviseEntities(tx: Tx, entities: readonly Revising[], actorId: string): Promise<void> {
  if (entities.length === 0) return;
  const ids = entities.map((entity) => entity.id);
  await tx.query(archiveEntities, [tx.workspaceId, ids]);
  await tx.query(archiveLinks, [tx.workspaceId, ids]);
  await tx.query(openRevisions, [
    tx.workspaceId,
    ids,
    entities.map((entity) => entity.versionId),
    entities.map((entity) => entity.state),
    actorId,
  ]);
}
