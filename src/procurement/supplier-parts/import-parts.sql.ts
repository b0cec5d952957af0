/** Statements that write the supplier parts of an import, many at once. */

/** The suppliers that have these names, or had them, or these codes. $1 workspace, $2 name[], $3 their keys. */
export const selectNamedSuppliers = `
  select g.name as given, s.id, s.name, s.currency from unnest($2::text[], $3::text[]) as g (name, key)
  left join lateral (select supplier_id from supplier_name where workspace_id = $1 and key = g.key limit 1) n on true
  left join lateral (
    select id from supplier where workspace_id = $1 and code = g.name and merged_into is null limit 1) c on n.supplier_id is null
  cross join lateral (
    select id, name, currency from supplier where workspace_id = $1 and id = coalesce(n.supplier_id, c.id) limit 1) s`;

/** Keeps suppliers from being merged until the transaction ends; merged ones have no row. $1 workspace, $2 id[]. */
export const shareSuppliers = `
  select id from supplier where workspace_id = $1 and id = any($2::uuid[]) and merged_into is null order by id for share`;

/** All supplier parts of items. $1 workspace, $2 item[], $3 parts of one item. */
export const selectIdsOfItems = `
  select p.id from unnest($2::uuid[]) as i (id)
  cross join lateral (
    select id from supplier_part where workspace_id = $1 and item_id = i.id order by item_id, id limit $3) p`;

/** Locks parts in the order of the array. $1 workspace, $2 id[] ascending. */
export const lockParts = `
  select p.id from unnest($2::uuid[]) with ordinality as i (id, place)
  cross join lateral (select id from supplier_part where workspace_id = $1 and id = i.id limit 1 for no key update) p`;

const columns = `id uuid, item_id uuid, supplier_id uuid, sku text, manufacturer text, mpn text, unit text, pack_quantity numeric,
  minimum numeric, multiple numeric, lead_time_days integer, rank integer, status text, prices jsonb`;

/** Another transaction may have made the same: those have no row. $1 workspace, $2 the parts as JSON. */
export const insertParts = `
  insert into supplier_part (workspace_id, id, item_id, supplier_id, sku, manufacturer, mpn, unit, pack_quantity, minimum, multiple,
                             lead_time_days, rank, status, prices)
  select $1, id, item_id, supplier_id, sku, manufacturer, mpn, unit, pack_quantity, minimum, multiple, lead_time_days, rank, status, prices
  from jsonb_to_recordset($2::jsonb) as p (${columns})
  order by item_id, supplier_id, sku
  on conflict do nothing returning id`;

/** Parts that are locked. $1 workspace, $2 the parts as JSON. */
export const updateParts = `
  update supplier_part s set manufacturer = p.manufacturer, mpn = p.mpn, pack_quantity = p.pack_quantity, minimum = p.minimum,
      multiple = p.multiple, lead_time_days = p.lead_time_days, rank = p.rank, prices = p.prices, version = s.version + 1
  from jsonb_to_recordset($2::jsonb) as p (${columns})
  where s.workspace_id = $1 and s.id = p.id returning s.id`;

/** $1 workspace, $2 actor, $3 the changes as JSON. */
export const insertAuditEntries = `
  insert into audit_log (workspace_id, id, actor_id, action, subject_type, subject_key, before, after)
  select $1, uuidv7(), $2, e.action, 'supplierPart', e.id, e.before, e.after
  from jsonb_to_recordset($3::jsonb) as e (id text, action text, before jsonb, after jsonb)`;
