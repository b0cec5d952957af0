/** SQL that finds the entities that movements name. */
import { baseUnitOf } from '../../entities/units/item-units.sql.ts';

// Lateral with a limit: a loop over the index, whatever a cached plan was made for.
const found = (column: 'id' | 'guid') => `
  cross join lateral (
    select e.id, e.number, e.name, c.role, e.archived_at is not null as is_archived,
           encode(e.picture, 'hex') as picture, e.revision_number, ${baseUnitOf('e.id')} as unit
    from entity e join category c on c.workspace_id = e.workspace_id and c.key = e.category
    where e.workspace_id = $1 and e.${column} = wanted.${column} limit 1
  ) found`;

/** $1 workspace, $2 id[]. */
export const selectStockEntities = `select found.id::text as ref, found.* from unnest($2::uuid[]) as wanted (id) ${found('id')}`;
/** $1 workspace, $2 guid[]. */
export const selectByGuid = `
  select 'guid:' || wanted.guid as ref, found.* from unnest($2::uuid[]) as wanted (guid) ${found('guid')}`;

/** Entities of which a GUID is an alias. $1 workspace, $2 guid[]. */
export const selectByAlias = `
  select 'guid:' || wanted.guid as ref, found.*
  from unnest($2::uuid[]) as aliased (guid)
  cross join lateral (
    select aliased.guid, entity_id as id from entity_alias where workspace_id = $1 and guid = aliased.guid limit 1) as wanted
  ${found('id')}`;
