/** Positions where something of an item is available. */

export interface AvailableRow {
  item_id: string;
  location_id: string;
  available: string;
}

/** Selects the positions with the most first. $1 workspace, $2 item[], $3 positions of each. */
export const selectAvailablePositions = `
  select i.id as item_id, p.location_id, p.available from unnest($2::uuid[]) as i (id)
  cross join lateral (
    select location_id, on_hand - reserved as available from stock_position
    where workspace_id = $1 and item_id = i.id and on_hand > reserved
    order by on_hand - reserved desc, location_id limit $3) p
  order by i.id, p.available desc, p.location_id`;
