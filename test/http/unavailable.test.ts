// When a server behind us is away the answer is 503 with Retry-After, and all is well again after.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Gate, openGate } from '../setup/gate.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer, type TestWorkspace } from '../setup/server.ts';

let postgres: Gate;
let redis: Gate;
let server: TestServer;
let workspace: TestWorkspace;
beforeAll(async () => {
  postgres = await openGate();
  redis = await openGate();
  server = await startTestServer({ databaseUrl: postgres.through, redisUrl: redis.through });
  workspace = await server.createWorkspace();
});
afterAll(async () => {
  postgres.open();
  redis.open();
  await server.close();
  await postgres.close();
  await redis.close();
});

const list = () => server.request(`${workspace.path}/api-keys`, { key: workspace.key });

test('PostgreSQL away: 503 with Retry-After, then as before', async () => {
  expect((await list()).status).toBe(200);
  postgres.shut();
  for (let i = 0; i < 3; i++) {
    const answer = await list();
    expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([
      503,
      'unavailable',
      '5',
    ]);
  }
  const ready = await server.request('/health/ready');
  expect([ready.status, ready.body.status]).toEqual([503, 'failed']);
  expect(ready.body.checks).toMatchObject({
    database: { status: 'failed' },
    // What cannot be looked up is not said to be wrong.
    role: { status: 'failed', message: 'not known' },
    queue: { status: 'ok' },
  });
  expect((await server.request('/health/live')).status).toBe(200);
  postgres.open();
  await expect.poll(async () => (await list()).status).toBe(200);
  expect((await server.request('/health/ready')).status).toBe(200);
});

test('Redis away: requests pass, and readiness says so without taking the process out', async () => {
  redis.shut();
  expect((await list()).status).toBe(200);
  const ready = await server.request('/health/ready');
  expect([ready.status, ready.body.checks]).toMatchObject([
    200,
    { database: { status: 'ok' }, migrations: { status: 'ok' }, queue: { status: 'failed' } },
  ]);
  redis.open();
  await expect.poll(async () => (await server.request('/health/ready')).status).toBe(200);
});

test('PostgreSQL away while a body is taken in: 503 with a sentence of ours, and nothing of the driver’s', async () => {
  await list();
  const staging = vi.spyOn(server.ctx.webPool, 'stage');
  let arrive: (chunk: Uint8Array | null) => void = () => {};
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => {
      arrive = (chunk) => (chunk === null ? stream.close() : stream.enqueue(chunk));
    },
  });
  const answering = fetch(`${server.baseUrl}${workspace.path}/pdm/sync`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${workspace.key}`, 'Content-Type': 'application/x-ndjson' },
    body,
    duplex: 'half',
  } as RequestInit);
  arrive(Buffer.from('{"guid":"'));
  await vi.waitFor(() => expect(staging).toHaveBeenCalled(), patience);
  postgres.shut();
  arrive(Buffer.from(`${randomUUID()}","number":"1","name":"n","categoryKey":"part"}\n`));
  arrive(null);
  const answer = await answering;
  const problem = (await answer.json()) as { code: string; detail: string };
  postgres.open();
  expect([answer.status, problem.code, answer.headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
  expect(problem.detail).toBe('A part of the service does not answer at the moment. Try again.');
  await expect.poll(async () => (await list()).status).toBe(200);
});
