/** Takes the row of an entity that is to be changed. */
import { LockMode } from '@mikro-orm/postgresql';
import type { Tx } from '../db/transaction.ts';
import { EntityRow } from './entity.entity.ts';
import { entityNotFound } from './resolve-entity.ts';

/** Reads the row and locks it until the transaction ends: the caller may change its values and links. */
export async function lockEntityRow(tx: Tx, id: string): Promise<EntityRow> {
  const row = await tx.em.findOne(
    EntityRow,
    { workspaceId: tx.workspaceId, id },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
  if (row === null) throw entityNotFound(id);
  return row;
}
