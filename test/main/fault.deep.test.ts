/** A fault that nobody caught ends the process in order, and its log says why: what was acknowledged is there, what was asked is answered. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { serviceUrl } from '../setup/global.ts';
import { patience } from '../setup/patience.ts';
import { sendTo } from '../setup/server.ts';
import { type ServiceProcess, startService } from './service-process.ts';

const redisUrl = inject('redisUrl');
const injecting = new URL('inject-faults.script.ts', import.meta.url).href;
const operatorToken = 'operator-token-of-the-tests';

interface FaultLine {
  level: number;
  msg: string;
  err: { message: string; stack: string };
  origin: string;
}

describe.skipIf(redisUrl === null)('a fault that nobody caught', () => {
  let database: TestDatabase;
  let environment: Record<string, string>;
  const services: ServiceProcess[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
    environment = {
      DATABASE_URL: serviceUrl(database.pooledUrl),
      REDIS_URL: redisUrl as string,
      QUEUE_PREFIX: `t${randomBytes(6).toString('hex')}`,
      OPERATOR_TOKEN: operatorToken,
      // One that was waited for would be noticed: a process in doubt takes nothing new.
      DRAIN_SECONDS: '300',
      SHUTDOWN_SECONDS: '600',
      SYNC_WAIT_SECONDS: '60',
      NODE_OPTIONS: `--import ${injecting}`,
    };
  });
  afterAll(async () => {
    for (const service of services) {
      service.signal('SIGKILL');
      await service.ended();
    }
    await database.drop();
  });
  const start = (role: 'web' | 'worker') => {
    const service = startService(role, environment);
    services.push(service);
    return service;
  };
  const startWeb = async () => {
    const web = start('web');
    const { port } = await web.logged('web ready');
    return { web, url: `http://127.0.0.1:${port}` };
  };
  const faultsOf = (service: ServiceProcess) =>
    (service.log() as unknown as FaultLine[]).filter(({ err }) => err?.message?.includes('of the test'));
  const makeWorkspace = async (url: string) => {
    const slug = `w${randomBytes(5).toString('hex')}`;
    const made = await sendTo(url, '/api/workspaces', { key: operatorToken, body: { slug, name: slug } });
    return { slug, path: `/api/wid/${slug}`, key: made.body.apiKey.key as string };
  };
  const parts = (count: number) => ({
    entities: Array.from({ length: count }, (_, at) => ({
      guid: randomUUID(),
      number: `F-${at}`,
      name: 'Wheel',
      categoryKey: 'part',
    })),
  });

  test('in a call of a web is in its log with the call, whoever waits is answered, and the process ends with 1', async () => {
    const { web, url } = await startWeb();
    const { path, key, slug } = await makeWorkspace(url);
    // It waits for a worker, and there is none.
    const sending = sendTo(url, `${path}/pdm/sync`, {
      key,
      body: parts(400),
      headers: { Prefer: 'wait=60' },
    });
    const batches = () => sendTo(url, `${path}/pdm/sync/batches`, { key });
    const [batch] = await vi.waitUntil(async () => {
      const { items } = (await batches()).body;
      return items.length > 0 ? items : undefined;
    }, patience);
    const struck = await sendTo(url, `${path}/entities`, {
      key,
      headers: { 'X-Fault': 'yes', 'X-Request-Id': 'the-call-with-the-fault' },
    });
    expect(struck.status).toBe(200);
    expect((await sending).status).toBe(202);
    expect(await web.ended()).toBe(1);
    expect(faultsOf(web)).toEqual([
      expect.objectContaining({
        level: 60,
        msg: 'a fault that nobody caught: the process ends',
        origin: 'unhandledRejection',
        err: expect.objectContaining({
          message: 'a fault of the test in a call',
          stack: expect.stringContaining('inject-faults.script.ts'),
        }),
        requestId: 'the-call-with-the-fault',
        method: 'GET',
        route: '/api/wid/{slug}/entities',
        workspace: slug,
      }),
    ]);
    expect(web.log().map(({ msg }) => msg)).toContain('stopped');
    expect(web.printed()).toBe('');

    const again = await startWeb();
    const worker = start('worker');
    const ended = () => sendTo(again.url, `${path}/pdm/sync/batches/${batch.batchId}`, { key });
    await vi.waitUntil(async () => (await ended()).body.status === 'completed', patience);
    worker.signal('SIGUSR2');
    expect(await worker.ended()).toBe(1);
    expect(faultsOf(worker)).toEqual([
      expect.objectContaining({ level: 60, msg: 'a fault that nobody caught: the process ends' }),
    ]);
    again.web.signal('SIGKILL');
  });

  test('in a thread costs that thread: the process goes on, and what is sent next is taken and applied', async () => {
    const { web, url } = await startWeb();
    const worker = start('worker');
    const { path, key } = await makeWorkspace(url);
    const send = async () => {
      const sent = await sendTo(url, `${path}/pdm/sync`, { key, body: parts(400) });
      return [sent.status, sent.body.status];
    };
    expect(await send()).toEqual([200, 'completed']);
    for (const service of [web, worker]) {
      service.signal('SIGWINCH');
      const told = 'a thread ended at a fault that nobody caught';
      await service.logged(told);
      expect(faultsOf(service)[0]).toMatchObject({
        level: 50,
        msg: told,
        err: { message: 'a fault of the test in a thread' },
      });
    }
    expect(await send()).toEqual([200, 'completed']);
    expect([web.child.exitCode, worker.child.exitCode]).toEqual([null, null]);
  });
});
