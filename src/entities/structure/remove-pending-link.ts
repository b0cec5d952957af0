/** Takes a link that waits for its parent back, so that it is not made when the parent comes. */
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { lockStructure, noteStructureEdit } from '../lock-structure.ts';
import { type EntityRef, resolveEntityId } from '../resolve-entity.ts';
import { deletePendingLink } from './pending-links.sql.ts';
import { type StoredPendingLink, showPendingLink } from './show-pending-link.ts';

/**
 * Leaves an entry in the audit trail: no revision keeps what has never been a structure. Takes the structure lock, and no row of an entity:
 * neither end changes. Throws `entity_not_found` where there is no such child, and `pending_link_not_found`.
 */
export async function removePendingLink(
  tx: Tx,
  actor: Actor,
  wanted: {
    /** Lowercase, without braces. */
    parentGuid: string;
    child: EntityRef;
  },
): Promise<void> {
  const { parentGuid } = wanted;
  const childId = await resolveEntityId(tx, wanted.child);
  await lockStructure(tx);
  const [gone] = await tx.query<StoredPendingLink>(deletePendingLink, [tx.workspaceId, parentGuid, childId]);
  if (gone === undefined) {
    throw new AppError(
      'pending_link_not_found',
      `No link of entity ${childId} waits for the GUID ${parentGuid}.`,
    );
  }
  // A batch under way may have counted it among the children of an assembly that it brings (contract §2.10).
  await noteStructureEdit(tx);
  await recordChange(tx, {
    actor,
    action: 'delete',
    subjectType: 'pendingLink',
    subjectKey: `${parentGuid}/${childId}`,
    before: showPendingLink(gone),
    after: null,
  });
}
