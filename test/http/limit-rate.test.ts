// The rate limit is a token bucket for each key, and stands aside when Redis is away.
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { AppError } from '../../src/errors.ts';
import { type LimitRate, openRateLimit } from '../../src/http/guards/limit-rate.ts';
import { type Gate, openGate } from '../setup/gate.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer, type TestWorkspace } from '../setup/server.ts';

let gate: Gate;
let server: TestServer;
let workspace: TestWorkspace;
beforeAll(async () => {
  gate = await openGate();
  server = await startTestServer({
    redisUrl: gate.through,
    environment: {
      RATE_LIMIT_REQUESTS: '20',
      RATE_LIMIT_WORKSPACE_REQUESTS: '60',
      RATE_LIMIT_WINDOW_SECONDS: '20',
      RATE_LIMIT_PATIENCE_MS: '5000',
    },
  });
  workspace = await server.createWorkspace();
  // The limit begins when Redis is there.
  const key = await workspace.addKey('admin');
  await vi.waitUntil(async () => (await call(key)).headers.get('ratelimit') !== null, patience);
});
afterAll(async () => {
  gate.open();
  await server.close();
  await gate.close();
});

const call = (key: string) => server.request(`${workspace.path}/api-keys`, { key });

test('the bucket’s size passes, one more is 429, and tokens come back one by one', async () => {
  const key = await workspace.addKey('admin');
  const answers = [];
  for (let i = 0; i < 21; i++) answers.push(await call(key));
  const passed = answers.filter((answer) => answer.status === 200).length;
  expect(passed).toBeGreaterThanOrEqual(20);
  const first = answers[0];
  expect(first?.headers.get('ratelimit-policy')).toBe('"key";q=20;w=20, "workspace";q=60;w=20');
  expect(first?.headers.get('ratelimit')).toMatch(/^"key";r=19;t=1, "workspace";r=5\d;t=1$/);
  let refused = answers.at(-1);
  while (refused?.status === 200) refused = await call(key);
  expect([refused?.status, refused?.body.code]).toEqual([429, 'rate_limited']);
  expect(refused?.headers.get('retry-after')).toBe('1');
  expect(refused?.headers.get('ratelimit')).toMatch(/^"key";r=0;t=\d+, "workspace";r=\d+;t=\d+$/);
  // A token a second; a fixed window would let all 20 through at its end.
  await vi.waitUntil(async () => (await call(key)).status === 200, patience);
  const later = await Promise.all(Array.from({ length: 15 }, () => call(key)));
  const again = later.filter((answer) => answer.status === 200).length;
  expect(again).toBeLessThan(15);
});

test('another key has its own bucket', async () => {
  expect((await call(await workspace.addKey('admin'))).headers.get('ratelimit')).toMatch(/r=19/);
});

test('the keys of a workspace share a bucket, and one that has used its own up leaves it to the others', async () => {
  // Nothing to speak of flows back while the test runs.
  const limits = {
    RATE_LIMIT_REQUESTS: '20',
    RATE_LIMIT_WORKSPACE_REQUESTS: '60',
    RATE_LIMIT_WINDOW_SECONDS: '3600',
    RATE_LIMIT_PATIENCE_MS: '60000',
  };
  const slow = await startTestServer({ environment: limits });
  try {
    const crowded = await slow.createWorkspace();
    const other = await slow.createWorkspace();
    const ask = (key: string, path = crowded.path) => slow.request(`${path}/api-keys`, { key });
    await vi.waitUntil(
      async () => (await ask(other.key, other.path)).headers.get('ratelimit') !== null,
      patience,
    );
    const greedy = await crowded.addKey('admin');
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(greedy)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.find(({ status }) => status === 429)?.body.detail).toContain('This key has used its 20');
    expect((await ask(crowded.key)).headers.get('ratelimit')).toMatch(/^"key";r=19;.*"workspace";r=39;/);

    const keys = await Promise.all([1, 2, 3].map(() => crowded.addKey('admin')));
    const shared = await Promise.all(keys.flatMap((key) => Array.from({ length: 15 }, () => ask(key))));
    expect(shared.filter(({ status }) => status === 200)).toHaveLength(39);
    const full = shared.find(({ status }) => status === 429);
    expect([full?.body.code, full?.headers.get('ratelimit')]).toEqual([
      'rate_limited',
      expect.stringMatching(/"workspace";r=0;/),
    ]);
    expect(full?.body.detail).toContain('together used their 60 requests');
    expect(Number(full?.headers.get('retry-after'))).toBeGreaterThan(1);
    expect((await ask(other.key, other.path)).status).toBe(200);
  } finally {
    await slow.close();
  }
});

test('two processes that let requests in ahead of asking let in what there is', async () => {
  // Nothing flows back while the test runs.
  const limits = {
    windowSeconds: 3_600_000,
    prefix: 'ahead',
    patienceMs: 60_000,
    key: 2000,
    workspace: 100_000,
  };
  const redis = server.ctx.redis as Redis;
  await vi.waitUntil(() => redis.status === 'ready', patience);
  const processes = [openRateLimit(redis, limits), openRateLimit(redis, limits)];
  const lefts: number[] = [];
  const res = {
    setHeader: (name: string, value: string) => {
      if (name === 'RateLimit') lefts.push(Number(/r=(\d+)/.exec(value)?.[1]));
    },
  } as never;
  const sent = vi.spyOn(redis, 'sendCommand');
  const outcomes: string[] = [];
  for (let request = 0; request < 2100; request++) {
    const limit = processes[request % 2] as LimitRate;
    await limit({ keyId: 'key', workspaceId: 'workspace' }, res).then(
      () => outcomes.push('in'),
      (error: AppError) => outcomes.push(error.code),
    );
  }
  const asked = sent.mock.calls.length;
  sent.mockRestore();
  expect(outcomes.filter((one) => one === 'in')).toHaveLength(2000);
  expect(new Set(outcomes.slice(-50))).toEqual(new Set(['rate_limited']));
  expect(asked).toBeLessThan(2100);
  expect(lefts.at(-1)).toBe(0);
});

test('without Redis requests pass, and do not wait for it', async () => {
  const key = await workspace.addKey('admin');
  const redis = server.ctx.redis as Redis;
  gate.shut();
  await vi.waitUntil(() => redis.status !== 'ready', patience);
  const sent = vi.spyOn(redis, 'sendCommand');
  for (let i = 0; i < 25; i++) expect((await call(key)).status).toBe(200);
  expect(sent).not.toHaveBeenCalled();
  sent.mockRestore();
  gate.open();
  await expect.poll(async () => (await call(key)).headers.get('ratelimit')).not.toBeNull();
});

test('a Redis that does not answer is waited for once, not by every request', async () => {
  const key = await workspace.addKey('admin');
  expect((await call(key)).headers.get('ratelimit')).not.toBeNull();
  gate.stall();
  const sent = vi.spyOn(server.ctx.redis as Redis, 'sendCommand');
  // More than may be let in by what was told before.
  for (let i = 0; i < 40; i++) expect((await call(key)).status).toBe(200);
  expect(sent.mock.calls.length).toBeGreaterThan(0);
  expect(sent.mock.calls.length).toBeLessThan(15);
  sent.mockRestore();
  gate.open();
});
