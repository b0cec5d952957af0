/** What every change by hand does before it changes an entity that is released. */
import type { Actor } from '../access/actor.ts';
import type { WorkspaceConfiguration } from '../configuration/current/workspace-configuration.ts';
import { newId } from '../db/ids.ts';
import type { Tx } from '../db/transaction.ts';
import type { EntityRow } from './entity.entity.ts';
import { lifecycleOf } from './lifecycle-of.ts';
import { reviseEntities } from './revise-entities.ts';

/**
 * Opens a new revision in the lifecycle's initial state where the row, which is locked, is in a released one;
 * the row is then the new revision's. Says whether it did.
 */
export async function reviseReleased(
  tx: Tx,
  actor: Actor,
  row: EntityRow,
  configuration: WorkspaceConfiguration,
): Promise<boolean> {
  const lifecycle = lifecycleOf(configuration, row.category);
  if (!lifecycle.releasedStates.has(row.state)) return false;
  const revising = { id: row.id, versionId: newId(), state: lifecycle.initialState };
  await reviseEntities(tx, [revising], actor.id);
  await tx.em.refresh(row);
  return true;
}
