/** What was stored before a migration, and webs of the release before that go on while they are replaced. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { connectDb, type Db } from '../../src/db/connect.ts';
import { newId } from '../../src/db/ids.ts';
import { migrate } from '../../src/db/migrate.ts';
import { migrationsFolder } from '../../src/db/pending-migrations.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import {
  claimIdempotencyKey,
  type IdempotentRequest,
  pruneIdempotencyKeys,
  readIdempotencyKey,
  recordAnswer,
  withBody,
} from '../../src/idempotency/idempotency-key.ts';
import { databaseUrl } from '../setup/global.ts';
import { patience } from '../setup/patience.ts';

const DAYS = 7;
const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
const url = databaseUrl(inject('postgresUrl'), name);
let admin: Client;
let owner: Client;
let db: Db;

const [workspaceId, actorId] = [newId(), newId()];
const requestOf = (key: string): IdempotentRequest =>
  withBody(
    readIdempotencyKey(key, {
      workspaceId,
      actorId,
      credential: 'the key',
      target: 'POST /things',
      retentionDays: DAYS,
    }) as IdempotentRequest,
    createHash('sha256').update('the body').digest(),
  );
const answer = (text: string) => ({ status: 201, headers: {}, bytes: Buffer.from(text) });

/** The statements of the release before. */
const selectBefore = `
  select k.workspace_id, k.actor_id, k.key, request_hash, status, headers, body
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::int[]) as wanted (workspace_id, actor_id, key, days)
  join idempotency_key k on k.workspace_id = wanted.workspace_id and k.actor_id = wanted.actor_id
    and k.key = wanted.key and k.created_at > now() - make_interval(days => wanted.days)`;
const insertBefore = `
  insert into idempotency_key (workspace_id, actor_id, key, request_hash, status, headers, body)
  select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[], $5::smallint[], $6::jsonb[], $7::bytea[])
  on conflict (workspace_id, actor_id, key) do update set
    request_hash = excluded.request_hash, status = excluded.status, headers = excluded.headers,
    body = excluded.body, created_at = now()`;
const pruneBefore = `
  delete from idempotency_key where ctid = any (array(
    select ctid from idempotency_key where created_at < now() - make_interval(days => $1) limit $2)) returning 1`;

/** As the release now keeps an answer and looks for one; null where the key is new. */
const keep = (key: string, text: string) =>
  inTransaction(db, { workspaceId }, async (tx) => {
    const first = await claimIdempotencyKey(tx, requestOf(key));
    if (first === null) recordAnswer(tx, requestOf(key), answer(text));
    return first?.bytes.toString() ?? null;
  });

/** A transaction as the release before began one. */
async function transactBefore<T>(role: string, work: () => Promise<T>): Promise<T> {
  await owner.query('begin');
  await owner.query(`select set_config('role', $1, true), set_config('partbook.workspace_id', $2, true)`, [
    role,
    workspaceId,
  ]);
  const done = await work().catch((error: unknown) => error);
  await owner.query(done instanceof Error ? 'rollback' : 'commit');
  if (done instanceof Error) throw done;
  return done as T;
}

/** The same by a web of the release before. */
const keepBefore = (key: string, text: string) =>
  transactBefore('partbook_app', async () => {
    const found = await owner.query(selectBefore, [[workspaceId], [actorId], [key], [DAYS]]);
    const request = requestOf(key);
    const [first] = found.rows as { body: Buffer }[];
    if (first !== undefined) return unseal(first.body, request.sealKey);
    const hash = createHash('sha256')
      .update(`${request.target}\n`)
      .update(request.bodyDigest as Buffer);
    const hex = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;
    const row = [hex(hash.digest()), 201, '{}', hex(seal(text, request.sealKey))];
    await owner.query(insertBefore, [[workspaceId], [actorId], [key], ...row.map((value) => [value])]);
    return null;
  });

let numbered = 0;

async function makeEntities(count: number): Promise<void> {
  const numbers = Array.from({ length: count }, () => `N-${numbered++}`);
  await owner.query(
    `insert into entity (workspace_id, id, version_id, number, name, category, state, revised_by)
     select $1, gen_random_uuid(), gen_random_uuid(), number, 'Made ' || number, 'part', 'In Work', $1
     from unnest($2::text[]) as number`,
    [workspaceId, numbers],
  );
}

