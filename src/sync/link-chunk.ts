/** Last pass over a chunk: its links, once all entities of the batch are there. */
import type { WorkspaceConfiguration } from '../configuration/load-configuration.ts';
import { newId } from '../db/ids.ts';
import type { Tx } from '../db/transaction.ts';
import { reviseEntities } from '../entities/revise-entities.ts';
import { microsText } from './compare-links.ts';
import {
  lockParents,
  lockStructure,
  resolvePendingLinks,
  upsertLinks,
  upsertPendingLinks,
} from './link-chunk.sql.ts';

export interface WantedLink {
  childGuid: string;
  parentGuid: string;
  quantityMicros: number;
}

/**
 * Writes the chunk's links and makes those that waited for the GUIDs it created. Parents that are released
 * still (they are not part of the batch) get a new revision first: a released structure never changes.
 */
export async function linkChunk(
  tx: Tx,
  workspaceId: string,
  actorId: string,
  links: readonly WantedLink[],
  createdGuids: readonly string[],
  configuration: WorkspaceConfiguration,
): Promise<void> {
  if (links.length === 0 && createdGuids.length === 0) return;
  await tx.query(lockStructure, [workspaceId]);
  if (links.length > 0) {
    const parentGuids = [...new Set(links.map((link) => link.parentGuid))];
    const parents = await tx.query<{ id: string; state: string; category: string }>(lockParents, [
      workspaceId,
      parentGuids,
    ]);
    const released = parents.flatMap(({ id, state, category }) => {
      const lifecycle = configuration.categories.get(category)?.lifecycle;
      return lifecycle?.releasedStates.has(state)
        ? [{ id, versionId: newId(), state: lifecycle.initialState }]
        : [];
    });
    await reviseEntities(tx, workspaceId, released, actorId);
    const columns = [
      workspaceId,
      links.map((link) => link.childGuid),
      links.map((link) => link.parentGuid),
      links.map((link) => microsText(link.quantityMicros)),
    ];
    await tx.query(upsertLinks, columns);
    if (parents.length < parentGuids.length) await tx.query(upsertPendingLinks, columns);
  }
  if (createdGuids.length > 0) await tx.query(resolvePendingLinks, [workspaceId, createdGuids]);
}
