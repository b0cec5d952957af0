/** Statements that change the units of an item. */

/** Lets one caller at a time change the units of an item. $1 workspace, $2 item. */
export const lockUnits = `
  select pg_advisory_xact_lock(hashtextextended('units of:' || $1::uuid::text || $2::uuid::text, 0))`;

/** Whether anything states a quantity of the item. $1 workspace, $2 item. */
export const selectUnitsState = `
  select exists (select from stock_ledger where workspace_id = $1 and item_id = $2 offset 0)
           or exists (select from stock_line where workspace_id = $1 and item_id = $2 offset 0)
           or exists (select from material_requirement where workspace_id = $1 and item_id = $2 offset 0) as is_used`;

/** $1 workspace, $2 item, $3 unit, $4 dimension, $5 numerator, $6 denominator. */
export const upsertBaseUnit = `
  insert into item_base_unit as b (workspace_id, item_id, unit, dimension, numerator, denominator)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (workspace_id, item_id) do update
  set unit = excluded.unit, dimension = excluded.dimension, numerator = excluded.numerator,
      denominator = excluded.denominator, version = b.version + 1`;

/** $1 workspace, $2 item. */
export const deleteBaseUnit = 'delete from item_base_unit where workspace_id = $1 and item_id = $2';

/** $1 workspace, $2 item. */
export const deleteItemUnits = 'delete from item_unit where workspace_id = $1 and item_id = $2';

/** $1 workspace, $2 item, $3 unit[], $4 numerator[], $5 denominator[]. */
export const insertItemUnits = `
  insert into item_unit (workspace_id, item_id, unit, numerator, denominator)
  select $1, $2, given.* from unnest($3::text[], $4::numeric[], $5::numeric[]) as given`;

/** Links whose base quantity depends on the units of the item, counted up to a bound. $1 workspace, $2 item, $3 bound. */
export const countLinksWithUnits = `
  select count(*)::int as count from (
    select from entity_link where workspace_id = $1 and child_id = $2 and (line ? 'unit' or line ? 'lines') limit $3) as l`;

/** A trigger of entity_link computes them. $1 workspace, $2 item. */
export const remakeBaseQuantities = `
  update entity_link set quantity = quantity where workspace_id = $1 and child_id = $2 and (line ? 'unit' or line ? 'lines')`;

/** $1 workspace, $2 item. */
export const forgetBaseQuantities = `
  update entity_link set base_quantity = null, base_line = null where workspace_id = $1 and child_id = $2 and base_quantity is not null`;
