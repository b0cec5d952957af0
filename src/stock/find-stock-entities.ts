/** The items and locations that a request names, with what the answers show of them. */
import type { Tx } from '../db/transaction.ts';
import { type EntityRef, splitRefs } from '../entities/resolve-entity.ts';

export interface StockEntity {
  id: string;
  number: string | null;
  name: string;
  isItem: boolean;
  isLocation: boolean;
}

interface Row {
  ref: string;
  id: string;
  number: string | null;
  name: string;
  role: string;
}

// A branch for each index, as in resolve-entity.ts; the category rows are a few dozen.
const columns = 'e.id, e.number, e.name, c.role';
const source = 'from entity e join category c on c.workspace_id = e.workspace_id and c.key = e.category';
const selectStockEntities = `
  select e.id::text as ref, ${columns} ${source} where e.workspace_id = $1 and e.id = any($2::uuid[])
  union all
  select 'guid:' || e.guid, ${columns} ${source} where e.workspace_id = $1 and e.guid = any($3::uuid[])`;

/** By reference; what does not exist in the workspace is absent. */
export async function findStockEntities(
  tx: Tx,
  refs: Iterable<EntityRef>,
): Promise<Map<EntityRef, StockEntity>> {
  const { ids, guids } = splitRefs(refs);
  const rows = await tx.query<Row>(selectStockEntities, [tx.workspaceId, ids, guids]);
  return new Map(
    rows.map(({ ref, id, number, name, role }) => [
      ref,
      {
        id,
        number,
        name,
        isItem: role === 'item' || role === 'itemAndLocation',
        isLocation: role === 'location' || role === 'itemAndLocation',
      },
    ]),
  );
}