/** All of them, each by its own text and once. */
async function found({ entities, renamed }: { entities: number; renamed?: string }): Promise<void> {
  const { rows } = await transactBefore('partbook_app', () =>
    owner.query<{ hits: string[]; made: string[]; renamed: string[] }>(
      `select array(select number from search_lines('n-', 100) h join entity e using (id)
                    order by length(number), number) as hits,
              array(select number from entity where workspace_id = $1 and number like 'N-%' order by length(number), number) as made,
              array(select e.number from search_lines($2, 100) h join entity e using (id)) as renamed`,
      [workspaceId, `renamed ${renamed ?? ''}`],
    ),
  );
  expect(rows[0]?.made).toHaveLength(entities);
  expect(rows[0]?.hits).toEqual(rows[0]?.made);
  expect(rows[0]?.renamed).toEqual(renamed === undefined ? [] : ['N-3']);
}

/** The form in which answers are kept, written down here: both releases have to read it. */
function seal(text: string, sealKey: Buffer): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', sealKey, iv);
  const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

function unseal(kept: Buffer, sealKey: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', sealKey, kept.subarray(0, 12));
  decipher.setAuthTag(kept.subarray(12, 28));
  return Buffer.concat([decipher.update(kept.subarray(28)), decipher.final()]).toString();
}

/** Positions with a line and a requirement each, in the order of their keys. */
const places = Array.from({ length: 3 }, () => ({
  item: newId(),
  location: newId(),
  line: newId(),
  requirement: newId(),
}));

/** As any release writes a position and its ledger: reservations and receipts, so many of each. */
async function moveBefore(client: Client, at: number, count: number): Promise<void> {
  const { item, location, line, requirement } = places[at] as (typeof places)[number];
  const { rows } = await client.query<{ sequence: string }>(
    `insert into stock_position as p (workspace_id, item_id, location_id, on_hand, reserved, on_order, sequence, hash, updated_at)
     values ($1, $2, $3, 1, 1, 1, $4, sha256(''), now())
     on conflict (workspace_id, item_id, location_id) do update set sequence = p.sequence + $4 returning sequence`,
    [workspaceId, item, location, 2 * count],
  );
  await client.query(
    `insert into stock_ledger (workspace_id, id, item_id, location_id, sequence, recorded_at, movement_type, quantity,
                               on_hand_delta, reserved_delta, on_order_delta, on_hand_after, reserved_after, on_order_after,
                               line_id, requirement_id, actor_id, hash)
     select $1, uuidv7(), $2, $3, $4::bigint + n, now(), type, 3, case when is_receipt then 3 else 0 end,
            case when is_receipt then 0 else 3 end, case when is_receipt then -3 else 0 end,
            case when is_receipt then 3 else 0 end, case when is_receipt then 0 else 3 end, 0,
            case when is_receipt then $5::uuid end, $6, $1, sha256('')
     from generate_series(1, $7::int) as n
     cross join lateral (select n % 2 = 0 as is_receipt) as r
     cross join lateral (select case when is_receipt then 'POReceipt' else 'MRReservation' end as type) as t`,
    [workspaceId, item, location, Number(rows[0]?.sequence) - 2 * count, line, requirement, 2 * count],
  );
}

/** Of each place what was received of its line, and reserved and received for its requirement; null where nothing is kept. */
async function keptTotals(): Promise<(number | null)[][]> {
  const { rows } = await owner.query(
    `select (select received::int from stock_line_total where line_id = line) as line,
            (select reserved::int from stock_requirement_total where requirement_id = requirement) as reserved,
            (select received::int from stock_requirement_total where requirement_id = requirement) as received
     from unnest($1::uuid[], $2::uuid[]) with ordinality as p (line, requirement, place) order by place`,
    [places.map(({ line }) => line), places.map(({ requirement }) => requirement)],
  );
  return rows.map(({ line, reserved, received }) => [line, reserved, received]);
}

/**
 * Notes of each index that is made on a table of the release before whether its migration keeps writers from that table
 * meanwhile, or even readers: on a large one it is made for minutes.
 */
const noteIndexes = `
  create schema noted;
  create table noted.tables as select oid from pg_class where relnamespace = 'public'::regnamespace;
  create table noted.indexes (name text, on_table regclass, shuts boolean, shuts_writers boolean);
  create function noted.note() returns event_trigger language plpgsql as $$
  begin
    insert into noted.indexes
    select made.object_identity, i.indrelid, exists (
      select from pg_locks l where l.pid = pg_backend_pid() and l.relation = i.indrelid and l.mode = 'AccessExclusiveLock'),
      exists (
      select from pg_locks l where l.pid = pg_backend_pid() and l.relation = i.indrelid
        and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'))
    from pg_event_trigger_ddl_commands() as made join pg_index i on i.indexrelid = made.objid
    where i.indrelid in (select oid from noted.tables);
  end $$;
  create event trigger note on ddl_command_end when tag in ('CREATE INDEX') execute function noted.note()`;

