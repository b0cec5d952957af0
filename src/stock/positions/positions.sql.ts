/**
 * Pages of positions, of an item by location and of a location by item: one index range each, whatever the
 * number of positions. The page is cut before names are looked up, and each name is a probe of its own: as a
 * join, tables that were never analysed get a hash of all entities.
 */

import { hasWords } from '../../entities/lists/search-patterns.ts';
import { below, pathOf } from '../../entities/locations.sql.ts';
import { baseUnitOf } from '../../entities/units/item-units.sql.ts';

/** Whose positions are listed: `item` lists an item's over locations. */
export type Side = 'item' | 'location';

export function otherSide(side: Side): Side {
  return side === 'item' ? 'location' : 'item';
}

export interface PositionRow {
  item_id: string;
  item_number: string | null;
  item_name: string;
  item_picture: string | null;
  item_revision: number;
  unit: string | null;
  location_id: string;
  location_number: string | null;
  location_name: string;
  location_path: string[];
  on_hand: string;
  reserved: string;
  blocked: string;
  /** Is null for an item that is not tracked. */
  in_lots: string | null;
  on_order: string;
  updated_us: string;
  /** When it was counted last; null if never. */
  counted_us: string | null;
}

const shown = `
  select p.item_id, i.number as item_number, i.name as item_name, encode(i.picture, 'hex') as item_picture,
         i.revision_number as item_revision, ${baseUnitOf('p.item_id')} as unit, p.location_id, l.number as location_number, l.name as location_name, ${pathOf('l')} as location_path,
         p.on_hand, p.reserved, p.blocked, p.in_lots, p.on_order, (extract(epoch from p.updated_at) * 1000000)::bigint as updated_us,
         (select (extract(epoch from c.counted_at) * 1000000)::bigint from stock_count c
          where c.workspace_id = $1 and c.item_id = p.item_id and c.location_id = p.location_id
          order by c.id desc limit 1) as counted_us`;
const named = `
  cross join lateral (
    select number, name, picture, revision_number from entity where workspace_id = $1 and id = p.item_id limit 1) i
  cross join lateral (
    select id, number, name, parent_location_id from entity
    where workspace_id = $1 and id = p.location_id limit 1) l`;

/** Tests whether a position matches: `short` asks for those with nothing available, `since` for those without a count since that id. */
const matches = (position: string, short: string, since: string) => `
  (not ${short}::boolean or ${position}.on_hand - ${position}.reserved <= 0)
  and (${since}::uuid is null or not exists (
    select from stock_count
    where workspace_id = $1 and item_id = ${position}.item_id and location_id = ${position}.location_id
      and id >= ${since} offset 0))`;

/** $1 workspace, $2 the entity, $3 the other side's id to go on behind, $4 rows. */
export function selectPositions(side: Side): string {
  const other = otherSide(side);
  return `
    ${shown}
    from (
      select * from stock_position
      where workspace_id = $1 and ${side}_id = $2 and ${other}_id > $3
      order by ${other}_id limit $4
    ) p ${named}
    order by p.${other}_id`;
}

/**
 * Selects positions with stock on hand, looking at up to $5. $1 to $4 as above; selectScanEnd says where such a
 * look ends.
 */
export function selectStockedPositions(side: Side): string {
  const other = otherSide(side);
  return `
    ${shown}
    from (
      select * from (
        select * from stock_position
        where workspace_id = $1 and ${side}_id = $2 and ${other}_id > $3
        order by ${other}_id limit $5
      ) s
      where s.on_hand > 0
      order by ${other}_id limit $4
    ) p ${named}
    order by p.${other}_id`;
}

/**
 * Selects positions of all items, looking at up to $7 for matches. $1 workspace, $2 item and $3 location to
 * continue after, $4 rows, $5 whether only those with nothing available, $6 the id since which they were not counted, or null.
 */
export const selectAllPositions = `
  ${shown}
  from (
    select * from (
      select * from stock_position where workspace_id = $1 and (item_id, location_id) > ($2::uuid, $3::uuid)
      order by item_id, location_id limit $7
    ) s
    where ${matches('s', '$5', '$6')}
    order by item_id, location_id limit $4
  ) p ${named}
  order by p.item_id, p.location_id`;

