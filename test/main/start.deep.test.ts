/** The start and the end of the service as a new user meets them: `npm start`, Ctrl-C, kill -9, a wrong setting. */

import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { isRunning } from '../../src/embedded/process-identity.ts';
import type { Automation, MaterialRequirement } from '../../web/client/operations.ts';
import { byPooler } from '../setup/database.ts';
import { openGate } from '../setup/gate.ts';
import { databaseUrl, serviceUrl } from '../setup/global.ts';
import { patience } from '../setup/patience.ts';
import type { TestAnswer } from '../setup/server.ts';
import {
  type ChildServer,
  childServers,
  type Greeting,
  greetingOf,
  type ServiceProcess,
  startService,
} from './service-process.ts';

/** Web and worker together, when what starting took is given back. */
const RESTING_MIB_MAX = 300;
/** Where `npm run web` keeps what was compiled. */
const compiled = fileURLToPath(new URL('../../.cache/compiled', import.meta.url));

let dataDir: string;
let services: ServiceProcess[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'partbook-start-'));
  services = [];
});

afterEach(async () => {
  const servers = childServers(dataDir);
  for (const service of services) {
    service.signal('SIGKILL');
    await service.ended();
  }
  await haveEnded(servers);
  // A stop in the middle of initdb: what it was writing may come a moment after.
  await rm(dataDir, { recursive: true, force: true, maxRetries: 100, retryDelay: 100 });
});

function start(role: string | null, environment: Record<string, string> = {}): ServiceProcess {
  const service = startService(role, { DATA_DIR: dataDir, ...environment });
  services.push(service);
  return service;
}

/** What is in memory of the process, as the kernel counts it; 0 where it does not say. */
function residentMib({ child }: ServiceProcess): number {
  const status = `/proc/${child.pid}/status`;
  return existsSync(status) ? Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(status, 'utf8'))?.[1]) / 1024 : 0;
}

async function haveEnded(servers: readonly ChildServer[]): Promise<void> {
  const left = () => servers.filter(({ server }) => isRunning(server));
  await vi.waitFor(() => expect(left()).toEqual([]), patience);
}

/** The embedded servers as soon as there is one. */
function firstServers(service: ServiceProcess): Promise<ChildServer[]> {
  return vi.waitUntil(() => {
    if (service.child.exitCode !== null) throw new Error(`It has ended: ${service.printed()}`);
    const known = childServers(dataDir);
    return known.length > 0 ? known : undefined;
  }, patience);
}

