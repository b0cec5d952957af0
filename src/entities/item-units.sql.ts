/** Units of items. */

/** $1 workspace, $2 item[]. */
export const selectItemUnits = `
  select b.item_id, b.unit as base_unit, u.unit, u.numerator::text as numerator, u.denominator::text as denominator
  from unnest($2::uuid[]) as wanted (id)
  cross join lateral (
    select item_id, unit from item_base_unit where workspace_id = $1 and item_id = wanted.id limit 1) b
  left join lateral (
    select unit, numerator, denominator from item_unit where workspace_id = $1 and item_id = wanted.id offset 0) u on true
  order by b.item_id, u.unit`;
