/** Reads PostgreSQL's catalogue of a migrated database and holds it against the rules; a finding is a sentence. */
import type { Client } from 'pg';
import {
  APPLICATION_ROLES,
  appendOnlyTables,
  changeableColumns,
  guardedTables,
  referenceTables,
} from './catalogue-rules.ts';

export interface CatalogueReport {
  tables: string[];
  breaches: string[];
}

interface Table {
  name: string;
  owner: string;
  rls: boolean;
  primary_key: boolean;
  partition: boolean;
}

const selectTables = `
  select c.relname as name, pg_get_userbyid(c.relowner) as owner, c.relrowsecurity as rls, c.relispartition as partition,
         exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary) as primary_key
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by c.relname`;

/** Unique indexes (primary keys among them), each with its columns in order. */
const selectUniqueIndexes = `
  select t.relname as table, c.relname as index,
         (select array_agg(coalesce(a.attname::text, 'expression') order by k.ord)
          from unnest(i.indkey::smallint[]) with ordinality as k (attnum, ord)
          left join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum and k.attnum > 0
          where k.ord <= i.indnkeyatts) as columns
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
  where i.indisunique and t.relnamespace = 'public'::regnamespace order by 1, 2`;

const selectPolicies = `
  select tablename as table, permissive, roles::text[] as roles, cmd, qual, with_check from pg_policies
  where schemaname = 'public' order by 1`;

const selectRoles = `
  select rolname as name, rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as mighty,
         rolcanlogin as login,
         exists (select from pg_shdepend d where d.refclassid = 'pg_authid'::regclass and d.refobjid = r.oid
                   and d.deptype = 'o') as owns,
         array(select g.rolname::text from pg_auth_members m join pg_roles g on g.oid = m.roleid
               where m.member = r.oid) as member_of
  from pg_roles r where rolname = any($1)`;

/** What each role may do to each table, by itself, by PUBLIC or column by column. */
const selectPrivileges = `
  select r.role, t.relname as table, p.privilege,
         case when p.privilege = 'UPDATE' then array(
           select a.attname::text from pg_attribute a
           where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
             and has_column_privilege(r.role, t.oid, a.attnum, 'UPDATE')
           order by a.attnum) end as columns
  from unnest($1::text[]) as r (role)
  cross join pg_class t
  cross join unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN']) as p (privilege)
  where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p')
    and (has_table_privilege(r.role, t.oid, p.privilege)
      or (p.privilege in ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES')
        and has_any_column_privilege(r.role, t.oid, p.privilege)))`;

/** Triggers that fire for each row or statement of an UPDATE (16) or DELETE (8); both bits are asked for. */
const selectGuards = `
  select distinct t.relname as table
  from pg_trigger g join pg_class t on t.oid = g.tgrelid
  where not g.tgisinternal and g.tgenabled in ('O', 'A') and g.tgtype & 2 = 2
  group by t.relname having bit_or(g.tgtype) & 24 = 24`;

/**
 * Where ANALYZE would learn which workspaces there are: the column itself (a partition does not inherit the
 * setting of its table), extended statistics that take it in, indexes on an expression of it that are not told so, and what was
 * gathered before the column was left out. And where the planner was not told that a workspace is the whole table; a partition
 * that is made at work is, with the next start.
 */
const selectWorkspaceStatistics = `
  with tenant as (
    select c.oid, c.relname, c.relkind, c.relispartition, a.attnum, a.attstattarget
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'm')
  )
  select relname || ' gathers statistics of workspace_id' as finding from tenant
  where coalesce(attstattarget, -1) <> 0
  union all
  select relname || ' has old statistics of workspace_id' from tenant
  where exists (
    select from pg_statistic s
    where s.starelid = tenant.oid and s.staattnum = tenant.attnum and (s.stadistinct <> 1 or s.stakind1 <> 0))
  union all
  select relname || ' is not said to be of one workspace' from tenant
  where not relispartition and relkind <> 'm'
    and not exists (select from pg_statistic s where s.starelid = tenant.oid and s.staattnum = tenant.attnum)
  union all
  select relname || ' has extended statistics ' || e.stxname || ' of workspace_id'
  from tenant join pg_statistic_ext e on e.stxrelid = tenant.oid
  where tenant.attnum = any(e.stxkeys::smallint[])
     or exists (select from unnest(pg_get_statisticsobjdef_expressions(e.oid)) as x where x ~ '\\mworkspace_id\\M')
  union all
  select relname || ' gathers statistics of an expression of workspace_id, by ' || i.indexrelid::regclass
  from tenant join pg_index i on i.indrelid = tenant.oid
  join pg_attribute a on a.attrelid = i.indexrelid and coalesce(a.attstattarget, -1) <> 0
  where i.indkey[a.attnum - 1] = 0 and pg_get_indexdef(i.indexrelid, a.attnum, true) ~ '\\mworkspace_id\\M'
  order by 1`;

/** Functions that run with their owner's rights and take names from whatever path the caller has set. */
const selectLooseFunctions = `
  select p.proname as name from pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.prosecdef
    and not exists (select from unnest(p.proconfig) as c where c like 'search_path=%')`;

