/**
 * A dump of a database of one's own, by PostgreSQL's programs as docs/operations.md says: restored where the roles are it has every
 * policy, the ledger verifies and old keys open it; where they are not, the walls are missing, which is what the document warns of.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { admitLogin } from '../../src/db/check-login.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/embedded/postgres.ts';
import { findDebianProgram, type ProgramCommand } from '../setup/debian-program.ts';
import { databaseUrl, serviceUrl } from '../setup/global.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { asSuperuser, makeStockedWorkspace } from '../stock/stocked-workspace.ts';

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

test('a dump is restored with every policy where the roles are, and with none where they are not', async ({
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

  // What `pg_dumpall --roles-only` writes of them.
  const roles = await on<{ name: string }>(
    source,
    `select rolname as name from pg_roles where rolname in ('partbook_app', 'partbook_system')`,
  );
  expect(roles).toHaveLength(2);
  for (const { name } of roles) await on(other.adminUrl, `create role ${name} nologin`);
  const restored = databaseUrl(other.adminUrl, 'restored');
  await on(other.adminUrl, 'create database restored');
  await start(programs.restore, '--exit-on-error', '-d', restored, file);
  expect(await policiesOf(restored)).toBe(policies);
  expect(await migrate(restored, log)).toEqual([]);
  await admitLogin(restored, serviceUrl(restored));

  const again = await startTestServer({ databaseUrl: () => serviceUrl(restored) });
  try {
    const ask = (path: string) => again.request(`/api/wid/${workspace.slug}${path}`, { key: workspace.key });
    expect((await ask('/stock/ledger/verify')).body).toMatchObject({ ok: true, entries: 3 });
    const positions = await ask(`/stock/positions/by-item/${workspace.items[0]}`);
    expect(Number(positions.body.items[0].onHand)).toBe(3);
  } finally {
    await again.close();
  }
});
