/** Removes links that wait for their parent, so that they are not made when the parent comes. */
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { lockStructure, noteStructureEdit } from '../links/lock-structure.ts';
import { type EntityRef, resolveEntityId } from '../resolve-entity.ts';
import { deletePendingLink, deletePendingLinks } from './pending-links.sql.ts';
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
  await recordRemovals(tx, actor, [gone]);
}

/** Removes several pending links that exist. The caller holds the structure lock. */
export async function removePendingLinks(
  tx: Tx,
  actor: Actor,
  links: readonly StoredPendingLink[],
): Promise<void> {
  if (links.length === 0) return;
  await tx.query(deletePendingLinks, [
    tx.workspaceId,
    links.map((link) => link.parent_guid),
    links.map((link) => link.child_id),
  ]);
  await recordRemovals(tx, actor, links);
}

async function recordRemovals(tx: Tx, actor: Actor, links: readonly StoredPendingLink[]): Promise<void> {
  // A batch under way may have counted them among the children of an assembly that it brings (contract §2.10).
  await noteStructureEdit(tx);
  const recording = links.map((link) =>
    recordChange(tx, {
      actor,
      action: 'delete',
      subjectType: 'pendingLink',
      subjectKey: `${link.parent_guid}/${link.child_id}`,
      before: showPendingLink(link),
      after: null,
    }),
  );
  await Promise.all(recording);
}
