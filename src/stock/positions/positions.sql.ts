/**
 * Pages of positions, of an item by location and of a location by item: one index range each, whatever the
 * number of positions. The page is cut before names are looked up, and each name is a probe of its own: as a
 * join, tables that were never analysed get a hash of all entities.
 */
import { hasWords } from '../../entities/lists/search-patterns.ts';

/** Whose positions are listed: `item` lists an item's over locations. */
export type Side = 'item' | 'location';

export function otherSide(side: Side): Side {
  return side === 'item' ? 'location' : 'item';
}

export interface PositionRow {
  item_id: string;
  item_number: string | null;
  item_name: string;
  location_id: string;
  location_number: string | null;
  location_name: string;
  on_hand: string;
  reserved: string;
  on_order: string;
  updated_us: string;
}

const shown = `
  select p.item_id, i.number as item_number, i.name as item_name,
         p.location_id, l.number as location_number, l.name as location_name,
         p.on_hand, p.reserved, p.on_order, (extract(epoch from p.updated_at) * 1000000)::bigint as updated_us`;
const named = `
  cross join lateral (select number, name from entity where workspace_id = $1 and id = p.item_id limit 1) i
  cross join lateral (select number, name from entity where workspace_id = $1 and id = p.location_id limit 1) l`;

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
 * Selects positions of all items, looking at up to $6 for matches. $1 workspace, $2 item and $3 location to
 * continue after, $4 rows, $5 whether only those with nothing available.
 */
export const selectAllPositions = `
  ${shown}
  from (
    select * from (
      select * from stock_position where workspace_id = $1 and (item_id, location_id) > ($2::uuid, $3::uuid)
      order by item_id, location_id limit $6
    ) s
    where not $5::boolean or s.on_hand - s.reserved <= 0
    order by item_id, location_id limit $4
  ) p ${named}
  order by p.item_id, p.location_id`;

/** The key at which such a look ends; no row where there are no more. $1 to $3 as above, $4 how many it passes. */
export const selectAllScanEnd = `
  select item_id, location_id from stock_position
  where workspace_id = $1 and (item_id, location_id) > ($2::uuid, $3::uuid)
  order by item_id, location_id offset $4 - 1 limit 1`;

/**
 * Of all items with the text, where those are too many to go from them to their positions: as many positions as $6 are
 * looked at, as in selectAllPositions. $1 to $6 as there, $7 text.
 */
export const selectPositionsWithText = `
  ${shown}
  from (
    select s.* from (
      select * from stock_position where workspace_id = $1 and (item_id, location_id) > ($2::uuid, $3::uuid)
      order by item_id, location_id limit $6
    ) s
    cross join lateral (
      select number, name from entity where workspace_id = $1 and id = s.item_id limit 1) n
    where (not $5::boolean or s.on_hand - s.reserved <= 0) and ${hasWords('$7', 'n')}
    order by s.item_id, s.location_id limit $4
  ) p ${named}
  order by p.item_id, p.location_id`;

/** Selects positions of these items: a range of the primary key each. $1 to $5 as above, $6 item[]. */
export const selectPositionsOfItems = `
  ${shown}
  from (
    select s.* from unnest($6::uuid[]) as i (id)
    cross join lateral (
      select * from stock_position
      where workspace_id = $1 and item_id = i.id and (item_id, location_id) > ($2::uuid, $3::uuid)
        and (not $5::boolean or on_hand - reserved <= 0)
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
 * whether only those with something on hand then.
 */
export function selectPositionsAsOf(side: Side): string {
  const other = otherSide(side);
  return `
    ${shown}
    from (
      select s.item_id, s.location_id, e.on_hand_after as on_hand, e.reserved_after as reserved,
             e.on_order_after as on_order, e.recorded_at as updated_at
      from (
        select item_id, location_id from stock_position
        where workspace_id = $1 and ${side}_id = $2 and ${other}_id > $3
        order by ${other}_id limit $6
      ) s
      cross join lateral (
        select on_hand_after, reserved_after, on_order_after, recorded_at from stock_ledger
        where workspace_id = $1 and item_id = s.item_id and location_id = s.location_id and id < $5
        order by id desc limit 1
      ) e
      where not $7::boolean or e.on_hand_after > 0
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
