/** From whom orders are. */

/** $1 workspace, $2 order[], $3 name[], $4 key[]: of orders that are new. */
export const insertSuppliers = `
  insert into order_supplier (workspace_id, order_id, name, key)
  select $1, given.* from unnest($2::uuid[], $3::text[], $4::text[]) as given (order_id, name, key)`;

/** $1 workspace, $2 order. */
export const selectSupplier = 'select name from order_supplier where workspace_id = $1 and order_id = $2';

/** $1 workspace, $2 order, $3 name, $4 key. Under the lock of the order's entity. */
export const upsertSupplier = `
  insert into order_supplier (workspace_id, order_id, name, key) values ($1, $2, $3, $4)
  on conflict (workspace_id, order_id) do update set name = excluded.name, key = excluded.key`;

/** $1 workspace, $2 order. */
export const deleteSupplier = 'delete from order_supplier where workspace_id = $1 and order_id = $2';

/**
 * Suppliers in the order of their keys, each as its newest order writes it: one descent of the index for each, however many orders it has.
 * $1 workspace, $2 key to go on behind or null, $3 rows.
 */
export const selectSuppliers = `
  with recursive walked as (
    (select key, 1 as place from order_supplier
     where workspace_id = $1 and ($2::text is null or key > $2) order by key limit 1)
    union all
    select n.key, w.place + 1 from walked w
    cross join lateral (
      select key from order_supplier where workspace_id = $1 and key > w.key order by key limit 1) n
    where w.place < $3::int)
  select w.key, n.name from walked w
  cross join lateral (
    select name from order_supplier where workspace_id = $1 and key >= w.key and key <= w.key
    order by key desc, order_id desc limit 1) n
  order by w.key`;

/** Number of an item's purchase lines that are searched for a supplier: an order need not name one. */
const LINES_LOOKED_MAX = 20;

/** SQL: the supplier of the newest purchase line of an item whose order names one. $1 workspace. */
export const lastSupplierOf = (item: string) => `
  select s.name from (
    select id, order_id from stock_line
    where workspace_id = $1 and type = 'purchaseOrder' and item_id = ${item}
    order by id desc limit ${LINES_LOOKED_MAX}) n
  cross join lateral (
    select name from order_supplier where workspace_id = $1 and order_id = n.order_id offset 0) s
  order by n.id desc limit 1`;

/** $1 workspace, $2 item[]. Items that were never ordered from a supplier have no row. */
export const selectSuppliersOfItems = `
  select i.id, u.name from unnest($2::uuid[]) as i (id) cross join lateral (${lastSupplierOf('i.id')}) u`;
