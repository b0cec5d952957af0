// One batch is one trace, from the caller's span to the webhook; and logs and spans say whose it was and not what was in it.
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLog } from '../../../src/log.ts';
import { startTracing, type TracingService } from '../../../src/operations/tracing/start-tracing.ts';
import { startTestServer, type TestServer } from '../../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../../workspaces/default-workspace.ts';
import { type CollectedSpan, type Collector, startCollector } from './collector.ts';

let collector: Collector;
let tracing: TracingService;
let server: TestServer;
let workspace: DefaultWorkspace;
let receiver: Server;
const hooks: IncomingHttpHeaders[] = [];
const lines: string[] = [];

beforeAll(async () => {
  collector = await startCollector();
  tracing = startTracing(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_SERVICE_NAME: 'partbook',
      OTEL_TRACES_SAMPLER_ARG: 1,
    },
    'all',
    { warn: () => {} },
  );
  const log = openLog({ LOG_LEVEL: 'trace' }, 'all', {
    destination: { write: (line) => void lines.push(line) },
  });
  server = await startTestServer({
    worker: true,
    log,
    environment: { WEBHOOK_ALLOW_PRIVATE: 'true', SYNC_CHUNK_ELEMENTS: '2' },
  });
  workspace = await makeDefaultWorkspace(server);
  receiver = createServer((req, res) => {
    hooks.push(req.headers);
    req.resume();
    res.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
});
afterAll(async () => {
  await server.close();
  await tracing.close();
  receiver.closeAllConnections();
  receiver.close();
  await collector.close();
});

function newTrace(): { traceId: string; traceparent: string } {
  const traceId = randomBytes(16).toString('hex');
  return { traceId, traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` };
}

const attribute = (span: CollectedSpan, key: string) =>
  span.attributes.find((one) => one.key === key)?.value.stringValue;

test('one trace goes from the call through queue, thread and SQL to the webhook', async () => {
  const { port } = receiver.address() as AddressInfo;
  const made = await workspace.ask('POST', '/webhooks', {
    url: `http://127.0.0.1:${port}/hook`,
    events: ['import.completed'],
  });
  expect(made.status, made.text).toBe(201);
  const { traceId, traceparent } = newTrace();
  const entities = Array.from({ length: 5 }, (_, at) => ({
    guid: randomUUID(),
    number: `T-${at}`,
    name: 'Traced',
    categoryKey: 'part',
  }));
  const answer = await workspace.ask('POST', '/pdm/sync', { entities }, { traceparent });
  // On a busy machine the call is over before the batch is.
  await expect
    .poll(async () => (await workspace.ask('GET', `/pdm/sync/batches/${answer.body.batchId}`)).body.status)
    .toBe('completed');
  await expect.poll(() => hooks.find((headers) => headers.traceparent?.includes(traceId))).toBeDefined();

  const ofTrace = () => collector.spans.filter((span) => span.traceId === traceId);
  const named = (name: string) => ofTrace().filter((span) => span.name === name);
  await expect
    .poll(() => ['POST /api/wid/{slug}/pdm/sync', 'webhook delivery'].map((name) => named(name).length))
    .toEqual([1, 1]);
  const [call] = named('POST /api/wid/{slug}/pdm/sync') as [CollectedSpan];
  expect(call.parentSpanId).toBe(traceparent.split('-')[2]);
  const steps = named('sync step plan');
  expect(steps.length).toBeGreaterThanOrEqual(3);
  const parentOf = (span: CollectedSpan) => ofTrace().find((one) => one.spanId === span.parentSpanId);
  for (const step of steps) {
    const job = parentOf(step) as CollectedSpan;
    expect(job.name).toBe('sync.advance');
    expect(job.parentSpanId).toBe(call.spanId);
    expect(attribute(job, 'partbook.batch.id')).toBe(answer.body.batchId);
    // Made in the thread, and lies in time within what waited for it.
    const bursts = ofTrace().filter((span) => span.parentSpanId === step.spanId);
    expect(bursts.map(({ name }) => name)).toContain('postgresql');
  }
  // The batch's event goes on below the job that ended it, in whichever process or thread that was.
  const [delivery] = named('webhook delivery') as [CollectedSpan];
  expect(parentOf(delivery)).toBeDefined();
  expect(hooks.at(-1)?.traceparent).toBe(`00-${traceId}-${delivery.spanId}-01`);
});

