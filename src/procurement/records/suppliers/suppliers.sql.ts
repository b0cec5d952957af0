/** Reads and writes the suppliers of orders. */

/** $1 workspace, $2 order[], $3 name[], $4 key[]: of orders that are new. */
export const insertSuppliers = `
  insert into order_supplier (workspace_id, order_id, name, key)
  select $1, given.* from unnest($2::uuid[], $3::text[], $4::text[]) as given (order_id, name, key)`;

/** $1 workspace, $2 order, $3 name, $4 key. Under the lock of the order's entity. */
export const upsertSupplier = `
  insert into order_supplier (workspace_id, order_id, name, key) values ($1, $2, $3, $4)
  on conflict (workspace_id, order_id) do update set name = excluded.name, key = excluded.key`;

/** $1 workspace, $2 order. */
export const deleteSupplier = 'delete from order_supplier where workspace_id = $1 and order_id = $2';

/**
 * Makes a supplier for each name that none has. $1 workspace, $2 name[], $3 key[] without repetition, in order, $4 id[] for those that are
 * new. Waits for another transaction that creates a supplier with the same name.
 */
export const ensureSuppliers = `
  with given as (select * from unnest($2::text[], $3::text[], $4::uuid[]) as given (name, key, id)),
  named as (
    insert into supplier_name (workspace_id, key, supplier_id) select $1, key, id from given order by key
    on conflict do nothing returning key, supplier_id)
  insert into supplier (workspace_id, id, name, key)
  select $1, named.supplier_id, given.name, given.key from named join given on given.key = named.key`;

/** The keys of all names of the supplier that has this one. $1 workspace, $2 key. */
export const selectKeysOfSupplier = `
  select n.key from supplier_name own
  cross join lateral (
    select key from supplier_name where workspace_id = $1 and supplier_id = own.supplier_id offset 0) n
  where own.workspace_id = $1 and own.key = $2`;

/** Number of an item's purchase lines that are searched for a supplier: an order need not name one. */
const LINES_LOOKED_MAX = 20;

/** Supplier parts of an item that are looked at. */
const PARTS_LOOKED_MAX = 100;

/**
 * SQL: the supplier of an item: that of the active supplier part that its planning prefers, of its first one by rank, or that of its newest purchase line whose order names one.
 * $1 workspace.
 */
export const supplierOf = (item: string) => `
  select name from (
    (select s.name, 1 as place from (
       select supplier_id, rank, id, id = (
         select supplier_part_id from item_planning where workspace_id = $1 and item_id = ${item}) as is_preferred
       from supplier_part
       where workspace_id = $1 and item_id = ${item} and status = 'active' order by item_id, id limit ${PARTS_LOOKED_MAX}) p
     cross join lateral (
       select name from supplier
       where workspace_id = $1 and id = p.supplier_id and state = 'active' offset 0) s
     order by p.is_preferred is true desc, p.rank, p.id limit 1)
    union all
    (select s.name, 2 from (
       select id, order_id from stock_line
       where workspace_id = $1 and type = 'purchaseOrder' and item_id = ${item}
       order by id desc limit ${LINES_LOOKED_MAX}) n
     cross join lateral (
       select name from order_supplier where workspace_id = $1 and order_id = n.order_id offset 0) s
     order by n.id desc limit 1)) u
  order by place limit 1`;

/** $1 workspace, $2 item[]. Items without a supplier have no row. */
export const selectSuppliersOfItems = `
  select i.id, u.name from unnest($2::uuid[]) as i (id) cross join lateral (${supplierOf('i.id')}) u`;
