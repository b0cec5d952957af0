/** Opens a new revision of entities: the one way in which a released revision is left behind. */

import type { Actor } from '../actor.ts';
import { categoryOf, type WorkspaceConfiguration } from '../configuration/current/workspace-configuration.ts';
import { newId } from '../db/ids.ts';
import type { Tx } from '../db/transaction.ts';
import type { EntityRow } from './entity.entity.ts';
import { archiveEntities, archiveLinks, openRevisions } from './revise-entities.sql.ts';

export interface Revising {
  id: string;
  /** Identifies the new revision. */
  versionId: string;
  /** The state of the new revision: the lifecycle's initial one. */
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

/**
 * Opens a new revision in the lifecycle's initial state if the locked row is released; the row is then the new
 * revision's. Every change by hand does this first. Returns whether it did.
 */
export async function reviseReleased(
  tx: Tx,
  actor: Actor,
  row: EntityRow,
  configuration: WorkspaceConfiguration,
): Promise<boolean> {
  const { lifecycle } = categoryOf(configuration, row.category);
  if (!lifecycle.releasedStates.has(row.state)) return false;
  const revising = { id: row.id, versionId: newId(), state: lifecycle.initialState };
  await reviseEntities(tx, [revising], actor.id);
  await tx.em.refresh(row);
  return true;
}
