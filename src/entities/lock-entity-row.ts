/** Takes the row of an entity that is to be changed. */
import { LockMode } from '@mikro-orm/postgresql';
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { EntityRow } from './entity.entity.ts';

/** Reads the row and locks it until the transaction ends: the caller may change its values and links. */
export async function lockEntityRow(tx: Tx, id: string): Promise<EntityRow> {
  const row = await tx.em.findOne(
    EntityRow,
    { workspaceId: tx.workspaceId, id },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
  if (row === null) throw new AppError('entity_not_found', `There is no entity ${id} in this workspace.`);
  return row;
}
