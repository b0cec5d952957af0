/** A database of release 0.1.0, which ran 58 migrations that this release no longer has, is brought to this release. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { newId } from '../../src/db/ids.ts';
import { migrate } from '../../src/db/migrate.ts';
import { pendingMigrations } from '../../src/db/pending-migrations.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { databaseUrl } from '../setup/global.ts';
import { differences, readCatalogue } from './read-catalogue.ts';

const silent = pino({ level: 'silent' });
const preview = await readFile(new URL('preview-schema.sql', import.meta.url), 'utf8');
const opened: { client: Client; name: string }[] = [];
let admin: Client;

/** A database as release 0.1.0 left it. */
async function openPreview(): Promise<{ client: Client; url: string }> {
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await admin.query(`create database ${name}`);
  const url = databaseUrl(inject('postgresUrl'), name);
  const client = new Client({ connectionString: url });
  await client.connect();
  opened.push({ client, name });
  await client.query(preview);
  return { client, url };
}

const pendingOf = (client: Client) =>
  pendingMigrations({ query: async <Row>(sql: string) => (await client.query(sql)).rows as Row[] });

beforeAll(async () => {
  admin = new Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
});
afterAll(async () => {
  for (const { client, name } of opened) {
    await client.end();
    await admin.query(`drop database if exists ${name} with (force)`);
  }
  await admin.end();
});

describe('a database that ran all 58 migrations of release 0.1.0', () => {
  let fresh: TestDatabase;
  let made: Client;
  let client: Client;
  let url: string;
  const workspaceId = newId();
  const places = [newId(), newId(), newId(), newId()] as const;
  const [warehouse, other, shelf, bin] = places;

  /** Notes of each index on a table of before whether readers or writers of the table have to wait while it is made. */
  const noteIndexes = `
    create schema noted;
    create table noted.tables as select oid from pg_class where relnamespace = 'public'::regnamespace;
    create table noted.indexes (name text, shuts_writers boolean);
    create function noted.note() returns event_trigger language plpgsql as $$
    begin
      insert into noted.indexes
      select made.object_identity, exists (
        select from pg_locks l where l.pid = pg_backend_pid() and l.relation = i.indrelid
          and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'))
      from pg_event_trigger_ddl_commands() as made join pg_index i on i.indexrelid = made.objid
      where i.indrelid in (select oid from noted.tables);
    end $$;
    create event trigger note on ddl_command_end when tag in ('CREATE INDEX') execute function noted.note()`;

  beforeAll(async () => {
    fresh = await createTestDatabase();
    made = new Client({ connectionString: fresh.url });
    await made.connect();
    ({ client, url } = await openPreview());
    await client.query(noteIndexes);
    await client.query(`insert into workspace (id, slug, name) values ($1, 'there', 'There')`, [workspaceId]);
    await client.query(
      `insert into entity (workspace_id, id, version_id, number, name, category, state, revised_by)
       values ($1, $2, $2, 'P-1', 'Wheel', 'part', 'In Work', $2)`,
      [workspaceId, newId()],
    );
    // A shelf in two warehouses and a bin in the shelf, by links of bills of materials.
    await client.query(
      `insert into category (workspace_id, key, name, role, lifecycle, numbering, behaviour, hidden_from_new)
       values ($1, 'location', 'Location', 'location', 'location', '{}', 'none', false)`,
      [workspaceId],
    );
    await client.query(
      `insert into entity (workspace_id, id, version_id, name, category, state, revised_by)
       select $1, id, id, 'Place', 'location', 'Active', id from unnest($2::uuid[]) as given (id)`,
      [workspaceId, places],
    );
    await client.query(
      `insert into entity_link (workspace_id, parent_id, child_id, quantity)
       select $1, * , 1 from unnest($2::uuid[], $3::uuid[])`,
      [workspaceId, [warehouse, other, shelf], [shelf, shelf, bin]],
    );
  });
  afterAll(async () => {
    await made?.end();
    await fresh?.drop();
  });

  it('is recorded as being at the baseline, by one of several processes that start at once', async () => {
    const later = (await pendingOf(client)).filter((name) => !name.startsWith('20261201_00'));
    const ran = await Promise.all([1, 2, 3].map(() => migrate(url, silent)));
    expect(ran.flat().sort()).toEqual(later.sort());
    expect(await pendingOf(client)).toEqual([]);
    expect(await migrate(url, silent)).toEqual([]);
  });

  it('has what a new database has, and nothing else', async () => {
    await client.query('drop event trigger note');
    expect(differences(await readCatalogue(client), await readCatalogue(made))).toEqual([]);
  });

  it('keeps its rows, and finds them', async () => {
    await client.query(`select set_config('partbook.workspace_id', $1, false)`, [workspaceId]);
    for (const search of [`search_lines('whee p-1', 10)`, `search_entities(array['%whee%', null], 10)`]) {
      const { rows } = await client.query(`select e.name from ${search} h join entity e using (id)`);
      expect(rows).toEqual([{ name: 'Wheel' }]);
    }
  });

  it('has the first link between two locations as the parent, and keeps the others', async () => {
    const { rows: parents } = await client.query(
      `select id, parent_location_id as parent from entity where category = 'location' order by id`,
    );
    expect(parents).toEqual([
      { id: warehouse, parent: null },
      { id: other, parent: null },
      { id: shelf, parent: warehouse },
      { id: bin, parent: shelf },
    ]);
    const { rows: links } = await client.query('select parent_id, child_id from entity_link');
    expect(links).toEqual([{ parent_id: other, child_id: shelf }]);
    const { rows: audit } = await client.query(
      `select subject_key, before #>> '{link,parentEntityId}' as link, after ->> 'parentLocation' as parent
       from audit_log where subject_type = 'entity' order by subject_key`,
    );
    expect(audit).toEqual([
      { subject_key: shelf, link: warehouse, parent: warehouse },
      { subject_key: bin, link: shelf, parent: shelf },
    ]);
  });

  it('answers processes of release 0.1.0, which ask for the names of their migrations', async () => {
    const { rows } = await client.query(
      `select count(*)::int as there from schema_migration where name between '20261120' and '20261201_0100~'
         and name !~ '^20261201_00'`,
    );
    expect(rows).toEqual([{ there: 58 }]);
  });

  it('is read and written while indexes are added to its tables', async () => {
    const { rows } = await client.query('select name from noted.indexes where shuts_writers');
    expect(rows, 'an index on a table that is there belongs in an IndexMigration').toEqual([]);
    const { rows: invalid } = await client.query(
      'select indexrelid::regclass::text as name from pg_index where not indisvalid',
    );
    expect(invalid).toEqual([]);
  });
});

