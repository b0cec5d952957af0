/** What an edit of one link holds before it looks at anything. */
import { configurationForWriting } from '../configuration/current/configuration-for-writing.ts';
import type { WorkspaceConfiguration } from '../configuration/current/workspace-configuration.ts';
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import type { EntityRow } from './entity.entity.ts';
import { lockEntityRow } from './lock-entity-row.ts';
import { lockStructure } from './lock-structure.ts';
import { type EntityRef, resolveEntityIds } from './resolve-entity.ts';

export interface WantedUse {
  parent: EntityRef;
  child: EntityRef;
  /** Sees the parent's row as it is locked, and may refuse. */
  check?: (parent: EntityRow) => void;
}

/** The configuration, the structure lock and the parent's row, in this order. Throws `entity_not_found`. */
export async function lockUse(
  tx: Tx,
  wanted: WantedUse,
): Promise<{ parent: EntityRow; childId: string; configuration: WorkspaceConfiguration }> {
  const configuration = await configurationForWriting(tx);
  await lockStructure(tx);
  const ids = await resolveEntityIds(tx, [wanted.parent, wanted.child]);
  const [parentId, childId] = [wanted.parent, wanted.child].map((ref) => {
    const id = ids.get(ref);
    if (id === undefined)
      throw new AppError('entity_not_found', `There is no entity ${ref} in this workspace.`);
    return id;
  }) as [string, string];
  const parent = await lockEntityRow(tx, parentId);
  wanted.check?.(parent);
  return { parent, childId, configuration };
}
