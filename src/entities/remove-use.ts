/** Takes a child out of an entity's structure. */
import type { Actor } from '../access/actor.ts';
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { deleteLink, dropPendingLink, selectLink, touchEntity } from './entity-links.sql.ts';
import { noteStructureEdit } from './lock-structure.ts';
import { lockUse, type WantedUse } from './lock-use.ts';
import { reviseReleased } from './revise-released.ts';

/**
 * A released parent gets a new revision first; the released one keeps the child. Locks as `setUse` does.
 * Throws `entity_not_found`, and `use_not_found` where the child is none.
 */
export async function removeUse(tx: Tx, actor: Actor, wanted: WantedUse): Promise<void> {
  const { parent, childId, configuration } = await lockUse(tx, wanted);
  const ends = [tx.workspaceId, parent.id, childId];
  if ((await tx.query(selectLink, ends)).length === 0) {
    throw new AppError('use_not_found', `Entity ${parent.id} has no child ${childId}.`);
  }
  await reviseReleased(tx, actor, parent, configuration);
  await tx.query(deleteLink, ends);
  await tx.query(dropPendingLink, ends);
  await noteStructureEdit(tx);
  await tx.query(touchEntity, [tx.workspaceId, parent.id]);
}