async function call(url: string, key: string, body?: unknown, headers = {}): Promise<Response> {
  return fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const part = { guid: randomUUID(), number: 'W-100', name: 'Wheel', categoryKey: 'part' };

async function syncPart({ address, key }: Greeting): Promise<string> {
  const answer = await call(`${address}/api/wid/demo/pdm/sync`, key, { entities: [part] });
  const envelope = (await answer.json()) as { status: string; results: { result: string }[] };
  expect([answer.status, envelope.status]).toEqual([200, 'completed']);
  return envelope.results[0]?.result ?? '';
}

describe('the embedded default', () => {
  test('starts ready to work, ends cleanly, and goes on with its data', async () => {
    const first = start('all');
    const greeting = await greetingOf(first);
    const { address, key, operatorToken } = greeting;
    expect((await fetch(`${address}/health/ready`)).status).toBe(200);
    expect(key).toMatch(/^pbk_/);
    expect((await call(`${address}/api/workspaces`, operatorToken)).status).toBe(200);
    expect((await call(`${address}/api/workspaces`, key)).status).toBe(401);
    const signIn = new URL(greeting.demo);
    expect(signIn.origin).toBe(address);
    const code = signIn.searchParams.get('code');
    const statuses: number[] = [];
    for (let i = 0; i < 2; i++) {
      const body = JSON.stringify({ code });
      const headers = { 'Content-Type': 'application/json' };
      statuses.push((await fetch(`${address}/api/sessions`, { method: 'POST', headers, body })).status);
    }
    expect(statuses).toEqual([201, 401]);
    const demo = async (path: string) =>
      (await call(`${address}/api/wid/demo${path}`, key)).json() as Promise<TestAnswer['body']>;
    const tree = await demo('/entities/guid:de300000-0000-4000-8000-000000000001/tree');
    expect(tree.items.length).toBeGreaterThan(20);
    const pictured = tree.items.filter(({ picture }: { picture: string | null }) => picture !== null);
    expect(pictured.length).toBe(tree.items.length);
    const nightly = await demo('/pdm/sync/batches?profile=Nightly%20import');
    expect(nightly.items).toEqual([
      expect.objectContaining({ counts: expect.objectContaining({ total: 7, error: 3, warnings: 2 }) }),
    ]);
    expect((await demo('/orders')).items[0].totals).toMatchObject({ lines: 2, openLines: 2 });
    // Two of a project, and those of the build that is half finished, without what is reserved for its next boards.
    expect((await demo('/requirements')).items.map((one: MaterialRequirement) => one.openQty)).toEqual([
      8, 40, 4, 4, 4, 16,
    ]);
    // Opening stock has the costs of the design data; the LEDs were added without one.
    const worth = await demo('/stock/value/total');
    expect(worth).toMatchObject({ currency: 'EUR', method: 'fifo' });
    expect([Number(worth.value) > 100, worth.unknownItems > 0]).toEqual([true, true]);
    const people = (await demo('/members')).items.map((one: { name: string }) => one.name);
    expect(people).toEqual(['Mira Costa', 'Jonas Weber', 'Anna Berg']);
    for (const [path, name] of [
      ['/stock/ledger?limit=200', 'Jonas Weber'],
      ['/audit?limit=200', 'Anna Berg'],
    ]) {
      const { items } = await demo(path as string);
      expect(items.map(({ actor }: { actor: { name: string } }) => actor.name)).toContain(name);
    }
    const automations = (await demo('/automations')).items.filter((one: Automation) => one.kind === 'custom');
    expect((await demo(`/automations/${automations[0].id}/runs`)).items[0].status).toBe('succeeded');
    expect(await syncPart(greeting)).toBe('created');
    expect(JSON.stringify(first.log())).not.toContain(key);
    expect(JSON.stringify(first.log())).not.toContain(operatorToken);
    expect(JSON.stringify(first.log())).not.toContain(code);

    const servers = childServers(dataDir);
    expect(servers.length).toBeGreaterThan(0);
    first.signal('SIGTERM');
    expect(await first.ended()).toBe(0);
    expect(servers.filter(({ server }) => isRunning(server))).toEqual([]);
    expect(first.log().filter((line) => line.level > 40)).toEqual([]);

    const second = start('all');
    const again = await greetingOf(second);
    expect([again.key, again.operatorToken]).toEqual([key, operatorToken]);
    expect(await syncPart(again)).toBe('skipped');
    const batches = await call(
      `${again.address}/api/wid/demo/pdm/sync/batches?profile=Nightly%20import`,
      key,
    );
    expect(((await batches.json()) as { items: unknown[] }).items, 'the demo is filled once').toHaveLength(1);

    const orphans = childServers(dataDir);
    second.signal('SIGKILL');
    expect(await second.ended()).toBe('SIGKILL');
    await haveEnded(orphans);

    const third = start('all');
    expect(await syncPart(await greetingOf(third))).toBe('skipped');
    // Ctrl-C in a terminal comes twice: to all of its processes, and once more from npm.
    third.signal('SIGINT');
    third.signal('SIGINT');
    expect(await third.ended()).toBe(0);
    expect(third.log().at(-1)).toMatchObject({ msg: 'stopped' });
  });

  test('ends with 1 and leaves no servers when its port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await vi.waitUntil(() => taken.listening, patience);
    const { port } = taken.address() as { port: number };
    const service = start('all', { PORT: String(port) });
    const seen = await firstServers(service);
    expect(await service.ended()).toBe(1);
    expect(seen.filter(({ server }) => isRunning(server))).toEqual([]);
    expect(childServers(dataDir)).toEqual([]);
    expect(JSON.stringify(service.log())).toContain(`PORT: port ${port} is taken`);
    taken.close();
  });

  test('stops while it is still starting', async () => {
    const service = start('all');
    const servers = await firstServers(service);
    service.signal('SIGTERM');
    expect(await service.ended()).toBe(0);
    await haveEnded([...servers, ...childServers(dataDir)]);
  });
});

