/** How an entity is read: the columns of its row and whether its state is a released one. */
import { pageHasRoom } from '../db/read-page.sql.ts';
import { baseUnitOf } from './units/item-units.sql.ts';

/** The keys of reference properties; null where no entity was ever merged, which one probe tells each statement. */
const referenceKeys = `(
    select array_agg(key) from property_definition
    where workspace_id = $1 and type = 'reference' and exists (select from entity_alias where workspace_id = $1))`;

/**
 * The properties of entity `e`, in which a reference to a merged entity names the one that stays. The id is computed below its own
 * LATERAL: row-level security would keep a comparison with the expression from the index. $1 workspace.
 */
const shownProperties = `case when ${referenceKeys} is null then e.properties else e.properties || coalesce((
    select jsonb_object_agg(k.key, a.entity_id)
    from unnest(${referenceKeys}) as k (key)
    cross join lateral (
      select case when e.properties ->> k.key ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (e.properties ->> k.key)::uuid end as id
      offset 0) as r
    cross join lateral (select entity_id from entity_alias where workspace_id = $1 and id = r.id offset 0) as a), '{}') end`;

/**
 * Columns of entity `e`, with $1 the workspace. `released` by containment in the lifecycle's states: two index
 * probes and no unnesting; the configuration is not loaded for a read.
 */
const columnsWith = (properties: string) => `
  e.id, e.version_id, e.guid, e.number, e.name, e.category, e.state, e.revision_number, ${properties}, e.version,
  e.parent_location_id, e.created_at, e.updated_at, e.archived_at,
  encode(e.picture, 'hex') as picture, ${baseUnitOf('e.id')} as unit,
  case when e.archived_at is not null then (
    select entity_id from entity_alias where workspace_id = $1 and id = e.id) end as merged_into,
  coalesce((
    select l.states @> jsonb_build_array(jsonb_build_object('name', e.state, 'released', true))
    from category c join lifecycle l on l.workspace_id = $1 and l.key = c.lifecycle
    where c.workspace_id = $1 and c.key = e.category), false) as released`;

const entityColumns = columnsWith(`${shownProperties} as properties`);

/** The columns for lists, which pass large properties on as the text that they are. */
export const listedColumns = columnsWith(`(${shownProperties})::text as properties`);

/**
 * The entities of a page, which `readPage` reads: the text of the properties, which is most of what such a page costs, is made
 * once for its size and for the answer, and of no row behind the bound. In the order of the primary key, without a sort
 * (`preferIndexOrder`): before one the texts of all rows would be made. $1 workspace, $2 id[].
 */
export const selectEntitiesByIds = `
  select ${columnsWith('t.properties')}
  from entity e cross join lateral (
    select case when ${pageHasRoom} then (${shownProperties})::text end as properties offset 0) as t
  where e.workspace_id = $1 and e.id = any($2::uuid[]) order by e.id`;

/** The columns whose values can be long. */
export const longEntityColumns = ['number', 'name', 'properties'] as const;

/** $1 workspace, $2 id. */
export const selectEntity = `select ${entityColumns} from entity e where e.workspace_id = $1 and e.id = $2`;

/**
 * SQL: the id of the entity that has the GUID, or of which it is an alias. No `coalesce`: row-level security would keep the comparison
 * with it from the index.
 */
export const idOfGuid = (guid: string) => `(
    select id from entity where workspace_id = $1 and guid = ${guid}
    union all
    select entity_id from entity_alias where workspace_id = $1 and guid = ${guid} limit 1)`;

/** $1 workspace, $2 guid. */
export const selectEntityByGuid = `
  select ${entityColumns} from entity e where e.workspace_id = $1 and e.id = ${idOfGuid('$2')}`;

/** $1 workspace, $2 id. */
export const selectGuidAndParent = `select guid, parent_location_id from entity where workspace_id = $1 and id = $2`;

/** Selects in the order of the ids. $1 workspace, $2 id[]. */
export const selectEntitiesInOrder = `
  select ${listedColumns} from unnest($2::uuid[]) with ordinality as i (id, place)
  cross join lateral (select * from entity where workspace_id = $1 and id = i.id offset 0) as e order by i.place`;
