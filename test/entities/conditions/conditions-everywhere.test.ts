// Conditions on properties mean the same wherever entities are found.
import { tmpdir } from 'node:os';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBulkEdits } from '../../../src/cleanup/bulk-edits/run-bulk-edits.ts';
import { runCli } from '../../clients/run-cli.ts';
import { startTestServer, type TestServer } from '../../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../../workspaces/default-workspace.ts';
import { partsOf } from '../parts.ts';

const conditions = ['Bore:ge:8', 'Steel:in:S235,S355'];
const query = conditions.map((one) => `where=${encodeURIComponent(one)}`).join('&');
const expected = ['FIT-1', 'FIT-2'];

let server: TestServer;
let workspace: DefaultWorkspace;
const { ask, create, define } = partsOf(() => workspace);
beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeDefaultWorkspace(server);
  await define('Bore', 'numeric');
  await define('Steel', 'text');
  for (const [number, Bore, Steel] of [
    ['FIT-1', 8, 'S235'],
    ['FIT-2', 12, 'S355'],
    ['NOT-1', 6, 'S235'],
    ['NOT-2', 9, 'EN AW-6082'],
  ] as const)
    await create({ number, properties: { Bore, Steel } });
  await create({ number: 'NOT-3' });
});
afterAll(() => server.close());

const numbersOf = (items: { number: string }[]) => items.map(({ number }) => number).toSorted();
const columnOf = (csv: string, title: string) => {
  const [head, ...lines] = csv
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  const at = head?.findIndex((one) => one.replace('\ufeff', '') === title) ?? -1;
  return lines.map((cells) => cells[at]).toSorted();
};

test('in the list and its counts', async () => {
  expect(numbersOf((await ask('GET', `/entities?${query}`)).body.items)).toEqual(expected);
  const { body } = await ask('GET', `/entities/facets?${query}`);
  expect(body.items.map((one: { count: number }) => one.count)).toEqual([2]);
});

test('in an export', async () => {
  const answer = await ask('GET', `/entities/export?${query}`, undefined, { Accept: 'text/csv' });
  expect(answer.status, answer.text).toBe(200);
  expect(columnOf(answer.text, 'number')).toEqual(expected);
});

test('in a CSV link', async () => {
  const table = { of: 'entities', where: conditions, columns: ['number'] };
  const link = await ask('POST', '/csv-links', { name: 'Fitting', table });
  expect(link.status, link.text).toBe(201);
  const answer = await server.request(new URL(link.body.url).pathname);
  expect(columnOf(answer.text, 'number')).toEqual(expected);
});

test('in a saved view', async () => {
  const view = await ask('POST', '/views', {
    name: 'Fitting',
    list: 'entities',
    filters: { where: conditions },
  });
  expect(view.status, view.text).toBe(201);
  expect(numbersOf((await ask('GET', `/entities?view=${view.body.id}`)).body.items)).toEqual(expected);
});

test('in a script', async () => {
  const script = `return (await api.findEntities({ where: ${JSON.stringify(conditions)} })).items.map((one) => one.number)`;
  const { body, text } = await ask('POST', '/automations/test', { script, contextTypeId: 3 });
  expect(body.result?.toSorted(), text).toEqual(expected);
});

test('on the command line', async () => {
  const env = {
    PATH: process.env.PATH,
    HOME: tmpdir(),
    PARTBOOK_URL: server.baseUrl,
    PARTBOOK_WORKSPACE: workspace.slug,
    PARTBOOK_API_KEY: workspace.key,
  };
  const { out, said } = await runCli(['--ndjson', 'entities', '--where', ...conditions], { env });
  const items = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(numbersOf(items), said).toEqual(expected);
});

test('for an agent', async () => {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const requestInit = { headers: { Authorization: `Bearer ${workspace.key}` } };
  const url = new URL(`${server.baseUrl}/api/wid/${workspace.slug}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  const { content } = (await client.callTool({
    name: 'search_entities',
    arguments: { where: conditions },
  })) as { content: { text: string }[] };
  const refused = (await client.callTool({
    name: 'search_entities',
    arguments: { where: ['Bohr:eq:1'] },
  })) as { isError: boolean; content: { text: string }[] };
  await client.close();
  expect(numbersOf(JSON.parse(content[0]?.text ?? '').items)).toEqual(expected);
  // It learns from the refusal which properties there are.
  expect(refused.isError).toBe(true);
  expect(JSON.parse(refused.content[0]?.text ?? '')).toMatchObject({
    code: 'invalid_condition',
    allowed: expect.arrayContaining(['Bore']),
    errors: [{ pointer: '/where/0', code: 'unknown_property' }],
  });
});

test('in a bulk edit', async () => {
  const change = { properties: { Bore: 20 } };
  const { body } = await ask('POST', '/bulk-edits', { filter: { where: conditions }, change, dryRun: true });
  await runBulkEdits(server.ctx);
  expect(numbersOf((await ask('GET', `/bulk-edits/${body.id}/results`)).body.items)).toEqual(expected);
});
