/** Makes one entity the child of another, or changes how many of it are used. */
import type { Actor } from '../access/actor.ts';
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { microOfDecimal } from '../quantity.ts';
import { closesCycle, dropPendingLink, selectLink, touchEntity, upsertLink } from './entity-links.sql.ts';
import { noteStructureEdit } from './lock-structure.ts';
import { lockUse, type WantedUse } from './lock-use.ts';
import { reviseReleased } from './revise-released.ts';

export interface UseSet {
  parentId: string;
  childId: string;
  /** Of the parent, for its entity tag. */
  version: number;
  result: 'created' | 'updated' | 'unchanged';
}

/**
 * A released parent gets a new revision first. The same quantity again writes nothing. Takes the configuration
 * and structure locks: call it before entity rows are locked. Throws `entity_not_found`, `cycle`.
 */
export async function setUse(
  tx: Tx,
  actor: Actor,
  wanted: WantedUse & { /** numeric(15, 6) as text, above 0. */ quantity: string },
): Promise<UseSet> {
  const { parent, childId, configuration } = await lockUse(tx, wanted);
  const ends = [tx.workspaceId, parent.id, childId];
  const [stored] = await tx.query<{ quantity: string }>(selectLink, ends);
  const set = { parentId: parent.id, childId };
  if (stored !== undefined && microOfDecimal(stored.quantity) === microOfDecimal(wanted.quantity)) {
    return { ...set, version: parent.version, result: 'unchanged' };
  }
  if (stored === undefined) {
    const [found] = await tx.query<{ closes: boolean }>(closesCycle, ends);
    if (found?.closes !== false) throw cycle();
    await noteStructureEdit(tx);
  }
  await reviseReleased(tx, actor, parent, configuration);
  await tx.query(upsertLink, [...ends, wanted.quantity]);
  await tx.query(dropPendingLink, ends);
  const [touched] = await tx.query<{ version: number }>(touchEntity, [tx.workspaceId, parent.id]);
  return {
    ...set,
    version: touched?.version ?? parent.version,
    result: stored === undefined ? 'created' : 'updated',
  };
}

function cycle(): AppError {
  return new AppError(
    'cycle',
    'The parent is the child itself, or is used by it somewhere below (links that a batch is about to make count too): an entity cannot be part of itself.',
  );
}
