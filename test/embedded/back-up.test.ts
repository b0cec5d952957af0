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

function start(dataDir: string): ServiceProcess {
  const service = startService('all', { DATA_DIR: dataDir });
  services.push(service);
  return service;
}

const command = (name: string, target: string, dataDir: string) =>
  run(process.execPath, [join(project, `src/embedded/${name}.command.ts`), target], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir },
  });

/** Policies, tables, roles, and all that the ledger and the entities hold. */
async function stateOf(dataDir: string): Promise<unknown> {
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
    const found = await client.query(`
      select (select count(*)::int from pg_policies) as policies,
             (select count(*)::int from pg_class where relrowsecurity) as walled,
             (select count(*)::int from pg_roles where rolname in ('partbook_app', 'partbook_system')) as roles,
             (select count(*)::int from entity) as entities`);
    return found.rows[0];
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

test('what is no whole back-up is not restored', async () => {
  const empty = join(folder, 'empty');
  await expect(command('restore', empty, join(folder, 'data'))).rejects.toThrow('holds no whole back-up');
  expect(await readdir(folder)).toEqual([]);
});