test('a trace goes on by way of an automation: from the batch to its run, and to the webhook of what the run did', async () => {
  const { port } = receiver.address() as AddressInfo;
  const hook = await workspace.ask('POST', '/webhooks', {
    url: `http://127.0.0.1:${port}/by-way`,
    events: ['entity.created'],
  });
  expect(hook.status, hook.text).toBe(201);
  const automation = await workspace.ask('POST', '/automations', {
    name: 'Receipt',
    enabled: true,
    contextTypeId: 2,
    script: `await api.createEntity({ category: 'location', name: 'Receipt' });`,
  });
  expect(automation.status, automation.text).toBe(201);
  const { traceId, traceparent } = newTrace();
  const answer = await workspace.ask('POST', '/pdm/sync', { entities: [] }, { traceparent });
  expect(answer.body.status).toBe('completed');
  const named = (name: string) =>
    collector.spans.filter((span) => span.traceId === traceId && span.name === name);
  await expect.poll(() => [named('automation run').length, named('webhook delivery').length]).toEqual([1, 2]);
  const [run] = named('automation run') as [CollectedSpan];
  expect(attribute(run, 'partbook.automation.id')).toBe(automation.body.id);
  // One is told of the import, the other of what the run made: below the run.
  const below = named('webhook delivery').filter((span) => span.parentSpanId === run.spanId);
  expect(below).toHaveLength(1);
  const [call] = named('POST /api/wid/{slug}/pdm/sync') as [CollectedSpan];
  expect([call.spanId, ...collector.spans.map(({ spanId }) => spanId)]).toContain(run.parentSpanId);
  expect(JSON.stringify(run.attributes)).not.toContain('Receipt');
});

test('what belongs to no call and no batch is no trace', () => {
  const roots = collector.spans.filter((span) => span.parentSpanId === undefined || span.parentSpanId === '');
  expect(new Set(roots.map((span) => span.name.split(' ')[0]))).not.toContain('postgresql');
});

test('log lines have the ids of trace, request, batch, job and workspace', async () => {
  const { traceId, traceparent } = newTrace();
  const requestId = `r-${randomUUID()}`;
  const answer = await workspace.ask(
    'POST',
    '/pdm/sync',
    { entities: [] },
    { traceparent, 'X-Request-Id': requestId },
  );
  const found = () => lines.map((line) => JSON.parse(line)).find((line) => line.requestId === requestId);
  await expect.poll(found).toMatchObject({
    trace_id: traceId,
    batchId: answer.body.batchId,
    workspace: workspace.slug,
    route: '/api/wid/{slug}/pdm/sync',
  });
});

test('neither logs nor spans hold keys, tokens, secrets, or what was sent', async () => {
  const secret = `s3cret-${randomUUID()}`;
  const guid = randomUUID();
  const headers = { 'Idempotency-Key': secret };
  await workspace.ask(
    'POST',
    '/pdm/sync',
    { entities: [{ guid, number: secret, name: secret, categoryKey: 'part' }] },
    headers,
  );
  await workspace.ask('POST', '/pdm/sync', `{"entities": [{"guid": "${secret}`);
  await workspace.ask('POST', '/entities', { category: secret, name: secret, wrong: secret });
  await workspace.ask('GET', `/entities?q=${secret}`);
  await workspace.ask('GET', `/entities/guid:${secret}`);
  await server.request(`/${secret}`);
  await server.request('/api/workspaces', { key: secret });
  await server.request('/admin/queues/sign-in', {
    method: 'POST',
    body: new URLSearchParams({ token: secret }).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  const made = await workspace.ask('POST', '/webhooks', {
    url: `https://${secret}.example/hook?token=${secret}`,
    events: ['entity.created'],
  });
  const automation = await workspace.ask('POST', '/automations', {
    name: 'A script that fails',
    contextTypeId: 3,
    script: `throw new Error(${JSON.stringify(secret)})`,
  });
  expect(automation.status, automation.text).toBe(201);
  await workspace.ask('POST', '/entities', { category: 'part', name: secret, number: secret });
  await expect
    .poll(
      async () =>
        (await workspace.ask('GET', `/automations/${automation.body.id}/runs`)).body.items[0]?.status,
    )
    .toBe('failed');
  const said = lines.join('') + collector.received();
  expect(said.length).toBeGreaterThan(10_000);
  for (const [what, text] of Object.entries({
    secret,
    key: workspace.key,
    operatorToken: server.ctx.operatorToken,
    webhookSecret: made.body.secret ?? secret,
  }))
    expect(said.includes(text), what).toBe(false);
});

test('a collector that is away holds up nothing and is said', async () => {
  const said: string[] = [];
  const away = startTracing(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_SERVICE_NAME: 'partbook',
      OTEL_TRACES_SAMPLER_ARG: 1,
    },
    'all',
    { warn: (_fields: unknown, message?: unknown) => void said.push(String(message)) },
  );
  expect((await workspace.ask('GET', '/entities')).status).toBe(200);
  await away.close();
  expect(said).toContain('traces could not be sent');
});
