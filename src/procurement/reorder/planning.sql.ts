/** Statements about the planning of items. */

export interface PlanningRow {
  item_id: string;
  item_number: string | null;
  item_name: string;
  policy: 'none' | 'demand' | 'reorderPoint' | 'minMax';
  reorder_point: string;
  maximum: string | null;
  safety: string;
  minimum: string | null;
  multiple: string | null;
  make_or_buy: 'make' | 'buy';
  lead_time_days: number | null;
  supplier_part_id: string | null;
  location_id: string | null;
  version: number;
}

const shown = (rows: string) => `
  select p.*, i.number as item_number, i.name as item_name
  from (${rows}) p
  cross join lateral (
    select number, name from entity where workspace_id = $1 and id = p.item_id and archived_at is null limit 1) i
  order by p.item_id`;

/** $1 workspace, $2 item. */
export const selectPlanning = 'select * from item_planning where workspace_id = $1 and item_id = $2';

/** Lets one caller at a time change the planning of an item. $1 workspace, $2 item. */
export const lockPlanning = `
  select pg_advisory_xact_lock(hashtextextended('planning of:' || $1::uuid::text || $2::uuid::text, 0))`;

/**
 * $1 workspace, $2 item, $3 policy, $4 reorder point, $5 maximum, $6 safety, $7 minimum, $8 multiple, $9 make or buy, $10 lead time, $11
 * supplier part, $12 location.
 */
export const upsertPlanning = `
  insert into item_planning as p (workspace_id, item_id, policy, reorder_point, maximum, safety, minimum, multiple, make_or_buy,
                                  lead_time_days, supplier_part_id, location_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  on conflict (workspace_id, item_id) do update
  set policy = excluded.policy, reorder_point = excluded.reorder_point, maximum = excluded.maximum, safety = excluded.safety,
      minimum = excluded.minimum, multiple = excluded.multiple, make_or_buy = excluded.make_or_buy,
      lead_time_days = excluded.lead_time_days, supplier_part_id = excluded.supplier_part_id, location_id = excluded.location_id,
      version = p.version + 1`;

/** Items with a policy, in the order of their ids. $1 workspace, $2 id behind which, $3 rows. Archived items count and are left out. */
export const selectPlanned = shown(
  `select * from item_planning where workspace_id = $1 and policy <> 'none' and item_id > $2 order by item_id limit $3`,
);

/** The item at which such a window ends, and the next one; fewer rows if the window reaches the last. $1 workspace, $2 id, $3 rows. */
export const selectPlannedEnd = `
  select item_id as id from item_planning
  where workspace_id = $1 and policy <> 'none' and item_id > $2 order by item_id offset $3 - 1 limit 2`;

/** $1 workspace, $2 item[]. */
export const selectPlannedItems = shown(
  `select * from item_planning where workspace_id = $1 and policy <> 'none' and item_id = any($2::uuid[])`,
);

/** Lets one caller at a time order from the reorder list, so that nothing is ordered twice. $1 workspace. */
export const lockReorder = `
  select pg_advisory_xact_lock(hashtextextended('reorder in:' || $1::uuid::text, 0))`;
