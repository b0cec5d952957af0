/** The service starts with a login that owns nothing, and with no other; and it notices a role that gets lost. */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { admitLogin, checkLogin, checkRoleInForce } from '../../src/db/check-login.ts';
import { connectDb } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { requireMigrated } from '../../src/db/pending-migrations.ts';
import { startService } from '../main/service-process.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { databaseUrl, serviceUrl } from '../setup/global.ts';

const log = pino({ level: 'silent' });
let database: TestDatabase;
let admin: Client;
const made: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  admin = new Client({ connectionString: database.url });
  await admin.connect();
});
afterEach(async () => {
  for (const login of made.splice(0)) {
    await admin.query(`reassign owned by ${login} to current_user`);
    await admin.query(`drop owned by ${login}`);
    await admin.query(`drop role ${login}`);
  }
});
afterAll(async () => {
  await admin.end();
  await database.drop();
});

/** A login with the service's roles, and what else the statements give it; `$` stands for its name. */
async function loginWith(statements: readonly string[], name = `login_${randomBytes(4).toString('hex')}`) {
  made.push(name);
  await admin.query(`create role ${name} login password 'secret'`);
  for (const sql of ['grant partbook_app, partbook_system to $', ...statements]) {
    await admin.query(sql.replaceAll('$', name));
  }
  return Object.assign(new URL(database.url), { username: name, password: 'secret' }).href;
}

test('a login that owns nothing and takes both roles is what is wanted', async () => {
  await expect(checkLogin(await loginWith([]))).resolves.toBeUndefined();
  await expect(checkLogin(serviceUrl(database.url))).resolves.toBeUndefined();
});

