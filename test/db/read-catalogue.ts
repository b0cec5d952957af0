/** Reads all that PostgreSQL's catalogue says of the schema `public`, one line for each thing, so that two databases can be compared. */
import type { Client } from 'pg';

/** Partitions of kept answers carry the day on which they were made; schema_migration belongs to the migrator. */
const isOurs = (name: string) => `${name} !~ '^(kept_answer_\\d{8}|schema_migration)'`;
const inPublic = (column: string) => `${column} = 'public'::regnamespace`;
/** Privileges in the order of their text: the catalogue has them in the order of the grants. */
const acl = (column: string) => `array(select unnest(${column})::text order by 1)`;

const queries = {
  table: `
    select c.relname as name, concat_ws(' ', c.relkind, c.relpersistence, c.reloptions, c.relrowsecurity, c.relforcerowsecurity,
           c.relreplident, c.relispartition, pg_get_expr(c.relpartbound, c.oid), pg_get_partkeydef(c.oid), ${acl('c.relacl')},
           obj_description(c.oid, 'pg_class'), case c.relkind when 'v' then pg_get_viewdef(c.oid) end) as is
    from pg_class c where ${inPublic('c.relnamespace')} and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and ${isOurs('c.relname')}`,
  // The place among the columns that are there: dropped ones keep their number.
  column: `
    select c.relname || '.' || a.attname as name,
           concat_ws(' ', row_number() over (partition by c.oid order by a.attnum), format_type(a.atttypid, a.atttypmod), a.attnotnull,
           pg_get_expr(d.adbin, d.adrelid), a.attcollation::regcollation, 'statistics ' || a.attstattarget, a.attstorage, a.attcompression,
           a.attidentity, a.attgenerated, a.attoptions, ${acl('a.attacl')}, col_description(c.oid, a.attnum)) as is
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where ${inPublic('c.relnamespace')} and c.relkind in ('r', 'p', 'v', 'i') and ${isOurs('c.relname')}`,
  constraint: `
    select conrelid::regclass || '.' || conname as name, pg_get_constraintdef(oid) || ' ' || convalidated as is
    from pg_constraint where ${inPublic('connamespace')} and ${isOurs('conrelid::regclass::text')}`,
  index: `
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) || ' ' || i.indisvalid as is
    from pg_index i join pg_class c on c.oid = i.indexrelid where ${inPublic('c.relnamespace')} and ${isOurs('c.relname')}`,
  // Without the comments and the spaces of their bodies.
  function: `
    select p.oid::regprocedure::text as name, regexp_replace(regexp_replace(pg_get_functiondef(p.oid), '--[^\\n]*', '', 'g'), '\\s+', '', 'g')
           || ' ' || ${acl('p.proacl')}::text || ' ' || coalesce(obj_description(p.oid, 'pg_proc'), '') as is
    from pg_proc p where ${inPublic('p.pronamespace')}
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  trigger: `
    select tgrelid::regclass || '.' || tgname as name, pg_get_triggerdef(t.oid) || ' ' || tgenabled::text as is
    from pg_trigger t join pg_class c on c.oid = tgrelid where ${inPublic('c.relnamespace')} and not tgisinternal`,
  policy: `
    select tablename || '.' || policyname as name, concat_ws(' ', permissive, roles, cmd, qual, with_check) as is
    from pg_policies where schemaname = 'public'`,
  // What the planner is told of workspace_id.
  told: `
    select tablename || '.' || attname as name, concat_ws(' ', inherited, null_frac, avg_width, n_distinct) as is
    from pg_stats where schemaname = 'public' and attname = 'workspace_id' and ${isOurs('tablename')}`,
  other: `
    select 'extension ' || extname as name, extnamespace::regnamespace::text as is from pg_extension
    union all select 'schema public', ${acl('nspacl')}::text from pg_namespace where nspname = 'public'
    union all select 'statistics ' || stxname, pg_get_statisticsobjdef(oid) from pg_statistic_ext
    union all select 'event trigger ' || evtname, evtevent from pg_event_trigger
    union all select 'type ' || typname, typtype::text from pg_type
      where ${inPublic('typnamespace')} and typtype in ('e', 'd', 'r', 'm')
    union all select 'default privileges', ${acl('defaclacl')}::text from pg_default_acl`,
};

/** Each thing by its kind and name, with its definition. */
export async function readCatalogue(client: Client): Promise<Map<string, string>> {
  const catalogue = new Map<string, string>();
  for (const [kind, query] of Object.entries(queries)) {
    const { rows } = await client.query<{ name: string; is: string }>(`${query} order by 1`);
    for (const { name, is } of rows) catalogue.set(`${kind} ${name}`, is);
  }
  return catalogue;
}

/** What one has and the other has not, or has otherwise. */
export function differences(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => before.get(key) !== after.get(key))
    .map((key) => `${key}: ${before.get(key) ?? 'is missing'} / ${after.get(key) ?? 'is missing'}`);
}
