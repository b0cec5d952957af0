/** A workspace as rows of text, out of the tables and into them. Which tables there are the catalogue says. */

/** Tables with a column `workspace_id` that do not travel, with the reason. */
export const leftBehind: Readonly<Record<string, string>> = {
  link_designator: 'Triggers of entity_link make it with the links.',
  entity_text: 'Triggers of entity make it with the entities, also of those that a subscription brings.',
  value_index: 'Made and filled anew for the filterable properties, at home in the other installation.',
  value_pending: 'As value_index.',
  property_number: 'As value_index.',
  property_text: 'As value_index.',
  property_line: 'As value_index.',
  stock_line_total:
    'Triggers of stock_ledger make it with the entries, also of those that a subscription brings.',
  stock_requirement_total: 'As stock_line_total.',
  configuration_version:
    'A random mark of what processes have cached; triggers make it with the first category.',
  web_session: 'Whoever is signed in here is not signed in there.',
  membership: 'Persons belong to this installation; their members travel.',
  invitation: 'Their links lead to this installation.',
};

/**
 * At the other end of the file is a disk, a pipe or a person who is asked for a password: who says nothing meanwhile has not gone. The
 * process is the operator's own, who can end it.
 */
export const bearPauses = `
  select set_config('idle_in_transaction_session_timeout', '0', true), set_config('transaction_timeout', '0', true)`;

export interface TenantTable {
  name: string;
  /** All but `workspace_id` and what is computed, with their types. */
  columns: { name: string; type: string }[];
}

/** Reads the tables from the catalogue, so that a table of a later release is exported, too. $1 tables left behind. */
export const selectTenantTables = `
  select c.relname::text as name,
         jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
           as columns
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname <> all ($1::text[])
    and exists (select from pg_attribute w where w.attrelid = c.oid and w.attname = 'workspace_id')
    and a.attname <> 'workspace_id' and a.attgenerated = ''
  group by c.relname order by c.relname`;

export const selectSchema = 'select name from schema_migration order by name desc limit 1';

/** The moment is of the statement; milliseconds, because a digest is of those. $1 slug. */
export const selectWorkspace = `
  select id, slug, name, created_at::text as "createdAt", date_trunc('milliseconds', now())::text as now
  from workspace where slug = $1`;

/** Reads what a digest of the ledger covers, a page at a time. $1 workspace, $2 and $3 the last of the page before, $4 rows. */
export const selectHeads = `
  select item_id as "itemId", location_id as "locationId", sequence::text as sequence, encode(hash, 'hex') as hash
  from stock_position
  where workspace_id = $1 and (item_id, location_id) > ($2, $3)
  order by item_id, location_id limit $4`;

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/**
 * Declares a cursor over the place of each row and its size as text, without reading what is stored apart: bytes are written as two
 * digits each, the length of a text is known without it. Only what is compressed, and has no length to ask for, is unpacked. $1 workspace.
 */
export function declareSizes({ name, columns }: TenantTable): string {
  const sizes = columns.map(({ name: column, type }) => {
    const value = quoted(column);
    if (type === 'bytea') return `coalesce(2 * octet_length(${value}), 4)`;
    if (type === 'text') return `coalesce(octet_length(${value}), 4)`;
    if (type !== 'jsonb' && !type.endsWith('[]')) return '40';
    return `coalesce(case when pg_column_compression(${value}) is null then 2 * pg_column_size(${value})
                          else octet_length(${value}::text) end, 4)`;
  });
  return `declare exported_sizes no scroll cursor for
    select tableoid::text as relation, ctid::text as place, ${sizes.join(' + ') || '0'} as bytes from ${quoted(name)} where workspace_id = $1`;
}

/** Rows of entities come in thousands of a portion. */
export const FETCH_SIZES = 'fetch 1000 from exported_sizes';
export const CLOSE_SIZES = 'close exported_sizes';

/**
 * Values as PostgreSQL writes them, which loses nothing of any type. A place is one of the table or of a partition, which nobody may
 * ask but by way of its table. $1 which of them, $2 where they are in it.
 */
export function selectRows({ name, columns }: TenantTable): string {
  const values = columns.map((column) => `${quoted(column.name)}::text`).join(', ');
  return `select array[${values}]::text[] as row from ${quoted(name)}
    where tableoid = $1::oid and ctid = any ($2::tid[])`;
}

/** $1 workspace, then an array for each column. */
export function insertRows({ name, columns }: TenantTable): string {
  const names = columns.map((column) => quoted(column.name)).join(', ');
  const values = columns.map((column, at) => `given.v${at}::${column.type}`).join(', ');
  const arrays = columns.map((_, at) => `$${at + 2}::text[]`).join(', ');
  const fields = columns.map((_, at) => `v${at}`).join(', ');
  return `insert into ${quoted(name)} (workspace_id, ${names})
    select $1::uuid, ${values} from unnest(${arrays}) as given(${fields})`;
}

/** $1 id, $2 slug, $3 name, $4 when it was made. */
export const insertWorkspace = `
  insert into workspace (id, slug, name, created_at) values ($1, $2, $3, $4::timestamptz)`;

/** Finds a workspace that has this id or slug already. $1 id, $2 slug. */
export const selectTaken = 'select id, slug, state from workspace where id = $1 or slug = $2';

/**
 * Batches keep their order and come behind those that were accepted here: the sequence is the installation's.
 * $1 workspace.
 */
export const renumberBatches = `
  with ordered as materialized (
    select id from sync_batch where workspace_id = $1 and accepted_order is not null order by accepted_order
  ), numbered as materialized (select id, nextval('sync_batch_accepted') as accepted_order from ordered)
  update sync_batch b set accepted_order = n.accepted_order
  from numbered n where b.workspace_id = $1 and b.id = n.id`;
