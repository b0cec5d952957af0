/** Takes the indexes off tables that are about to be filled, and builds them at once afterwards. */
import type { Client } from 'pg';

export async function withoutIndexes<T>(
  client: Client,
  tables: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const { rows: keys } = await client.query<{ name: string; table: string; definition: string }>(
    `select conname as name, conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'p' and conrelid = any($1::regclass[])`,
    [tables],
  );
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where not indisprimary and indrelid = any($1::regclass[])`,
    [tables],
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  const result = await work();
  await client.query(`set maintenance_work_mem = '1GB'`);
  for (const { table, name, definition } of keys) {
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  }
  for (const { definition } of indexes) await client.query(definition);
  return result;
}