/** The key at which such a look ends; no row where there are no more. $1 to $3 as above, $4 how many it passes. */
export const selectAllScanEnd = `
  select item_id, location_id from stock_position
  where workspace_id = $1 and (item_id, location_id) > ($2::uuid, $3::uuid)
  order by item_id, location_id offset $4 - 1 limit 1`;

/**
 * Selects positions of all items with the text, where those are too many to go from them to their positions: as many positions as $7 are
 * looked at, as in selectAllPositions. $1 to $7 as there, $8 text.
 */
export const selectPositionsWithText = `
  ${shown}
  from (
    select s.* from (
      select * from stock_position where workspace_id = $1 and (item_id, location_id) > ($2::uuid, $3::uuid)
      order by item_id, location_id limit $7
    ) s
    cross join lateral (
      select number, name from entity where workspace_id = $1 and id = s.item_id limit 1) n
    where ${matches('s', '$5', '$6')} and ${hasWords('$8', 'n')}
    order by s.item_id, s.location_id limit $4
  ) p ${named}
  order by p.item_id, p.location_id`;

/** Selects positions of these items: a range of the primary key each. $1 to $6 as above, $7 item[]. */
export const selectPositionsOfItems = `
  ${shown}
  from (
    select s.* from unnest($7::uuid[]) as i (id)
    cross join lateral (
      select * from stock_position sp
      where workspace_id = $1 and item_id = i.id and (item_id, location_id) > ($2::uuid, $3::uuid)
        and ${matches('sp', '$5', '$6')}
      order by item_id, location_id limit $4
    ) s
    order by s.item_id, s.location_id limit $4
  ) p ${named}
  order by p.item_id, p.location_id`;

/** Items by what is in their numbers and names (see search-entities.sql.ts). $1 text, $2 at most. */
export const findItems = 'select id from search_lines($1::text, $2)';

/**
 * Selects positions as they were before an entry id: one probe of stock_ledger_time for each position. $5 that id,
 * $6 how many positions to look at: those that began later are skipped, and a page must not skip all of them. $7
 * whether only those with something on hand then, $8 a day or null: what was recorded since as of that day or an earlier one is added.
 * Only positions of tracked items have blocked stock: the sum of the few entries of its type.
 */
export function selectPositionsAsOf(side: Side): string {
  const other = otherSide(side);
  return `
    ${shown}
    from (
      select s.item_id, s.location_id, coalesce(e.on_hand_after, 0) + coalesce(late.on_hand, 0) as on_hand,
             coalesce(e.reserved_after, 0) + coalesce(late.reserved, 0) as reserved,
             coalesce(e.on_order_after, 0) + coalesce(late.on_order, 0) as on_order,
             case when s.in_lots is null then 0 else coalesce((
               select sum(quantity) from stock_ledger
               where workspace_id = $1 and item_id = s.item_id and movement_type = 'LotStatus' and location_id = s.location_id
                 and (id < $5 or effective_on <= $8)), 0) end as blocked,
             null::numeric as in_lots,
             greatest(e.recorded_at, late.recorded_at) as updated_at
      from (
        select item_id, location_id, in_lots from stock_position
        where workspace_id = $1 and ${side}_id = $2 and ${other}_id > $3
        order by ${other}_id limit $6
      ) s
      left join lateral (
        select on_hand_after, reserved_after, on_order_after, recorded_at from stock_ledger
        where workspace_id = $1 and item_id = s.item_id and location_id = s.location_id and id < $5
        order by id desc limit 1
      ) e on true
      left join lateral (
        select sum(on_hand_delta) as on_hand, sum(reserved_delta) as reserved, sum(on_order_delta) as on_order,
               max(recorded_at) as recorded_at
        from stock_ledger
        where $8::date is not null and workspace_id = $1 and item_id = s.item_id and location_id = s.location_id
          and effective_on <= $8 and id >= $5
      ) late on true
      where (e.recorded_at is not null or late.recorded_at is not null)
        and (not $7::boolean or coalesce(e.on_hand_after, 0) + coalesce(late.on_hand, 0) > 0)
      order by s.${other}_id limit $4
    ) p ${named}
    order by p.${other}_id`;
}