beforeAll(async () => {
  admin = new Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const orm = await MikroORM.init({
    clientUrl: url,
    entities: [],
    extensions: [Migrator],
    discovery: { warnWhenNoEntities: false },
    logger: () => {},
    migrations: {
      path: migrationsFolder,
      pathTs: migrationsFolder,
      glob: '*.ts',
      tableName: 'schema_migration',
      snapshot: false,
      disableForeignKeys: false,
    },
  });
  await orm.migrator.up({ to: '20261123_0301_waiting_tests' });
  await orm.close(true);
  owner = new Client({ connectionString: url });
  await owner.connect();
  await owner.query(noteIndexes);
  await owner.query(`insert into workspace (id, slug, name) values ($1, 'there', 'There')`, [workspaceId]);
  for (const [at] of places.entries()) await moveBefore(owner, at, 10);
  db = await connectDb({ url, poolMax: 2, applicationName: 'test', log: { warn: () => {} } });
});
afterAll(async () => {
  await db?.close();
  await owner?.end();
  await admin.query(`drop database if exists ${name} with (force)`);
  await admin.end();
});

it('kept answers are found over the migration that parts them, whichever release kept them and asks', async () => {
  for (const key of ['early', 'later', 'old']) expect(await keepBefore(key, `${key}, before`)).toBeNull();
  const age = (key: string, ago: string) =>
    owner.query('update idempotency_key set created_at = now() - $2::interval where key = $1', [key, ago]);
  await age('early', '6 days');
  await age('old', '8 days');

  await makeEntities(17);
  await migrate(url, pino({ level: 'silent' }));

  // What was there before.
  expect(await keep('early', 'again')).toBe('early, before');
  expect(await keepBefore('later', 'again')).toBe('later, before');
  // What either keeps while webs are replaced, the other finds.
  expect(await keep('by-the-new', 'new')).toBeNull();
  expect(await keepBefore('by-the-new', 'again')).toBe('new');
  expect(await keepBefore('by-the-old', 'old')).toBeNull();
  expect(await keep('by-the-old', 'again')).toBe('old');
  // A key that is used anew behind its retention, by both.
  expect(await keep('old', 'anew')).toBeNull();
  expect(await keepBefore('old', 'again')).toBe('anew');
  await age('old', '8 days');
  expect(await keepBefore('old', 'once more')).toBeNull();
  expect(await keep('old', 'again')).toBe('once more');

  // Workers of both remove what is old, and leave what is not.
  await age('early', '8 days');
  const gone = await transactBefore('partbook_system', () => owner.query(pruneBefore, [DAYS, 100]));
  expect(gone.rowCount).toBe(1);
  await inTransaction(db, 'instance', (tx) => pruneIdempotencyKeys(tx, DAYS));
  expect(await keep('later', 'again')).toBe('later, before');
  // Behind the same walls, by either name.
  const walls = await owner.query(
    `select tablename from pg_policies where tablename in ('idempotency_key', 'kept_answer') order by 1`,
  );
  expect(walls.rows.map((row) => row.tablename)).toEqual([
    'idempotency_key',
    'idempotency_key',
    'kept_answer',
    'kept_answer',
  ]);

  // Its time is over, and it goes as every partition does.
  await owner.query('alter table kept_answer detach partition idempotency_key');
  await owner.query(`update idempotency_key set created_at = now() - interval '30 days'`);
  await owner.query(`
    do $$ begin
      execute format('alter table kept_answer attach partition idempotency_key for values from (minvalue) to (%L)',
                     now() - interval '8 days');
    end $$`);
  await inTransaction(db, 'instance', (tx) => pruneIdempotencyKeys(tx, DAYS));
  const { rows } = await owner.query(`select to_regclass('idempotency_key') as name`);
  expect(rows).toEqual([{ name: null }]);
  expect(await keep('later', 'after all')).toBeNull();
  expect(await keep('later', 'again')).toBe('after all');
});