describe('what is wrong stops the start', () => {
  test('one line for each wrong variable, exit code 2, and nothing made', async () => {
    const service = start('all', {
      PORT: 'http',
      LOG_LEVEL: 'loud',
      REDIS_URL: 'localhost:6379',
      SYNC_THREADS: '0',
    });
    expect(await service.ended()).toBe(2);
    const [head, ...lines] = service.printed().trim().split('\n');
    expect(head).toBe('The configuration is not valid:');
    expect(lines.map((line) => line.split(':')[0])).toEqual([
      'PORT',
      'REDIS_URL',
      'LOG_LEVEL',
      'SYNC_THREADS',
    ]);
    expect(await readdir(dataDir)).toEqual([]);
  });

  test('a database without an operator token: exit code 2', async () => {
    const service = start('web', { DATABASE_URL: 'postgres://partbook@127.0.0.1:1/partbook' });
    expect(await service.ended()).toBe(2);
    expect(service.printed()).toContain('OPERATOR_TOKEN: must be set where DATABASE_URL is set');
  });

  test.each([[null], ['waiter']])('the role %s: its usage and exit code 2', async (role) => {
    const service = start(role);
    expect(await service.ended()).toBe(2);
    expect(service.printed()).toBe('Usage: node src/main.ts all | web | worker | migrate\n');
  });

  test('a database that does not answer: the setting, the server and the reason in the log, and exit code 1', async () => {
    const service = start('worker', {
      DATABASE_URL: 'postgres://partbook@127.0.0.1:1/partbook',
      REDIS_URL: 'redis://127.0.0.1:1',
      OPERATOR_TOKEN: 'operator-token-of-the-tests',
    });
    expect(await service.ended()).toBe(1);
    const fault = 'the start failed: DATABASE_URL: connection refused by 127.0.0.1:1';
    expect(service.log().map((line) => line.msg)).toContain(fault);
  });
});

