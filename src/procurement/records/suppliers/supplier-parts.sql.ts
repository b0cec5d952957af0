/** Statements about supplier parts. */
import { patternsOf } from '../../../entities/lists/search-patterns.ts';

const nameOfItem =
  'left join lateral (select number, name from entity where workspace_id = $1 and id = p.item_id limit 1) i on true';

const shown = (parts: string, order: string, item = nameOfItem) => `
  select p.id, p.item_id, i.number as item_number, i.name as item_name, p.supplier_id, s.name as supplier, s.currency as supplier_currency,
         s.lead_time_days as supplier_lead_time_days, s.state as supplier_state, p.sku, p.manufacturer, p.mpn, p.unit, p.pack_quantity,
         p.minimum, p.multiple, p.lead_time_days, p.rank, p.status, p.prices, p.version, p.created_at
  from (${parts}) p
  cross join lateral (
    select name, currency, lead_time_days, state from supplier where workspace_id = $1 and id = p.supplier_id limit 1) s
  ${item}
  order by ${order}`;

/** $1 workspace, $2 id[]. */
export const selectSupplierParts = shown(
  `select s.* from unnest($2::uuid[]) as i (id)
   cross join lateral (select * from supplier_part where workspace_id = $1 and id = i.id limit 1) s`,
  'p.id',
);

/** Selects the same without the names of the items: a cost reads as many as a structure has items. $1 workspace, $2 id[]. */
export const selectPartsWithoutNames = shown(
  `select s.* from unnest($2::uuid[]) as i (id)
   cross join lateral (select * from supplier_part where workspace_id = $1 and id = i.id limit 1) s`,
  'p.id',
  'cross join (select null::text as number, null::text as name) i',
);

/** The keys of all names of suppliers. $1 workspace, $2 supplier[]. */
export const selectNamesOfSuppliers = `
  select supplier_id, array_agg(key) as keys from supplier_name
  where workspace_id = $1 and supplier_id = any($2::uuid[]) group by supplier_id`;

/** $1 workspace, $2 id. */
export const lockSupplierPart =
  'select version from supplier_part where workspace_id = $1 and id = $2 for update';

export type PartOwner = 'item' | 'supplier' | null;
const owners = { item: 'item_id', supplier: 'supplier_id' } as const;

function walk(owner: PartOwner, rows: string): string {
  if (owner === null)
    return `select * from supplier_part where workspace_id = $1 and id > $2 and $3::uuid is null order by id limit ${rows}`;
  // As a range: no other index has this order.
  const column = owners[owner];
  return `select * from supplier_part where workspace_id = $1 and ${column} >= $3 and ${column} <= $3 and id > $2
    order by ${column}, id limit ${rows}`;
}

/** Selects supplier parts in the order of the ids. $1 workspace, $2 id behind which, $3 item or supplier or null, $4 another item or null, $5 text or null, $6 rows, $7 rows of the window. */
export const selectPartPage = (owner: PartOwner) =>
  shown(
    `select * from (${walk(owner, '$7')}) p
     where ($4::uuid is null or item_id = $4) and ($5::text is null or line like all (${patternsOf('$5')}))
     order by id limit $6`,
    'p.id',
  );

/** The id at which such a window ends; no row if it reaches the last. $1 workspace, $2 id, $3 owner or null, $4 rows of the window. */
export const selectPartWindowEnd = (owner: PartOwner) =>
  `select id from (${walk(owner, '$4')}) p offset $4 - 1`;

/** $1 workspace, $2 item. */
export const countPartsOfItem =
  'select count(*)::int as count from supplier_part where workspace_id = $1 and item_id = $2';

/** Lets one caller at a time add a supplier part to an item. $1 workspace, $2 item. */
export const lockPartsOfItem = `
  select pg_advisory_xact_lock(hashtextextended('supplier parts of:' || $1::uuid::text || $2::uuid::text, 0))`;

/**
 * $1 workspace, $2 id, $3 item, $4 supplier, $5 SKU, $6 manufacturer, $7 MPN, $8 unit, $9 quantity of a pack, $10 minimum, $11 multiple, $12
 * lead time, $13 rank, $14 status, $15 prices. No row if the supplier has the SKU for the item already.
 */
export const insertSupplierPart = `
  insert into supplier_part (workspace_id, id, item_id, supplier_id, sku, manufacturer, mpn, unit, pack_quantity, minimum, multiple,
                             lead_time_days, rank, status, prices)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
  on conflict do nothing returning id`;

/** $1 workspace, $2 id, $3 SKU, and so on. */
export const updateSupplierPart = `
  update supplier_part set sku = $3, manufacturer = $4, mpn = $5, unit = $6, pack_quantity = $7, minimum = $8, multiple = $9,
      lead_time_days = $10, rank = $11, status = $12, prices = $13, version = version + 1
  where workspace_id = $1 and id = $2`;

/** Whether the supplier has another part with the SKU for the item. $1 workspace, $2 supplier, $3 item, $4 SKU, $5 id. */
export const selectSameSku = `
  select id from supplier_part where workspace_id = $1 and supplier_id = $2 and item_id = $3 and sku = $4 and id <> $5`;

/** $1 workspace, $2 id. */
export const deleteSupplierPart = 'delete from supplier_part where workspace_id = $1 and id = $2';

/**
 * Active parts of active suppliers, of each item in the order in which they are proposed, without their prices: the one that its planning prefers, then by rank. $1 workspace, $2 item[],
 * $3 key of the name of the only supplier or null[], $4 parts of one item; `place` is the place in these lists, from 1. A supplier that is
 * named may be inactive.
 */
export const selectPartsToOrder = `
  select o.place, f.id, f.item_id, f.unit from unnest($2::uuid[], $3::text[]) with ordinality as o (item_id, key, place)
  left join lateral (select supplier_id from supplier_name where workspace_id = $1 and key = o.key limit 1) n on true
  left join lateral (
    select supplier_part_id as preferred from item_planning where workspace_id = $1 and item_id = o.item_id limit 1) l on true
  cross join lateral (
    select p.id, p.item_id, p.unit, p.rank, s.state from (
      select id, item_id, unit, rank, supplier_id from supplier_part
      where workspace_id = $1 and item_id = o.item_id and status = 'active' and (o.key is null or supplier_id = n.supplier_id)
      order by item_id, id limit $4) p
    cross join lateral (select state from supplier where workspace_id = $1 and id = p.supplier_id limit 1) s
    order by p.id is distinct from l.preferred, p.rank, p.id limit 100) f
  where o.key is not null or f.state = 'active'
  order by o.place, f.id is distinct from l.preferred, f.rank, f.id`;
