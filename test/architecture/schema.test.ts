/**
 * The walls between workspaces, read from the catalogue of a migrated database: keys led by workspace_id,
 * row-level security, roles without might, history that cannot be changed. Then each wall is torn down in turn,
 * to see that the check notices.
 */
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { grantTenantTable } from '../../src/db/tenant-table.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { appendOnlyTables, referenceTables } from './catalogue-rules.ts';
import { checkCatalogue } from './check-catalogue.ts';

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

test('the migrated schema keeps workspaces apart', async () => {
  const report = await checkCatalogue(client);
  expect(report.breaches).toEqual([]);
  expect(report.tables.length).toBeGreaterThan(15);
  for (const table of [...Object.keys(referenceTables), ...appendOnlyTables]) {
    expect(report.tables, 'a list names a table that is not there').toContain(table);
  }
});

test('a start says again what a restored dump has lost', async () => {
  await client.query(`select pg_clear_attribute_stats('public', 'entity', 'workspace_id', false)`);
  expect((await checkCatalogue(client)).breaches).toEqual(['entity is not said to be of one workspace']);
  await migrate(database.url, pino({ level: 'silent' }));
  expect((await checkCatalogue(client)).breaches).toEqual([]);
});

test('partitions that are made at work stand behind the same walls', async () => {
  const partitions = async () =>
    (await checkCatalogue(client)).tables.filter((name) => /^kept_answer_\d/.test(name));
  const before = await partitions();
  await client.query('select keep_answer_partitions(100, 0)');
  expect((await partitions()).length).toBeGreaterThan(before.length);
  expect((await checkCatalogue(client)).breaches).toEqual([]);
});

describe('the check notices', () => {
  const tenant = (table: string) => [
    `create table ${table} (workspace_id uuid not null, id uuid not null, primary key (workspace_id, id))`,
    ...grantTenantTable(table),
  ];

  test.each<[string, string[], string]>([
    [
      'a table without a primary key',
      ['create table gadget (workspace_id uuid)'],
      'gadget has no primary key',
    ],
    [
      'a table without row-level security',
      ['create table gadget (workspace_id uuid, id uuid, primary key (workspace_id, id))'],
      'gadget has no row-level security',
    ],
    [
      'row-level security that is switched off',
      ['alter table entity disable row level security'],
      'entity has no row-level security',
    ],
    [
      'a primary key led by something else',
      [
        'create table gadget (workspace_id uuid, id uuid, primary key (id, workspace_id))',
        ...grantTenantTable('gadget'),
      ],
      'gadget: unique index gadget_pkey is led by id',
    ],
    [
      'a unique index over all workspaces',
      [...tenant('gadget'), 'create unique index gadget_id on gadget (id)'],
      'unique index gadget_id is led by id',
    ],
    [
      'a unique index on an expression',
      [...tenant('gadget'), 'create unique index gadget_text on gadget ((id::text))'],
      'unique index gadget_text is led by expression',
    ],
    ['a missing policy', ['drop policy entity_of_workspace on entity'], 'no policy confines partbook_app'],
    [
      'a policy that lets everything through',
      ['create policy gate on entity to partbook_app using (true)'],
      'entity has 3 policies in place of 2',
    ],
    [
      'a policy that does not check what is written',
      ['alter policy entity_of_workspace on entity with check (true)'],
      'no policy confines partbook_app',
    ],
    ['a role that sees past policies', ['alter role partbook_app bypassrls'], 'partbook_app is a superuser'],
    ['a role that may log in', ['alter role partbook_app login'], 'partbook_app can log in'],
    [
      'an application role inside another',
      ['grant partbook_system to partbook_app'],
      'partbook_app is a member of partbook_system',
    ],
    [
      'a table owned by the application',
      ['alter table entity owner to partbook_app'],
      'entity is owned by partbook_app',
    ],
    [
      'the right to empty a table',
      ['grant truncate on entity to partbook_app'],
      'partbook_app has TRUNCATE on entity',
    ],
    [
      'the right to change history',
      ['grant update (after) on audit_log to partbook_system'],
      'partbook_system has UPDATE on audit_log',
    ],
    [
      'the right to change of a line what it is of',
      ['grant update (order_id) on stock_line to partbook_app'],
      'partbook_app has UPDATE on stock_line',
    ],
    [
      'history that everybody may remove',
      ['grant delete on entity_revision to public'],
      'partbook_app has DELETE on entity_revision',
    ],
    [
      'a partition that can be reached past its table',
      [
        'create table gadget (workspace_id uuid, id uuid, primary key (workspace_id, id)) partition by range (workspace_id)',
        ...grantTenantTable('gadget'),
        'create table gadget_all partition of gadget default',
        'grant select on gadget_all to partbook_app',
      ],
      'partbook_app has SELECT on gadget_all',
    ],
    [
      'a function of its owner that takes names from its caller',
      ['create function door() returns integer language sql security definer as $$ select 1 $$'],
      'function door is security definer',
    ],
    [
      'statistics that know only the workspaces of their day',
      ['alter table entity alter column workspace_id set statistics default'],
      'entity gathers statistics of workspace_id',
    ],
    [
      'a partition that gathers what its table does not',
      [
        'create table gadget (workspace_id uuid, id uuid, primary key (workspace_id, id)) partition by range (workspace_id)',
        ...grantTenantTable('gadget'),
        'create table gadget_all partition of gadget default',
      ],
      'gadget_all gathers statistics of workspace_id',
    ],
    [
      'statistics from before they were left out',
      [
        'alter table entity alter column workspace_id set statistics 100',
        `insert into entity (workspace_id, id, version_id, name, category, state, revised_by)
         select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'n', 'c', 's', gen_random_uuid()
         from generate_series(1, 10)`,
        'analyze entity',
        'alter table entity alter column workspace_id set statistics 0',
      ],
      'entity has old statistics of workspace_id',
    ],
    [
      'extended statistics of the workspace',
      ['create statistics entity_kinds on workspace_id, category from entity'],
      'entity has extended statistics entity_kinds of workspace_id',
    ],
    [
      'extended statistics of an expression of the workspace',
      ['create statistics entity_texts on (workspace_id::text), category from entity'],
      'entity has extended statistics entity_texts of workspace_id',
    ],
    [
      'an index that gathers statistics of an expression of the workspace',
      ['create index entity_words on entity ((workspace_id::text))'],
      'entity gathers statistics of an expression of workspace_id, by entity_words',
    ],
    [
      'a ledger without its trigger',
      ['alter table stock_ledger disable trigger user'],
      'stock_ledger has no trigger',
    ],
  ])('%s', async (_what, statements, finding) => {
    await client.query('begin');
    try {
      for (const sql of statements) await client.query(sql);
      expect((await checkCatalogue(client)).breaches.join('\n')).toContain(finding);
    } finally {
      await client.query('rollback');
    }
  });
});