it('totals of lines and requirements are those of the ledger before the migration, and of whoever writes it then', async () => {
  const of = (count: number) => [3 * count, 3 * count, 3 * count];
  expect(await keptTotals()).toEqual([of(10), of(10), of(10)]);
  await transactBefore('partbook_app', () => moveBefore(owner, 1, 4));
  expect(await keptTotals()).toEqual([of(10), of(14), of(10)]);
  for (const table of ['stock_line_total', 'stock_requirement_total'])
    await expect(
      transactBefore('partbook_app', () => owner.query(`update ${table} set received = 0`)),
    ).rejects.toThrow(/permission denied/);

  // Cut off, and made again while one writer is at a position that it comes to: it waits for that one, and nobody for it.
  const silent = pino({ level: 'silent' });
  const name = '20261127_0601_fill_stock_totals';
  await owner.query('delete from schema_migration where name = $1', [name]);
  await owner.query('delete from stock_line_total where line_id = $1', [places[2]?.line]);
  await owner.query('update stock_requirement_total set reserved = 0');
  const writer = new Client({ connectionString: url });
  await writer.connect();
  try {
    await writer.query('begin');
    await moveBefore(writer, 1, 1);
    const ran = migrate(url, silent);
    await expect
      .poll(async () => {
        const { rows } = await owner.query(
          `select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows.map(({ query }) => query).join();
      }, patience)
      .toContain('remake_stock_totals');
    await moveBefore(owner, 0, 2);
    await moveBefore(owner, 2, 3);
    await writer.query('commit');
    expect(await ran).toEqual([name]);
  } finally {
    await writer.end();
  }
  expect(await keptTotals()).toEqual([of(12), of(15), of(13)]);
});

it('entities from before are found, also where the migration was cut off and others are renamed and made beside it', async () => {
  await found({ entities: 17 });
  await owner.query(`update entity set name = 'Renamed once' where workspace_id = $1 and number = 'N-3'`, [
    workspaceId,
  ]);
  await makeEntities(3);
  await found({ entities: 20, renamed: 'once' });
  const names = ['20261126_0400_entity_text', '20261201_0600_words_in_any_order'];
  await owner.query('delete from schema_migration where name = any($1)', [names]);
  const renames = new Client({ connectionString: url });
  await renames.connect();
  try {
    // Whoever holds an entity is waited for, and no longer than that.
    await renames.query('begin');
    await renames.query(
      `update entity set name = 'Renamed twice' where workspace_id = $1 and number = 'N-3'`,
      [workspaceId],
    );
    const migrating = migrate(url, pino({ level: 'silent' }));
    await vi.waitUntil(async () => {
      const { rows } = await owner.query(
        `select from pg_locks where not granted and relation = 'entity'::regclass and database =
           (select oid from pg_database where datname = current_database())`,
      );
      return rows.length > 0;
    }, patience);
    await renames.query('commit');
    expect(await migrating).toEqual(names);
  } finally {
    await renames.end();
  }
  await found({ entities: 20, renamed: 'twice' });
});

it('while an index is made, its table is read', async () => {
  const { rows } = await owner.query('select on_table::text as name, shuts from noted.indexes order by 1, 2');
  const named = (wanted: boolean) => rows.filter(({ shuts }) => shuts === wanted).map(({ name }) => name);
  expect(named(false)).toEqual(expect.arrayContaining(['audit_log', 'entity', 'sync_batch']));
  // A row for each workspace is nothing.
  expect(new Set(named(true))).toEqual(new Set(['workspace']));
});

it('while an index is made, its table is written to, but for those that were made before it could be', async () => {
  const { rows } = await owner.query<{ name: string }>(
    'select name from noted.indexes where shuts_writers order by 1',
  );
  // To a new index on rows that are there belongs an IndexMigration.
  expect(rows.map(({ name }) => name.replace('public.', ''))).toEqual([
    'audit_log_action',
    'entity_search_alone',
    'stock_ledger_recorded',
    'sync_batch_profile',
    'workspace_arrived',
    'workspace_resting',
  ]);
  const { rows: invalid } = await owner.query(
    'select indexrelid::regclass::text as name from pg_index where not indisvalid',
  );
  expect(invalid).toEqual([]);
});

it('an index is made while another process waits for its turn to migrate', async () => {
  const last = '20261126_0700_ordered_lists';
  const { rows } = await owner.query('delete from schema_migration where name = $1 returning name', [last]);
  expect(rows).toHaveLength(1);
  const silent = pino({ level: 'silent' });
  const ran = await Promise.all([1, 2, 3].map(() => migrate(url, silent)));
  expect(ran.flat()).toEqual([last]);
});
