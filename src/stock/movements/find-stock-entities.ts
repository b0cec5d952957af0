/** The items and locations that a request names, with what the answers show of them. */
import type { Tx } from '../../db/transaction.ts';
import { type EntityRef, splitRefs } from '../../entities/resolve-entity.ts';

export interface StockEntity {
  id: string;
  number: string | null;
  name: string;
  /** SHA-256 of its picture, in hexadecimal. */
  picture: string | null;
  isItem: boolean;
  isLocation: boolean;
  isArchived: boolean;
}

interface Row {
  ref: string;
  id: string;
  number: string | null;
  name: string;
  /** SHA-256 of its picture, in hexadecimal. */
  picture: string | null;
  role: string;
  is_archived: boolean;
}

// Lateral with a limit: a loop over the index, whatever a cached plan was made for.
const found = (column: 'id' | 'guid') => `
  cross join lateral (
    select e.id, e.number, e.name, c.role, e.archived_at is not null as is_archived,
           encode(e.picture, 'hex') as picture
    from entity e join category c on c.workspace_id = e.workspace_id and c.key = e.category
    where e.workspace_id = $1 and e.${column} = wanted.${column} limit 1
  ) found`;
export const selectStockEntities = `select found.id::text as ref, found.* from unnest($2::uuid[]) as wanted (id) ${found('id')}`;
const selectByGuid = `
  select 'guid:' || wanted.guid as ref, found.* from unnest($2::uuid[]) as wanted (guid) ${found('guid')}`;

/** Returns entities by reference; those that do not exist in the workspace are absent. */
export async function findStockEntities(
  tx: Tx,
  refs: Iterable<EntityRef>,
): Promise<Map<EntityRef, StockEntity>> {
  const { ids, guids } = splitRefs(refs);
  const lists = await Promise.all([
    ids.length === 0 ? [] : tx.queryPrepared<Row>(selectStockEntities, [tx.workspaceId, ids]),
    guids.length === 0 ? [] : tx.queryPrepared<Row>(selectByGuid, [tx.workspaceId, guids]),
  ]);
  return new Map(
    lists.flat().map(({ ref, id, number, name, picture, role, is_archived: isArchived }) => [
      ref,
      {
        id,
        number,
        name,
        picture,
        isItem: role === 'item' || role === 'itemAndLocation',
        isLocation: role === 'location' || role === 'itemAndLocation',
        isArchived,
      },
    ]),
  );
}