export async function checkCatalogue(client: Client): Promise<CatalogueReport> {
  const rows = async <Row>(sql: string, params: unknown[] = []) =>
    (await client.query(sql, params)).rows as Row[];
  const tables = await rows<Table>(selectTables);
  const breaches = [
    ...tables.flatMap(tableBreaches),
    ...indexBreaches(await rows(selectUniqueIndexes)),
    ...policyBreaches(tables, await rows(selectPolicies)),
    ...roleBreaches(await rows(selectRoles, [APPLICATION_ROLES])),
    ...privilegeBreaches(tables, await rows(selectPrivileges, [APPLICATION_ROLES])),
    ...guardBreaches(tables, await rows(selectGuards)),
    ...(await rows<{ finding: string }>(selectWorkspaceStatistics)).map(({ finding }) => finding),
    ...(await rows<{ name: string }>(selectLooseFunctions)).map(
      ({ name }) => `function ${name} is security definer without a search_path of its own`,
    ),
  ];
  return { tables: tables.map((table) => table.name), breaches };
}

function isReference(table: string): boolean {
  return referenceTables[table] !== undefined;
}

function tableBreaches({ name, owner, rls, primary_key, partition }: Table): string[] {
  const found: string[] = [];
  if (!primary_key) found.push(`${name} has no primary key`);
  if ((APPLICATION_ROLES as readonly string[]).includes(owner)) found.push(`${name} is owned by ${owner}`);
  if (!rls && !isReference(name) && !partition) found.push(`${name} has no row-level security`);
  return found;
}

function indexBreaches(indexes: { table: string; index: string; columns: string[] }[]): string[] {
  return indexes
    .filter(({ table, columns }) => !isReference(table) && columns[0] !== 'workspace_id')
    .map(
      ({ table, index, columns }) =>
        `${table}: unique index ${index} is led by ${columns[0]}, not by workspace_id`,
    );
}

interface Policy {
  table: string;
  permissive: string;
  roles: string[];
  cmd: string;
  qual: string | null;
  with_check: string | null;
}

const ownWorkspace =
  /^\(workspace_id = \( SELECT \(?NULLIF\(current_setting\('partbook\.workspace_id'::text, true\), ''::text\)\)?::uuid/;

/** All workspaces but those that rest. */
const allThatWork =
  /^\(workspace_id <> ALL \(ARRAY\( SELECT workspace\.id\s+FROM workspace\s+WHERE \(workspace\.state <> 'active'::text\)\)\)\)$/;

/** Two policies a table, and no third: policies are joined by OR, so that one more could only open a door. */
function policyBreaches(tables: readonly Table[], policies: readonly Policy[]): string[] {
  return tables
    .filter(({ name, partition }) => !isReference(name) && !partition)
    .flatMap(({ name }) => {
      const own = policies.filter((policy) => policy.table === name);
      const of = (role: string) => own.filter(({ roles, cmd }) => cmd === 'ALL' && String(roles) === role);
      const [workspace] = of('partbook_app');
      const [instance] = of('partbook_system');
      const found: string[] = [];
      if (own.length !== 2) found.push(`${name} has ${own.length} policies in place of 2`);
      const bound = [workspace?.qual, workspace?.with_check].every((text) => ownWorkspace.test(text ?? ''));
      if (!bound) found.push(`${name}: no policy confines partbook_app to its workspace`);
      const sees = [instance?.qual, instance?.with_check].every((text) => allThatWork.test(text ?? ''));
      if (!sees) found.push(`${name}: no policy lets partbook_system in, or it sees workspaces that rest`);
      return found;
    });
}

function roleBreaches(
  roles: readonly { name: string; mighty: boolean; login: boolean; owns: boolean; member_of: string[] }[],
): string[] {
  const absent = APPLICATION_ROLES.filter((name) => !roles.some((role) => role.name === name));
  return [
    ...absent.map((name) => `there is no role ${name}`),
    ...roles.flatMap(({ name, mighty, login, owns, member_of }) => [
      ...(mighty ? [`${name} is a superuser, bypasses row-level security, or makes roles or databases`] : []),
      ...(login ? [`${name} can log in`] : []),
      ...(owns ? [`${name} owns something`] : []),
      ...member_of.map((other) => `${name} is a member of ${other}`),
    ]),
  ];
}

function privilegeBreaches(
  tables: readonly Table[],
  privileges: readonly { role: string; table: string; privilege: string; columns: string[] | null }[],
): string[] {
  const partitions = new Set(tables.filter((table) => table.partition).map((table) => table.name));
  return privileges
    .filter(({ role, table, privilege, columns }) => {
      if (partitions.has(table)) return true;
      if (['TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN'].includes(privilege)) return true;
      const changeable = role === 'partbook_app' ? changeableColumns[table] : undefined;
      if (columns !== null && changeable !== undefined)
        return columns.some((column) => !changeable.includes(column));
      return appendOnlyTables.includes(table) && ['UPDATE', 'DELETE'].includes(privilege);
    })
    .map(({ role, table, privilege }) => `${role} has ${privilege} on ${table}`);
}

function guardBreaches(tables: readonly Table[], guards: readonly { table: string }[]): string[] {
  const guarded = new Set(guards.map(({ table }) => table));
  return guardedTables
    .filter((name) => tables.some((table) => table.name === name) && !guarded.has(name))
    .map((name) => `${name} has no trigger that refuses changes`);
}
