// What Prometheus is told: of real work, by names that alerts and dashboard ask for, also while servers are away.
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { dashboard } from '../../../deploy/grafana/dashboard.ts';
import { type MetricsServer, serveMetrics } from '../../../src/operations/metrics/serve-metrics.ts';
import { type Gate, openGate } from '../../setup/gate.ts';
import { startTestServer, type TestServer } from '../../setup/server.ts';
import { makeStockedWorkspace, type StockedWorkspace } from '../../stock/stocked-workspace.ts';
import { findPromtool, metricsOf, readRules } from './promql.ts';

let gates: Gate[];
let server: TestServer;
let metrics: MetricsServer;
let workspace: StockedWorkspace;

beforeAll(async () => {
  gates = [await openGate(), await openGate()];
  const [postgres, redis] = gates as [Gate, Gate];
  server = await startTestServer({
    worker: true,
    databaseUrl: postgres.through,
    redisUrl: redis.through,
    environment: { METRICS_PORT: '0' },
  });
  metrics = await serveMetrics({ ...server.ctx, role: 'all' });
  workspace = await makeStockedWorkspace(server);
});
afterAll(async () => {
  for (const gate of gates) gate.open();
  await metrics.close();
  await server.close();
  for (const gate of gates) await gate.close();
});

const scrape = async () => (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text();

/** The value of a series, by its name and some of its labels; null where it is not there. */
async function seriesOf(name: string, ...labels: string[]): Promise<number | null> {
  const line = (await scrape())
    .split('\n')
    .find(
      (one) =>
        one.startsWith(name) && /[ {]/.test(one[name.length] ?? '') && labels.every((l) => one.includes(l)),
    );
  return line === undefined ? null : Number(line.split(' ').at(-1));
}

test('work is counted: calls by route, batches, steps, entries, scripts', async () => {
  const entriesBefore = (await seriesOf('partbook_ledger_entries_total')) ?? 0;
  await workspace.adjust(workspace.items[0], workspace.locations[0], 3);
  expect(await seriesOf('partbook_ledger_entries_total')).toBe(entriesBefore + 1);
  const made = await workspace.ask('POST', '/automations', {
    name: 'Counted',
    contextTypeId: 3,
    script: 'return 1',
  });
  expect(made.status, made.text).toBe(201);
  const guid = '6f1c2f9e-3d2b-4c4e-9a51-0b8a6f3d7c01';
  const sent = await workspace.ask('POST', '/pdm/sync', {
    entities: [{ guid, number: 'M-1', name: 'Measured', categoryKey: 'part' }],
  });
  expect(sent.body.status).toBe('completed');
  expect(await seriesOf('partbook_sync_batches_total', 'status="completed"')).toBe(1);
  expect(await seriesOf('partbook_sync_chunk_duration_seconds_count', 'pass="whole"')).toBe(1);
  const nothing = await workspace.ask('POST', '/pdm/sync', { entities: [] });
  expect(nothing.body.status).toBe('completed');
  expect(await seriesOf('partbook_sync_batches_total', 'status="completed"')).toBe(2);
  expect(
    await seriesOf(
      'http_server_request_duration_seconds_count',
      'http_request_method="POST"',
      'http_route="/api/wid/{slug}/pdm/sync"',
      'http_response_status_code="200"',
    ),
  ).toBe(2);
  await expect.poll(() => seriesOf('partbook_script_runs_total', 'outcome="succeeded"')).toBe(1);
});

test('what a caller chooses makes no series of its own, and none names a workspace', async () => {
  for (const path of ['/nowhere/1', '/nowhere/2']) await server.request(path);
  await server.request('/api/workspaces', { method: 'PROPFIND' });
  const text = await scrape();
  expect(text).not.toContain('nowhere');
  expect(text).not.toContain('PROPFIND');
  expect(text).toContain('http_request_method="_OTHER"');
  expect(text).not.toContain(workspace.slug);
  expect(text).not.toContain(workspace.id);
  expect(text).not.toContain(workspace.key);
});

test('there is nothing but /metrics, and the interface has none', async () => {
  expect((await fetch(`http://127.0.0.1:${metrics.port}/`)).status).toBe(404);
  expect((await fetch(`http://127.0.0.1:${metrics.port}/metrics`, { method: 'POST' })).status).toBe(404);
  expect((await server.request('/metrics')).status).toBe(404);
});

test('alerts and dashboard ask for what is there', async () => {
  // A histogram and a counter with labels are there once something was counted.
  const text = await scrape();
  const there = new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  );
  const rules = readRules();
  for (const { kind, name } of rules) if (kind === 'record') there.add(name);
  const panels = (dashboard() as { panels: { targets?: { expr: string }[] }[] }).panels;
  const expressions = [
    ...rules.map((rule) => rule.expression),
    ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ];
  expect(expressions.length).toBeGreaterThan(50);
  const missing = expressions.flatMap(metricsOf).filter((name) => !there.has(name));
  expect(missing).toEqual([]);
});

const promtool = findPromtool();
test.skipIf(promtool === null)('promtool has nothing to say against a scrape', async () => {
  const said = execFileSync(promtool as string, ['check', 'metrics'], {
    input: await scrape(),
    encoding: 'utf8',
  });
  expect(said).toBe('');
});

test.skipIf(inject('redisUrl') === null)(
  'a scrape is answered while PostgreSQL and Redis say nothing, with the age of what was looked up',
  async () => {
    await expect.poll(() => seriesOf('partbook_sampled_timestamp_seconds', 'source="queues"')).not.toBeNull();
    for (const gate of gates) gate.stall();
    const texts = await Promise.all(Array.from({ length: 20 }, scrape));
    for (const text of texts) expect(text).toContain('partbook_queue_jobs{queue="sync"');
    for (const gate of gates) gate.open();
  },
);
