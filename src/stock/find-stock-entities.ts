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

// Lateral with a limit: a loop over the index of each, whatever a cached plan was made for.
const columns = 'e.id, e.number, e.name, c.role';
const withRole = 'join category c on c.workspace_id = e.workspace_id and c.key = e.category';
const selectStockEntities = `
  select wanted.id::text as ref, found.*
  from unnest($2::uuid[]) as wanted (id) cross join lateral (
    select ${columns} from entity e ${withRole} where e.workspace_id = $1 and e.id = wanted.id limit 1
  ) found
  union all
  select 'guid:' || wanted.guid, found.*
  from unnest($3::uuid[]) as wanted (guid) cross join lateral (
    select ${columns} from entity e ${withRole} where e.workspace_id = $1 and e.guid = wanted.guid limit 1
  ) found`;

/** By reference; what does not exist in the workspace is absent. */
export async function findStockEntities(
  tx: Tx,
  refs: Iterable<EntityRef>,
): Promise<Map<EntityRef, StockEntity>> {
  const { ids, guids } = splitRefs(refs);
  const rows = await tx.queryPrepared<Row>(selectStockEntities, [tx.workspaceId, ids, guids]);
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
