// Agents over HTTP stand behind the same walls as every other caller.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Area, areas } from '../../src/areas.ts';
import { projectFolder } from '../clients/project-folder.ts';
import { startTestServer, type TestServer, type TestWorkspace } from '../setup/server.ts';

const REQUESTS = 500;
let server: TestServer;
let workspace: TestWorkspace;
beforeAll(async () => {
  server = await startTestServer({
    environment: {
      RATE_LIMIT_REQUESTS: String(REQUESTS),
      RATE_LIMIT_WINDOW_SECONDS: '3600',
      // A Redis that a busy machine makes slow is not away.
      RATE_LIMIT_PATIENCE_MS: '60000',
      BODY_TIMEOUT_SECONDS: '1',
    },
  });
});
afterAll(() => server.close());

const lists = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list', params: {} }));
const ask = (key: string, body: unknown) =>
  server.request(`${workspace.path}/mcp`, {
    key,
    method: 'POST',
    body,
    headers: { Accept: 'application/json, text/event-stream' },
  });
const left = (headers: Headers) => Number(/"key";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
const messagesOf = (text: string) =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));

test('each message of a batch counts as a request, and has its own answer', async () => {
  workspace = await server.createWorkspace();
  const one = await ask(workspace.key, lists(1)[0]);
  expect(one.status).toBe(200);
  const many = await ask(workspace.key, lists(100));
  expect(many.status).toBe(200);
  expect(messagesOf(many.text).map(({ id }) => id)).toEqual(lists(100).map(({ id }) => id));
  expect(left(one.headers) - left(many.headers)).toBe(100);
  const statuses: number[] = [];
  for (let n = 0; n < REQUESTS / 100; n++) statuses.push((await ask(workspace.key, lists(100))).status);
  expect(statuses.at(-1)).toBe(429);
  expect((await ask(await workspace.addKey('read'), lists(101))).body).toMatchObject({
    code: 'validation_failed',
  });
});

test('an agent sees the tools that its areas allow', async () => {
  workspace = await server.createWorkspace();
  const toolsOf = async (allowed: Area[], query = '?writes=allowed') => {
    const answer = await server.request(`${workspace.path}/mcp${query}`, {
      key: await workspace.addKey(allowed),
      body: lists(1)[0],
      headers: { Accept: 'application/json, text/event-stream' },
    });
    return messagesOf(answer.text)[0].result.tools.map(({ name }: { name: string }) => name) as string[];
  };
  const reading = await toolsOf(['read']);
  const beyond = async (area: Area) =>
    (await toolsOf(['read', area])).filter((name) => !reading.includes(name)).sort();
  expect(await beyond('stock')).toEqual(
    ['run_action', 'move_stock', 'correct_entry', 'reserve_shortages'].sort(),
  );
  expect(await beyond('procurement')).toEqual([
    'commit_planned_actions',
    'dismiss_planned_actions',
    'order_shortages',
    'propose_plan',
    'raise_requirements',
    'run_action',
  ]);
  expect(await beyond('admin')).toEqual([]);
  // Every tool that writes is some area's: none is shown to all.
  const all = await Promise.all((['stock', 'procurement', 'engineering'] as const).map(beyond));
  expect(new Set(all.flat())).toEqual(
    new Set((await toolsOf([...areas])).filter((name) => !reading.includes(name))),
  );
  expect(await toolsOf([...areas], '')).toEqual(reading);
  // The guide names all of them, and which of them change something.
  const rows = readFileSync(join(projectFolder, 'docs/guides/agents.md'), 'utf8')
    .split('\n')
    .filter((line) => /^\| \w/.test(line))
    .map((line) => line.split('|').map((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name)));
  expect(rows.flatMap((cells) => cells[2] ?? []).toSorted()).toEqual(reading.toSorted());
  expect(rows.flatMap((cells) => cells[3] ?? []).toSorted()).toEqual([...new Set(all.flat())].toSorted());
});

test('an agent is told why it has no tools that write', async () => {
  workspace = await server.createWorkspace();
  const instructionsOf = async (allowed: Area[], query: string) => {
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const answer = await server.request(`${workspace.path}/mcp${query}`, {
      key: await workspace.addKey(allowed),
      body: { jsonrpc: '2.0', id: 1, method: 'initialize', params },
      headers: { Accept: 'application/json, text/event-stream' },
    });
    return messagesOf(answer.text)[0].result.instructions as string;
  };
  expect(await instructionsOf(['read', 'stock'], '')).toMatch(/run_action .* not offered.*\?writes=allowed/);
  expect(await instructionsOf(['read'], '?writes=allowed')).toMatch(/a key with more areas than read/);
  expect(await instructionsOf(['read', 'stock'], '?writes=allowed')).toMatch(
    /areas of the key are read, stock/,
  );
});

test('a batch of notifications has an answer without a body', async () => {
  workspace = await server.createWorkspace();
  const said = await ask(workspace.key, [{ jsonrpc: '2.0', method: 'notifications/initialized' }]);
  expect([said.status, said.text]).toEqual([202, '']);
});

test('a body that does not arrive is given up', async () => {
  workspace = await server.createWorkspace();
  const asking = request(`${server.baseUrl}${workspace.path}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${workspace.key}`,
      'Content-Type': 'application/json',
      'Content-Length': '1000',
    },
  });
  asking.write('{');
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(408);
  asking.destroy();
});

test('an argument stays in its place of the path', async () => {
  workspace = await server.createWorkspace();
  const call = async (name: string, given: object) => {
    const params = { name, arguments: given };
    const { text } = await ask(workspace.key, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    return messagesOf(text)[0].result;
  };
  for (const entity of ['..', '.'])
    for (const [name, given] of [
      ['get_entity', { entity }],
      ['get_tree', { entity }],
      ['stock_positions', { item: entity }],
    ] as const) {
      const { isError, content } = await call(name, given);
      expect([name, isError, JSON.parse(content[0].text).code]).toEqual([name, true, 'invalid_argument']);
    }
  const { content } = await call('get_entity', { entity: '../..' });
  expect(JSON.parse(content[0].text)).toMatchObject({ code: 'validation_failed' });
});

test('an agent reads what stock is worth, where the workspace keeps costs', async () => {
  workspace = await server.createWorkspace();
  const call = async (name: string, given: object = {}) => {
    const params = { name, arguments: given };
    const { text } = await ask(workspace.key, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    return JSON.parse(messagesOf(text)[0].result.content[0].text);
  };
  expect(await call('stock_value')).toMatchObject({ code: 'costing_off' });
  const path = `${workspace.path}/stock/settings`;
  const { key } = workspace;
  const costing = { method: 'fifo', currency: 'EUR' };
  const settings = (await server.request(path, { key })).body;
  await server.request(path, { key, method: 'PUT', body: { ...settings, costing } });
  expect(await call('stock_value')).toEqual({ items: [], nextCursor: null });
  expect(await call('stock_value_total')).toMatchObject({ value: '0', unknownItems: 0, ...costing });
  for (const tool of ['cost_layers', 'cost_variances'])
    expect(await call(tool, { item: workspace.id })).toMatchObject({ code: 'entity_not_found' });
});
