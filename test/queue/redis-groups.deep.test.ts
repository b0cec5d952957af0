/** The queues on a Redis that is more than one server, and on one that speaks TLS. */
import { afterEach, expect, inject, test } from 'vitest';
import { openRedis } from '../../src/queue/redis-client.ts';
import { redisTarget } from '../../src/server-urls/redis-target.ts';
import { walkService } from '../plans/walk-service.ts';
import { makeHouseCertificate } from '../setup/certificate.ts';
import {
  type RedisGroup,
  startRedisByTls,
  startRedisCluster,
  startRedisWithSentinels,
} from '../setup/redis-group.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { element, syncCalls } from '../sync/sync-calls.ts';
import { makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

const withoutRedis = inject('redisUrl') === null;
let group: RedisGroup | null = null;
let server: TestServer | null = null;

afterEach(async () => {
  await server?.close();
  await group?.stop();
  server = null;
  group = null;
});

async function serverOn(made: RedisGroup): Promise<TestServer> {
  group = made;
  server = await startTestServer({
    worker: true,
    redisUrl: () => made.url,
    environment: { WEBHOOK_ALLOW_PRIVATE: 'true', SYNC_CHUNK_ELEMENTS: '200' },
  });
  return server;
}

test.skipIf(withoutRedis)('on a cluster of three masters everything runs that is announced', async () => {
  const on = await serverOn(await startRedisCluster());
  // Imports, automations, webhooks, limits of rate: what does not run in the end fails the walk.
  await walkService(on, 500);
});

test.skipIf(withoutRedis)(
  'the master that sentinels watch is killed under load: no call fails, every batch ends',
  async () => {
    const made = await startRedisWithSentinels();
    const on = await serverOn(made);
    const workspace = await makeDefaultWorkspace(on);
    const { send } = syncCalls(on, workspace);
    const batches: string[] = [];
    let isOn = true;
    const sending = (async () => {
      while (isOn) {
        const answer = await send(
          { entities: [element(), element()] },
          { headers: { Prefer: 'respond-async' } },
        );
        expect([200, 202], answer.text).toContain(answer.status);
        batches.push(answer.body.batchId);
        await expect.poll(async () => (await queued()) < 50).toBe(true);
      }
    })();
    const queued = async () => {
      const { body } = await workspace.ask('GET', '/pdm/sync/batches?status=queued&limit=100');
      return body.items.length as number;
    };
    await expect.poll(() => batches.length).toBeGreaterThan(10);
    await made.killMaster();
    const before = batches.length;
    await expect.poll(() => batches.length).toBeGreaterThan(before + 30);
    isOn = false;
    await sending;
    for (const batch of batches)
      await expect
        .poll(async () => (await workspace.ask('GET', `/pdm/sync/batches/${batch}`)).body.status)
        .toBe('completed');
  },
);

test.skipIf(withoutRedis).each([
  ['one server', startRedisByTls],
  ['a cluster', startRedisCluster],
  ['a master with sentinels', startRedisWithSentinels],
])(
  '%s by TLS: batches run where the authority is known, and nothing is said where it is not',
  async (_what, start) => {
    const house = await makeHouseCertificate();
    const forget = await house.trust();
    try {
      const on = await serverOn(await start(house));
      const workspace = await makeDefaultWorkspace(on);
      const { send } = syncCalls(on, workspace);
      const sent = await send({ entities: [element()] }, { headers: { Prefer: 'respond-async' } });
      expect(sent.status, sent.text).toBe(202);
      await expect
        .poll(async () => (await workspace.ask('GET', `/pdm/sync/batches/${sent.body.batchId}`)).body.status)
        .toBe('completed');
      const ready = await on.request('/health/ready');
      expect(ready.body.checks.queue.status).toBe('ok');

      forget();
      const stranger = openRedis((group as RedisGroup).url, { maxRetriesPerRequest: 1 });
      const said: string[] = [];
      stranger.on('error', (error) => said.push(String(error)));
      // It goes on trying, as it must where a server is away. Clients of several servers do not say why they were closed.
      stranger.ping().then(
        (answer) => said.push(answer),
        () => {},
      );
      await expect
        .poll(() => said.join())
        .toMatch(/certificate|ClusterAllFailedError|[Ss]entinels? (is|are) unreachable/);
      stranger.disconnect();
      expect(said).not.toContain('PONG');
    } finally {
      forget();
      await house.remove();
    }
  },
);

test.each([
  [
    'redis://h',
    { kind: 'single', nodes: [{ host: 'h', port: 6379 }], password: null, database: 0, tls: false },
  ],
  ['rediss://u:p%40@h:1/3', { kind: 'single', username: 'u', password: 'p@', database: 3, tls: true }],
  [
    'redis+sentinel://:p@a,b:2/main/1?sentinelPassword=s',
    {
      kind: 'sentinel',
      nodes: [
        { host: 'a', port: 26379 },
        { host: 'b', port: 2 },
      ],
      group: 'main',
      password: 'p',
      sentinelPassword: 's',
      database: 1,
    },
  ],
  [
    'rediss+cluster://[::1]:7000,b',
    {
      kind: 'cluster',
      nodes: [
        { host: '::1', port: 7000 },
        { host: 'b', port: 6379 },
      ],
      tls: true,
    },
  ],
])('%s is read', (url, target) => {
  expect(redisTarget(url)).toMatchObject(target);
});

test.each([
  ['http://h', /is no redis/],
  ['redis://a,b', /several hosts/],
  ['redis+sentinel://a:1', /name of the master/],
  ['redis+cluster://a/1', /no database/],
  ['redis://', /no host/],
  ['redis://a:99999', /no host/],
])('%s is refused, and the reason is said', (url, reason) => {
  expect(() => redisTarget(url)).toThrow(reason);
});