it('a database that ran some of the 58 is told which release to start first, and stays as it is', async () => {
  const { client, url } = await openPreview();
  await client.query(`delete from schema_migration where name > '20261124'`);
  const before = await readCatalogue(client);
  await expect(migrate(url, silent)).rejects.toThrow(
    'This database has 30 of the 58 migrations of release 0.1.0, and this release cannot upgrade it. ' +
      'Start the last build of release 0.1.0 with it once (`npm run migrate`), then this release.',
  );
  expect(differences(before, await readCatalogue(client))).toEqual([]);
});

it('the comparison notices what differs', async () => {
  const fresh = await createTestDatabase();
  const client = new Client({ connectionString: fresh.url });
  await client.connect();
  try {
    const before = await readCatalogue(client);
    for (const change of [
      'alter table entity alter name drop not null',
      'alter table sync_result alter results set storage main',
      'alter table entity_text alter lines set statistics 100',
      'grant update (slug) on workspace to partbook_app',
      'alter table entity_link enable trigger entity_link_designators_insert',
      'alter policy entity_of_workspace on entity using (true)',
      'drop index entity_number',
      'revoke execute on function search_entities from partbook_app',
      `comment on column entity.name is 'x'`,
      'alter table stock_line drop constraint stock_line_quantity_check',
    ]) {
      await client.query('begin');
      await client.query(change);
      expect(differences(before, await readCatalogue(client)), change).not.toEqual([]);
      await client.query('rollback');
    }
  } finally {
    await client.end();
    await fresh.drop();
  }
});