test.each<[string, string[], RegExp]>([
  ['is a superuser', ['alter role $ superuser'], /is a superuser/],
  [
    'sees past row-level security',
    ['alter role $ bypassrls'],
    /can become login_.*sees past row-level security/,
  ],
  ['reads the log of every change', ['alter role $ replication'], /sees past row-level security/],
  [
    'runs programs as the server',
    ['grant pg_execute_server_program to $'],
    /can become pg_execute_server_program/,
  ],
  ['owns a table', ['alter table stock_ledger owner to $'], /owns tables \(stock_ledger/],
  ['may empty a table', ['grant truncate on stock_ledger to $'], /may empty tables .*\(stock_ledger/],
  ['may add a trigger', ['grant trigger on entity to $'], /add triggers to them \(entity/],
  ['may silence triggers', ['grant set on parameter session_replication_role to $'], /silences triggers/],
  ['cannot see all workspaces', ['revoke partbook_system from $'], /is no member of partbook_system/],
  [
    'cannot take the role, only inherits it',
    ['grant partbook_app to $ with set false'],
    /is no member of partbook_app/,
  ],
])('a login that %s is refused, and the reason is said', async (_what, statements, reason) => {
  await expect(checkLogin(await loginWith(statements))).rejects.toThrow(reason);
});

test('the owner of the database is refused, and whoever can become one', async () => {
  const owner = await loginWith([]);
  const ownerName = new URL(owner).username;
  await admin.query(`alter database ${database.name} owner to ${ownerName}`);
  try {
    await expect(checkLogin(owner)).rejects.toThrow(/owns the database/);
    const member = await loginWith([`grant ${ownerName} to $ with inherit false, set true`]);
    await expect(checkLogin(member)).rejects.toThrow(/owns the database/);
  } finally {
    await admin.query(`alter database ${database.name} owner to current_user`);
  }
});

test('the owner of the schema lets the login in after it has migrated, and only that login', async () => {
  const name = `login_${randomBytes(4).toString('hex')}`;
  const url = await loginWith(['revoke partbook_app, partbook_system from $'], name);
  await expect(checkLogin(url)).rejects.toThrow(/is no member of partbook_app, partbook_system/);
  await admitLogin(database.url, url);
  await expect(checkLogin(url)).resolves.toBeUndefined();
});

test('where there is no such login yet, it is made with its password, once', async () => {
  const name = `login "${randomBytes(4).toString('hex')}"`;
  const urlWith = (password: string) =>
    Object.assign(new URL(database.url), { username: encodeURIComponent(name), password }).href;
  const url = urlWith(encodeURIComponent("pass'word: %"));
  try {
    await Promise.all([1, 2, 3].map(() => admitLogin(database.url, url)));
    await expect(checkLogin(url)).resolves.toBeUndefined();
    await admitLogin(database.url, urlWith('another'));
    await expect(checkLogin(urlWith('another'))).rejects.toThrow(/password authentication failed/);
    await expect(checkLogin(url)).resolves.toBeUndefined();
  } finally {
    await admin.query(`drop role ${admin.escapeIdentifier(name)}`);
  }
});

test('what the login is let in as, it does not inherit: a statement outside of any role sees nothing', async () => {
  const url = await loginWith([]);
  await admitLogin(database.url, url);
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await expect(client.query('select from entity')).rejects.toMatchObject({ code: '42501' });
    await expect(client.query('select from workspace')).rejects.toMatchObject({ code: '42501' });
    await client.query('set role partbook_app');
    expect((await client.query('select from entity')).rows).toEqual([]);
  } finally {
    await client.end();
  }
});

test('a role that the policies do not bind is noticed', async () => {
  const db = await connectDb({ poolMax: 1, applicationName: 'test', log, url: serviceUrl(database.url) });
  try {
    await expect(checkRoleInForce(db)).resolves.toBeUndefined();
    await admin.query('alter table stock_ledger disable row level security');
    await expect(checkRoleInForce(db)).rejects.toThrow(/does not bind partbook_app/);
  } finally {
    await admin.query('alter table stock_ledger enable row level security');
    await db.close();
  }
});

test('a schema that lacks a migration is not worked on', async () => {
  const db = await connectDb({ poolMax: 1, applicationName: 'test', log, url: serviceUrl(database.url) });
  try {
    await expect(requireMigrated(db)).resolves.toBeUndefined();
    await admin.query(`update schema_migration set name = name || ' undone' where name ~ '0010'`);
    await expect(requireMigrated(db)).rejects.toThrow(/lacks 1 migrations .* DATABASE_MIGRATION_URL/);
  } finally {
    await admin.query(`update schema_migration set name = replace(name, ' undone', '')`);
    await db.close();
  }
});

const redisUrl = inject('redisUrl');
test.skipIf(redisUrl === null).each<[string, () => Promise<string>, RegExp]>([
  ["a superuser's login", async () => database.url, /is a superuser/],
  [
    'a login that owns the tables',
    () => loginWith(['alter table entity owner to $', 'alter table stock_ledger owner to $']),
    /owns tables \(entity, stock_ledger/,
  ],
])('%s: the service does not start', async (_what, login, reason) => {
  const service = startService('web', environment(await login()));
  expect(await service.ended()).toBe(1);
  expect(JSON.stringify(service.log())).toMatch(reason);
});

test.skipIf(redisUrl === null)(
  'a proper login: the service starts, is ready, and migrates nothing',
  async () => {
    const service = startService('web', environment(serviceUrl(database.url)));
    const { port } = await service.logged('web ready');
    const ready = await fetch(`http://127.0.0.1:${port}/health/ready`);
    expect([ready.status, await ready.json()]).toMatchObject([200, { checks: { role: { status: 'ok' } } }]);
    service.signal('SIGTERM');
    expect(await service.ended()).toBe(0);
  },
);

test.skipIf(redisUrl === null)(
  'on an empty database the service says that it is to be migrated; `migrate` does it and lets the login in',
  async () => {
    const name = `${database.name}_empty`;
    await admin.query(`create database ${name}`);
    try {
      const owner = databaseUrl(database.url, name);
      const login = `login_${randomBytes(4).toString('hex')}`;
      made.push(login);
      const url = Object.assign(new URL(owner), { username: login, password: 'secret' });
      const early = startService('web', environment(serviceUrl(owner)));
      expect(await early.ended()).toBe(1);
      expect(JSON.stringify(early.log())).toContain('DATABASE_MIGRATION_URL');
      const migrating = startService('migrate', {
        ...environment(url.href),
        DATABASE_MIGRATION_URL: owner,
      });
      expect(await migrating.ended()).toBe(0);
      const web = startService('web', environment(url.href));
      await web.logged('web ready');
      web.signal('SIGTERM');
      expect(await web.ended()).toBe(0);
      expect(await migrate(owner, log)).toEqual([]);
    } finally {
      await admin.query(`drop database ${name} with (force)`);
    }
  },
);

function environment(url: string): Record<string, string> {
  return {
    DATABASE_URL: url,
    REDIS_URL: redisUrl ?? '',
    OPERATOR_TOKEN: 'operator-token-of-the-tests',
    QUEUE_PREFIX: `t${randomBytes(6).toString('hex')}`,
  };
}
