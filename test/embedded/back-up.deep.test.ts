// A back-up of the embedded default, made while it works, and a start on what is restored from it.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../../src/embedded/postgres.ts';
import { greetingOf, type ServiceProcess, startService } from '../main/service-process.ts';

const run = promisify(execFile);
const project = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;
let services: ServiceProcess[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partbook-back-up-'));
  services = [];
});
afterEach(async () => {
  for (const service of services) {
    service.signal('SIGKILL');
    await service.ended();
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 100, retryDelay: 100 });
});

function start(dataDir: string, environment: Record<string, string> = {}): ServiceProcess {
  const service = startService('all', { DATA_DIR: dataDir, ...environment });
  services.push(service);
  return service;
}

const command = (name: string, target: string, dataDir: string, { until = '', archive = '' } = {}) =>
  run(
    process.execPath,
    [join(project, `src/embedded/${name}.command.ts`), target, ...(until === '' ? [] : ['--until', until])],
    {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        DATA_DIR: dataDir,
        DATABASE_ARCHIVE_DIR: archive,
      },
    },
  );

/** Policies, tables, roles, and all that the ledger and the entities hold. */
function stateOf(dataDir: string): Promise<unknown> {
  return asOwner(dataDir, async (client) => (await client.query(selectState)).rows[0]);
}

const selectState = `
  select (select count(*)::int from pg_policies) as policies,
         (select count(*)::int from pg_class where relrowsecurity) as walled,
         (select count(*)::int from pg_roles where rolname in ('partbook_app', 'partbook_system')) as roles,
         (select count(*)::int from entity) as entities`;

async function asOwner<T>(dataDir: string, work: (client: Client) => Promise<T>): Promise<T> {
  const log = pino({ level: 'error' });
  const server = await startEmbeddedPostgres({ dataDir, log });
  const admin = new Client({ connectionString: server.adminUrl });
  await admin.connect();
  const { rows } = await admin.query<{ name: string }>(
    `select datname as name from pg_database where datname not in ('postgres', 'template0', 'template1')`,
  );
  await admin.end();
  const url = Object.assign(new URL(server.adminUrl), { pathname: `/${rows[0]?.name}` }).href;
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
    await server.stop();
  }
}

test('what was acknowledged before a back-up under load is in it, behind the same walls and the same keys', async () => {
  const [dataDir, target, restored] = ['data', 'copy', 'restored'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const service = start(dataDir);
  const { address, key } = await greetingOf(service);
  const call = async (path: string, at: string, body?: object) => {
    const answer = await fetch(`${at}/api/wid/demo${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(answer.status, await answer.clone().text()).toBeLessThan(300);
    return (await answer.json()) as Record<string, unknown>;
  };
  const item = await call('/entities', address, { category: 'part', name: 'Counted' });
  const place = await call('/entities', address, { category: 'location', name: 'Shelf' });
  const adjust = () =>
    call('/stock/adjustments', address, { itemEntityId: item.id, locationEntityId: place.id, quantity: 1 });
  let acknowledged = 0;
  let isOver = false;
  const load = (async () => {
    while (!isOver) {
      await adjust();
      acknowledged++;
    }
  })();
  await expect.poll(() => acknowledged).toBeGreaterThan(20);
  const before = acknowledged;
  await command('back-up', target, dataDir);
  isOver = true;
  await load;
  await expect(command('back-up', target, dataDir), 'a back-up is never written over').rejects.toThrow(
    'is there already',
  );
  service.signal('SIGTERM');
  expect(await service.ended()).toBe(0);
  const walls = await stateOf(dataDir);
  expect(walls).toMatchObject({ roles: 2 });

  await command('restore', target, restored);
  await expect(command('restore', target, restored)).rejects.toThrow('holds a database');
  expect(await stateOf(restored)).toEqual(walls);
  const again = start(restored);
  const greeting = await greetingOf(again);
  expect(greeting.key, 'the old key').toBe(key);
  const positions = await call(`/stock/positions/by-item/${item.id}`, greeting.address);
  const [position] = positions.items as { onHand: string | number }[];
  expect(Number(position?.onHand)).toBeGreaterThanOrEqual(before);
  expect(Number(position?.onHand)).toBeLessThanOrEqual(acknowledged);
  expect(await call('/stock/ledger/verify', greeting.address)).toMatchObject({ ok: true });
  again.signal('SIGTERM');
  expect(await again.ended()).toBe(0);
});

test('a back-up is brought forward to a moment before somebody deleted everything, and to none that the log does not reach', async () => {
  const [dataDir, target, restored, archive] = ['data', 'copy', 'restored', 'archive'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  const service = start(dataDir, { DATABASE_ARCHIVE_DIR: archive });
  const { address, key } = await greetingOf(service);
  const make = async (name: string) => {
    const answer = await fetch(`${address}/api/wid/demo/entities`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ category: 'part', name }),
    });
    expect(answer.status, await answer.text()).toBe(201);
  };
  const named = (client: Client) =>
    client
      .query<{ name: string }>(`select name from entity where name like 'Moment %' order by name`)
      .then(({ rows }) => rows.map(({ name }) => name));
  await make('Moment 1');
  await command('back-up', target, dataDir, { archive });
  await make('Moment 2');
  const moment = await asOwner(dataDir, async (client) => {
    // Between two commits: what is committed at that very moment would be a matter of chance.
    await client.query('select pg_sleep(0.05)');
    const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now');
    await client.query('select pg_sleep(0.05)');
    return rows[0]?.now.toISOString() ?? '';
  });
  await make('Moment 3');
  await asOwner(dataDir, (client) => client.query(`delete from entity_link`));
  await asOwner(dataDir, (client) => client.query(`delete from entity where name like 'Moment %'`));
  service.signal('SIGTERM');
  expect(await service.ended()).toBe(0);
  const walls = await stateOf(dataDir);
  expect(await asOwner(dataDir, named)).toEqual([]);

  await command('restore', target, restored, { until: moment, archive });
  expect(await asOwner(restored, named)).toEqual(['Moment 1', 'Moment 2']);
  expect(await stateOf(restored)).toMatchObject({
    policies: (walls as { policies: number }).policies,
    roles: 2,
  });
  const again = start(restored, { DATABASE_ARCHIVE_DIR: archive });
  expect((await greetingOf(again)).key).toBe(key);
  again.signal('SIGTERM');
  expect(await again.ended()).toBe(0);

  const never = new Date(Date.now() + 86_400_000).toISOString();
  const refused = join(folder, 'refused');
  await expect(command('restore', target, refused, { until: never, archive })).rejects.toThrow(
    'does not lead to',
  );
  expect((await readdir(refused)).filter((name) => /^postgres-\d+$/.test(name))).toEqual([]);
});

test('what is no whole back-up is not restored', async () => {
  const empty = join(folder, 'empty');
  await expect(command('restore', empty, join(folder, 'data'))).rejects.toThrow('holds no whole back-up');
  expect(await readdir(folder)).toEqual([]);
});
