/** Statements about suppliers. A supplier has a row in supplier_name for its present name, for each former one, and for those of merged ones. */
import { patternsOf } from '../../entities/lists/search-patterns.ts';

export interface SupplierRow {
  id: string;
  name: string;
  key: string;
  code: string | null;
  currency: string | null;
  lead_time_days: number | null;
  contact: string | null;
  state: 'active' | 'inactive' | 'merged';
  merged_into: string | null;
  version: number;
  created_at: Date;
}

/** $1 workspace, $2 id. */
export const selectSupplier = 'select * from supplier where workspace_id = $1 and id = $2';

/** $1 workspace, $2 id[]: in the order of the ids. */
export const lockSuppliers = `
  select * from supplier where workspace_id = $1 and id = any($2::uuid[]) order by id for update`;

/** $1 workspace, $2 id. */
export const shareSupplier = `${selectSupplier} for share`;

/** Selects the supplier that has a name or had it. $1 workspace, $2 key. */
export const selectSupplierByKey = `
  select s.* from supplier_name n join supplier s on s.workspace_id = $1 and s.id = n.supplier_id
  where n.workspace_id = $1 and n.key = $2`;

/** $1 workspace, $2 code. */
export const selectSupplierByCode = `
  select * from supplier where workspace_id = $1 and code = $2 and merged_into is null`;

const walked = `
  select * from supplier
  where workspace_id = $1 and merged_into is null and ($2::text is null or key > $2) order by key limit`;

/** Suppliers by name, of a window of $6. $1 workspace, $2 key behind which or null, $3 rows, $4 text or null, $5 state or null. */
export const selectSupplierPage = `
  select s.* from (${walked} $6) s
  where ($4::text is null or entity_line(s.code, s.name) like all (${patternsOf('$4')}))
    and ($5::text is null or s.state = $5)
  order by s.key limit $3`;

/** The key at which such a window ends; no row if it reaches the last supplier. $1 workspace, $2 key or null, $3 rows of the window. */
export const selectSupplierWindowEnd = `select key from (${walked} $3) s offset $3 - 1`;

/** Lets one caller at a time give codes. Taken before names. $1 workspace. */
export const lockCodes = `
  select pg_advisory_xact_lock(hashtextextended('supplier codes of:' || $1::uuid::text, 0))`;

/** $1 workspace, $2 id, $3 name, $4 key, $5 code, $6 currency, $7 lead time, $8 contact, $9 state. */
export const insertSupplier = `
  insert into supplier (workspace_id, id, name, key, code, currency, lead_time_days, contact, state)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning *`;

/** Updates a supplier that is locked, with the same parameters. */
export const updateSupplier = `
  update supplier set name = $3, key = $4, code = $5, currency = $6, lead_time_days = $7, contact = $8, state = $9,
      version = version + 1
  where workspace_id = $1 and id = $2 returning *`;

/** Lets planning that names a part which will be dropped name the part that stays. $1 workspace, $2 the supplier that goes, $3 the one that remains. */
export const keepChosenParts = `
  update item_planning n set supplier_part_id = kept.id, version = n.version + 1
  from supplier_part p, supplier_part kept
  where p.workspace_id = $1 and p.supplier_id = $2
    and kept.workspace_id = $1 and kept.supplier_id = $3 and kept.item_id = p.item_id and kept.sku = p.sku
    and n.workspace_id = $1 and n.item_id = p.item_id and n.supplier_part_id = p.id`;

/** Drops parts of a supplier that another has for the same item under the same SKU. $1 workspace, $2 the supplier that goes, $3 the one that remains. */
export const dropDuplicateParts = `
  delete from supplier_part p using supplier_part kept
  where p.workspace_id = $1 and p.supplier_id = $2
    and kept.workspace_id = $1 and kept.supplier_id = $3 and kept.item_id = p.item_id and kept.sku = p.sku`;

/** $1 workspace, $2 the supplier that goes, $3 the one that remains. */
export const moveParts = `
  update supplier_part set supplier_id = $3, version = version + 1 where workspace_id = $1 and supplier_id = $2`;

/** Takes a name for a supplier; no row if another has it. $1 workspace, $2 key, $3 supplier. */
export const takeName = `
  insert into supplier_name as n (workspace_id, key, supplier_id) values ($1, $2, $3)
  on conflict (workspace_id, key) do update set supplier_id = excluded.supplier_id where n.supplier_id = excluded.supplier_id
  returning key`;

/** Counts the names of suppliers. $1 workspace, $2 id[]. */
export const countNames = `
  select count(*)::int as count from supplier_name where workspace_id = $1 and supplier_id = any($2::uuid[])`;

/** $1 workspace, $2 the supplier that goes, $3 the one that remains. */
export const moveNames =
  'update supplier_name set supplier_id = $3 where workspace_id = $1 and supplier_id = $2';

/** $1 workspace, $2 the supplier that goes, $3 the one that remains: of those merged before, too. */
export const markMerged = `
  update supplier set merged_into = $3, state = 'merged', version = version + 1
  where workspace_id = $1 and (id = $2 or merged_into = $2)`;
