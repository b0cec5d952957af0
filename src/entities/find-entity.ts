/** Reads one entity. */
import type { Tx } from '../db/transaction.ts';
import { selectEntity, selectEntityByGuid } from './entity.sql.ts';
import { type EntityRef, entityNotFound, splitRefs } from './resolve-entity.ts';
import type { StoredEntity } from './show-entity.ts';

/** Finds an entity by its id or GUID in one statement. Throws `entity_not_found`. */
export async function findEntity(tx: Tx, ref: EntityRef): Promise<StoredEntity> {
  const { guids } = splitRefs([ref]);
  const [row] = await tx.queryPrepared<StoredEntity>(guids.length > 0 ? selectEntityByGuid : selectEntity, [
    tx.workspaceId,
    guids[0] ?? ref,
  ]);
  if (row === undefined) throw entityNotFound(ref);
  return row;
}
