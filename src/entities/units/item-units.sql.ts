/** Units of items. */

const ownUnits = (item: string) => `
  cross join lateral (
    select item_id, unit from item_base_unit where workspace_id = $1 and item_id = ${item} limit 1) b
  left join lateral (
    select unit, numerator, denominator from item_unit where workspace_id = $1 and item_id = ${item} offset 0) u on true`;
const unitColumns =
  'b.unit as base_unit, u.unit, u.numerator::text as numerator, u.denominator::text as denominator';

function converted(found: string, item: string): string {
  return `
  select place::int as place, (wanted.quantity * f.numerator / f.denominator)::float8 as amount
  from unnest($2::uuid[], $3::text[], $4::numeric[]) with ordinality as wanted (item, unit, quantity, place)
  ${found}
  cross join lateral unit_factor($1, ${item}, btrim(wanted.unit)) f
  where f.numerator is not null`;
}

/** The base unit of an item, or null: one probe, as a column. `item` is an expression. $1 workspace. */
export const baseUnitOf = (item: string) =>
  `(select unit from item_base_unit where workspace_id = $1 and item_id = ${item})`;

/** Base units of items that have one. $1 workspace, $2 item[]. */
export const selectBaseUnits = `
  select b.item_id as id, b.unit from unnest($2::uuid[]) as wanted (id)
  cross join lateral (
    select item_id, unit from item_base_unit where workspace_id = $1 and item_id = wanted.id limit 1) b`;

/** $1 workspace, $2 item[]. */
export const selectItemUnits = `
  select b.item_id::text as item, ${unitColumns} from unnest($2::uuid[]) as wanted (id) ${ownUnits('wanted.id')}
  order by b.item_id, u.unit`;

/** $1 workspace, $2 GUID[]. */
export const selectUnitsByGuid = `
  select wanted.guid::text as item, ${unitColumns} from unnest($2::uuid[]) as wanted (guid)
  cross join lateral (select id from entity where workspace_id = $1 and guid = wanted.guid limit 1) e ${ownUnits('e.id')}
  order by wanted.guid, u.unit`;

/**
 * Which units of items the triggers of links convert, and the quantities in the base unit. $1 workspace, $2 GUID[], $3 unit[] and $4
 * quantity[] beside them; `place` counts from 1.
 */
export const selectConverted = converted(
  'cross join lateral (select id from entity where workspace_id = $1 and guid = wanted.item limit 1) e',
  'e.id',
);

/** Selects the same by the ids of the items, $2 item[]. */
export const selectConvertedById = converted('', 'wanted.item');
