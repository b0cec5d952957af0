/**
 * A dump of a database of one's own, by PostgreSQL's programs as docs/operations.md says: restored where the roles are it has every
 * policy, the ledger verifies and old keys open it, by a provider's owner too; where they are not, the walls are missing.
 */
import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { admitLogin } from '../../src/db/check-login.ts';
import { connectDb } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/embedded/postgres.ts';
import { exportWorkspace } from '../../src/transfer/export-workspace.ts';
import { forgetWorkspace } from '../../src/transfer/forget-workspace.ts';
import { importWorkspace } from '../../src/transfer/import-workspace.ts';
import { holdWorkspace, leaveWorkspace } from '../../src/transfer/rest-workspace.ts';
import { findDebianProgram, type ProgramCommand } from '../setup/debian-program.ts';
import { databaseUrl, serviceUrl } from '../setup/global.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { asSuperuser, makeStockedWorkspace, type StockedWorkspace } from '../stock/stocked-workspace.ts';

const run = promisify(execFile);
const log = pino({ level: 'silent' });
let folder: string;
let server: TestServer;
let other: EmbeddedPostgres;
let programs: { dump: ProgramCommand; restore: ProgramCommand } | null;
const problems: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partbook-dump-'));
  const find = (name: string) =>
    findDebianProgram(
      {
        package: 'postgresql-client-18',
        name,
        folder: 'lib/postgresql/18/bin',
        versionArgument: '--version',
        versionMin: [18, 0],
      },
      '.cache',
      (why) => problems.push(why),
    );
  const [dump, restore] = [await find('pg_dump'), await find('pg_restore')];
  programs = dump === null || restore === null ? null : { dump, restore };
  server = await startTestServer();
  other = await startEmbeddedPostgres({ dataDir: folder, log, settings: { fsync: 'off' } });
});
afterAll(async () => {
  await server?.close();
  await other?.stop();
  await rm(folder, { recursive: true, force: true });
});

const start = ([file, ...first]: ProgramCommand, ...args: string[]) => run(file, [...first, ...args]);
async function on<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}
const policiesOf = async (url: string) =>
  (await on<{ policies: number }>(url, 'select count(*)::int as policies from pg_policies'))[0]?.policies;

test('a dump is restored with every policy where the roles are, by an owner who is no superuser too, and with none where they are not', async ({
  skip,
}) => {
  if (programs === null) return skip(`There are no programs of PostgreSQL 18: ${problems.join('; ')}`);
  const workspace = await makeStockedWorkspace(server, { items: 1, locations: 1 });
  for (let times = 0; times < 3; times++)
    expect((await workspace.adjust(workspace.items[0], workspace.locations[0], 1)).status).toBe(201);
  const file = join(folder, 'partbook.dump');
  const source = server.ctx.databaseUrl;
  const policies = await asSuperuser(server, async () => policiesOf(source));
  expect(policies).toBeGreaterThan(40);
  await start(programs.dump, '-Fc', '-d', source, '-f', file);

  const bare = databaseUrl(other.adminUrl, 'bare');
  await on(other.adminUrl, 'create database bare');
  await expect(start(programs.restore, '-d', bare, file)).rejects.toThrow('partbook_app');
  expect(await policiesOf(bare)).toBe(0);

  // A provider's server: its owner is no superuser, and may make databases and roles.
  await on(other.adminUrl, `create role provided login createrole createdb password 'of-the-provider'`);
  const asProvided = (database: string) =>
    Object.assign(new URL(databaseUrl(other.adminUrl, database)), {
      username: 'provided',
      password: 'of-the-provider',
    }).href;
  await on(asProvided('postgres'), 'create database provided');
  for (const name of ['partbook_app', 'partbook_system'])
    await on(asProvided('postgres'), `create role ${name} nologin`);
  const provided = asProvided('provided');
  await start(programs.restore, '--exit-on-error', '--no-owner', '-d', provided, file);
  expect(await policiesOf(provided)).toBe(policies);
  expect(await migrate(provided, log)).toEqual([]);
  await admitLogin(provided, serviceUrl(provided));
  await expectServed(serviceUrl(provided), workspace);
  await expectTaken(provided, workspace.slug);
  await start(programs.dump, '-Fc', '-d', provided, '-f', join(folder, 'provided.dump'));

  // By a superuser, where the roles are as `pg_dumpall --roles-only` has brought them.
  const restored = databaseUrl(other.adminUrl, 'restored');
  await on(other.adminUrl, 'create database restored');
  await start(programs.restore, '--exit-on-error', '-d', restored, file);
  expect(await policiesOf(restored)).toBe(policies);
  expect(await migrate(restored, log)).toEqual([]);
  await admitLogin(restored, serviceUrl(restored));

  await expectServed(serviceUrl(restored), workspace);
});

/** With the key that it had, by a service that is started on it. */
async function expectServed(url: string, { slug, key, items }: StockedWorkspace): Promise<void> {
  const again = await startTestServer({ databaseUrl: () => url });
  try {
    const ask = (path: string) => again.request(`/api/wid/${slug}${path}`, { key });
    expect((await ask('/stock/ledger/verify')).body).toMatchObject({ ok: true, entries: 3 });
    const positions = await ask(`/stock/positions/by-item/${items[0]}`);
    expect(Number(positions.body.items[0].onHand)).toBe(3);
  } finally {
    await again.close();
  }
}

/** Out as a file, forgotten and in again, by the logins of the installation. */
async function expectTaken(ownerUrl: string, slug: string): Promise<void> {
  const file = join(folder, 'workspace.pbw');
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  const db = await connectDb({ url: serviceUrl(ownerUrl), poolMax: 2, applicationName: 'test', log });
  try {
    await holdWorkspace(owner, slug);
    const exported = await exportWorkspace(db, slug, createWriteStream(file));
    await leaveWorkspace(owner, slug, 'https://elsewhere.example');
    expect((await forgetWorkspace(owner, slug, { withName: true })).rows).toBeGreaterThan(exported.rows - 1);
    const imported = await importWorkspace(db, createReadStream(file), { isMoved: true });
    expect(imported).toMatchObject({ rows: exported.rows, ledger: exported.ledger });
  } finally {
    await db.close();
    await owner.end();
  }
}
