/** Parts as a design tool chooses them. All take the workspace as $1. */
import { entitiesOfCategory } from '../entities/entities-of-category.sql.ts';

/**
 * With what is on hand in all places, its first active supplier parts of active suppliers, and whether another entity has the number. Each part is a few probes of its own:
 * as joins, tables that were never analysed get a hash of everything.
 */
const libraryColumns = `
  e.id, e.version, e.guid, e.number, e.name, e.category, e.properties,
  (select coalesce(sum(p.on_hand), 0)::text from stock_position p
   where p.workspace_id = $1 and p.item_id = e.id) as on_hand,
  (select coalesce(sum(p.on_hand - p.reserved), 0)::text from stock_position p
   where p.workspace_id = $1 and p.item_id = e.id) as available,
  (select json_agg(s) from (
     select s.name as supplier, p.sku, p.manufacturer, p.mpn from supplier_part p
     cross join lateral (select name, state from supplier where workspace_id = $1 and id = p.supplier_id limit 1) s
     where p.workspace_id = $1 and p.item_id = e.id and p.status = 'active' and s.state = 'active'
     order by p.rank, p.id limit 3) s) as sold,
  exists (select from entity o where o.workspace_id = $1 and o.number = e.number and o.id <> e.id offset 0) as is_double`;

/** Columns that may be long. */
export const longLibraryColumns = ['number', 'name', 'properties', 'sold'] as const;

/** $2 category, $3 rows, $4 the id to go on behind; the least one at first. */
export const selectLibraryParts = `
  select ${libraryColumns}
  from (${entitiesOfCategory('id', { category: '$2', after: '$4', rows: '$3', only: 'archived_at is null' })}) i
  cross join lateral (select * from entity where workspace_id = $1 and id = i.id offset 0) e`;

/** $2 categories, $3 how many are shown of each: those that have more. A bounded walk along an index for each. */
export const selectLargeCategories = `
  select c.key from unnest($2::text[]) as c (key)
  where exists (
    select from entity
    where workspace_id = $1 and category >= c.key and category <= c.key and archived_at is null
    order by category, state, id offset $3 limit 1)`;

/** $2 id; that of a merged part finds the one that stays, because drawings keep it. */
export const selectLibraryPart = `
  select ${libraryColumns}
  from (
    select * from entity where workspace_id = $1
      and id = coalesce((select entity_id from entity_alias where workspace_id = $1 and id = $2), $2)) e`;