/** The key at which such a look ends; no row where there are no more. $1 to $3 as above, $4 how many it passes. */
export function selectScanEnd(side: Side): string {
  const other = otherSide(side);
  return `
    select ${other}_id as id from stock_position
    where workspace_id = $1 and ${side}_id = $2 and ${other}_id > $3
    order by ${other}_id offset $4 - 1 limit 1`;
}

/**
 * Selects positions at a location and, where $5 says so, at all locations that lie in it, in order of locations and items, so that a page reads
 * no more than it shows. $1 workspace, $2 the location, $3 location and $4 item to continue after, $6 how many to look at. `item` is
 * the parameter of the one item that is wanted, or null.
 */
const positionsWithin = (item: string | null, cut: string) => `
  with recursive ${below('$2::uuid', '$5::boolean')}, looked as materialized (
    select p.* from (select id from below where id >= $3::uuid order by id) b
    cross join lateral (
      select * from stock_position
      where workspace_id = $1 and location_id = b.id and (location_id, item_id) > ($3::uuid, $4::uuid)
        ${item === null ? '' : `and item_id = ${item}`}
      order by item_id offset 0) p
    order by b.id, p.item_id ${cut}
  )`;

/**
 * Selects those of the positions that match. $1 to $6 as above, $7 rows, $8 whether only those with nothing available, $9 the id since
 * which they were not counted, or null, $10 whether only those with something on hand; $11 the text that the item has, or the item.
 */
export const selectPositionsWithin = (by: 'item' | 'text' | 'all') => `
  ${positionsWithin(by === 'item' ? '$11::uuid' : null, 'limit $6')}
  ${shown}
  from (
    select s.* from looked s
    ${by === 'text' ? 'cross join lateral (select number, name from entity where workspace_id = $1 and id = s.item_id limit 1) n' : ''}
    where ${matches('s', '$8', '$9')} and (not $10::boolean or s.on_hand > 0)
      ${by === 'text' ? `and ${hasWords('$11', 'n')}` : ''}
    order by s.location_id, s.item_id limit $7
  ) p ${named}
  order by p.location_id, p.item_id`;

/** The key at which such a look ends; no row where there are no more. $1 to $6 as above, $7 the item. */
export const selectWithinScanEnd = (by: 'item' | 'text' | 'all') => `
  ${positionsWithin(by === 'item' ? '$7::uuid' : null, 'offset $6 - 1 limit 1')}
  select location_id, item_id from looked`;

/**
 * Sums each item over a location and all locations that lie in it, by item. $1 workspace, $2 the location, $3 item to continue after,
 * $4 rows.
 */
export const selectSumsBelow = `
  with recursive ${below('$2::uuid')}, page as materialized (
    -- Keys alone, of an index: no location has an item of the page behind so many others.
    select distinct k.item_id from below b cross join lateral (
      select item_id from stock_position
      where workspace_id = $1 and location_id = b.id and item_id > $3 order by item_id limit $4) k
    order by k.item_id limit $4
  ), summed as (
    select p.item_id, count(*)::int as positions, sum(p.on_hand) as on_hand, sum(p.reserved) as reserved,
           sum(p.blocked) as blocked, sum(p.on_order) as on_order
    from below b cross join lateral (
      select item_id, on_hand, reserved, blocked, on_order from stock_position
      where workspace_id = $1 and location_id = b.id and item_id > $3
        and item_id <= (select item_id from page order by item_id desc limit 1) offset 0) p
    -- In order, since whoever bounds the page by bytes drops the rows behind the bound as they come.
    group by p.item_id order by p.item_id limit $4
  )
  select s.*, i.number as item_number, i.name as item_name, encode(i.picture, 'hex') as item_picture,
         i.revision_number as item_revision, ${baseUnitOf('s.item_id')} as unit
  from summed s
  cross join lateral (
    select number, name, picture, revision_number from entity where workspace_id = $1 and id = s.item_id limit 1) i
  order by s.item_id`;