describe('web and worker as two processes', () => {
  const database = `start_${process.pid}_${randomBytes(4).toString('hex')}`;
  const asAdmin = async (sql: string) => {
    const client = new Client({ connectionString: inject('postgresUrl') });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };

  beforeEach(() => asAdmin(`create database ${database}`));
  afterEach(() => asAdmin(`drop database if exists ${database} with (force)`));

  const redisUrl = inject('redisUrl');
  test.skipIf(redisUrl === null)(
    'end at SIGTERM though a statement is never answered, and tell its caller',
    { timeout: 120_000 },
    async () => {
      const gate = await openGate();
      const token = 'operator-token-of-the-tests';
      const web = start('web', {
        DATABASE_URL: gate.through(serviceUrl(byPooler(databaseUrl(inject('postgresUrl'), database)))),
        DATABASE_MIGRATION_URL: databaseUrl(inject('postgresUrl'), database),
        REDIS_URL: redisUrl ?? '',
        OPERATOR_TOKEN: token,
        QUEUE_PREFIX: `t${randomBytes(6).toString('hex')}`,
        SHUTDOWN_SECONDS: '4',
      });
      try {
        const { port } = await web.logged('web ready');
        const address = `http://127.0.0.1:${port}/api/workspaces`;
        expect((await call(address, token)).status).toBe(200);
        gate.stall();
        const hanging = call(address, token);
        // As long as the gate is stalled nothing comes back: the process ends for no other reason than its deadline.
        await vi.waitFor(() => expect(gate.held()).toBeGreaterThan(0), { timeout: 30_000 });
        web.signal('SIGTERM');
        const answer = await hanging;
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
        expect(await answer.json()).toMatchObject({ code: 'unavailable' });
        expect(await web.ended()).toBe(1);
        expect(web.log().map((line) => line.msg)).toContain(
          'the stop took too long: what had not ended is cut',
        );
      } finally {
        gate.open();
        await gate.close();
      }
    },
  );

  test.skipIf(redisUrl === null)(
    'migrate an empty database together, and do a batch between them',
    async () => {
      const token = 'operator-token-of-the-tests';
      const environment = {
        DATABASE_URL: serviceUrl(byPooler(databaseUrl(inject('postgresUrl'), database))),
        DATABASE_MIGRATION_URL: byPooler(databaseUrl(inject('postgresUrl'), database)),
        REDIS_URL: redisUrl ?? '',
        OPERATOR_TOKEN: token,
        QUEUE_PREFIX: `t${randomBytes(6).toString('hex')}`,
      };
      const web = start('web', environment);
      const otherWeb = start('web', environment);
      const { port } = await web.logged('web ready');
      await otherWeb.logged('web ready');
      const migrated = [web, otherWeb].filter((one) =>
        one.log().some((line) => line.msg === 'database migrated'),
      );
      expect(migrated).toHaveLength(1);
      // Nothing of the embedded default: no servers, no demo, no greeting.
      expect(await readdir(dataDir)).toEqual([]);
      expect(web.printed()).toBe('');

      const address = `http://127.0.0.1:${port}`;
      const made = await call(`${address}/api/workspaces`, token, { slug: 'acme', name: 'Acme' });
      expect(made.status).toBe(201);
      const { apiKey } = (await made.json()) as { apiKey: { key: string } };
      const sync = `${address}/api/wid/acme/pdm/sync`;
      const accepted = await call(sync, apiKey.key, { entities: [part] }, { Prefer: 'respond-async' });
      expect(accepted.status).toBe(202);
      const { batchId } = (await accepted.json()) as { batchId: string };

      const worker = start('worker', environment);
      await worker.logged('worker ready');
      const completed = await vi.waitUntil(async () => {
        const batch = await (await call(`${sync}/batches/${batchId}`, apiKey.key)).json();
        return (batch as { status: string }).status === 'completed' ? batch : undefined;
      }, patience);
      expect(completed).toMatchObject({ counts: { total: 1, created: 1, error: 0 } });

      for (const one of [web, otherWeb, worker]) one.signal('SIGTERM');
      for (const one of [web, otherWeb, worker]) expect(await one.ended()).toBe(0);

      // Threads and engines start when they are first needed: at rest the two hold little.
      const asByScripts = { ...environment, NODE_COMPILE_CACHE: compiled };
      const [restingWeb, restingWorker] = [start('web', asByScripts), start('worker', asByScripts)];
      await restingWeb.logged('web ready');
      await restingWorker.logged('worker ready');
      const resident = () => residentMib(restingWeb) + residentMib(restingWorker);
      await expect.poll(resident, patience).toBeLessThan(RESTING_MIB_MAX);
    },
  );
});

test('a copy without its packages says what to run, and shows no stack', async () => {
  const copy = join(dataDir, 'copy');
  await cp(fileURLToPath(new URL('../../src', import.meta.url)), join(copy, 'src'), { recursive: true });
  await writeFile(join(copy, 'package.json'), '{ "type": "module" }');
  const child = spawn(process.execPath, [join(copy, 'src/main.ts'), 'all'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text) => {
    said += String(text);
  });
  const [code] = await once(child, 'close');
  expect(said).toMatch(/^The package \S+ is not installed. Run `npm install`, then start again.\n$/);
  expect(code).toBe(1);
});
