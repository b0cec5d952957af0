/**
 * Makes of one workspace that has been worked in many that look like it: every row of every tenant table copied,
 * with ids of its own that fit together, until each table is large. Then all are analysed.
 */
import type { Client } from 'pg';

/** Rows of each table, about; tables of which a workspace has few rows get fewer. */
const ROWS = 30_000;
const COPIES_MAX = 4000;
/** The copies are shared out among so many workspaces. */
const WORKSPACES = 40;

interface Column {
  name: string;
  uuid: boolean;
}

export async function multiplyWorkspaces(client: Client, workspaceId: string): Promise<void> {
  // The ledger's trigger refuses nothing here; foreign keys and row security are out of the way.
  await client.query(`set session_replication_role = 'replica'`);
  const { rows: tables } = await client.query<{ table: string; columns: Column[] }>(`
    select c.relname as table,
           json_agg(json_build_object('name', a.attname, 'uuid', a.atttypid = 'uuid'::regtype) order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    group by c.relname having bool_or(a.attname = 'workspace_id') order by c.relname`);
  for (const { table, columns } of tables) {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from ${table} where workspace_id = $1`,
      [workspaceId],
    );
    const count = rows[0]?.count ?? 0;
    if (count === 0) continue;
    const copies = Math.min(COPIES_MAX, Math.ceil(ROWS / count));
    const names = columns.map(({ name }) => `"${name}"`).join(', ');
    const values = columns
      .map(({ name, uuid }) => {
        if (name === 'workspace_id') return `md5('workspace ' || n % ${WORKSPACES})::uuid`;
        return uuid ? `md5(t."${name}"::text || n)::uuid` : `t."${name}"`;
      })
      .join(', ');
    await client.query(
      `insert into ${table} (${names})
       select ${values} from ${table} t cross join generate_series(1, ${copies}) as n where t.workspace_id = $1
       on conflict do nothing`,
      [workspaceId],
    );
  }
  await client.query('update outbox set automation_done = true, webhook_done = true, inbox_done = true');
  await client.query('vacuum (analyze)');
}

/** Nothing is left in them but what was counted when they were full. */
export async function emptyTables(client: Client): Promise<void> {
  await client.query(`set session_replication_role = 'replica'`);
  for (const table of [...(await tenantTables(client)), 'workspace'])
    await client.query(`delete from ${table}`);
  await client.query('vacuum');
}

/**
 * As VACUUM leaves a table in which nothing is left and which it could not make shorter, because somebody had it: pages without a
 * row, and every page that comes is one without rows by that. Whether it comes to this by itself is a matter of chance.
 */
export async function countAsEmpty(client: Client): Promise<void> {
  await client.query(
    `select pg_restore_relation_stats('schemaname', 'public', 'relname', c.relname::text, 'relpages', 100, 'reltuples', 0::real)
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname = any ($1)`,
    [await tenantTables(client)],
  );
}

/** Tenant tables with fewer rows than pages, as the planner is told. */
export async function doubtfulTables(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(`
    select c.relname as table from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.reltuples >= 0 and c.reltuples < c.relpages
    order by 1`);
  return rows.map(({ table }) => table);
}

/** The planner knows nothing of any table but what it is told at each start, as after a restore or an upgrade. */
export async function forgetCounts(client: Client): Promise<void> {
  await client.query(`
    select pg_clear_relation_stats('public', c.relname::text),
           (select count(pg_clear_attribute_stats('public', c.relname::text, a.attname::text, inherited))
            from pg_attribute a cross join unnest(array[true, false]) as inherited
            where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attname <> 'workspace_id')
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`);
}

async function tenantTables(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(`
    select c.relname as table from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`);
  return rows.map(({ table }) => table);
}

/** Tenant tables in which nothing lies. */
export async function emptyTenantTables(client: Client): Promise<string[]> {
  const empty: string[] = [];
  for (const table of await tenantTables(client)) {
    const { rowCount } = await client.query(`select from ${table} limit 1`);
    if (rowCount === 0) empty.push(table);
  }
  return empty;
}
