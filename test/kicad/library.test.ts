// What stands beside the interface for other programs: KiCad's library, labels, agents over HTTP.
import { once } from 'node:events';
import { get, type IncomingMessage, request } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
let part: { id: string; E_Guid: string };
beforeAll(async () => {
  server = await startTestServer({ environment: { KICAD_PARTS_MAX: '4' }, worker: true });
  workspace = await makeDefaultWorkspace(server);
  for (const key of ['Symbol', 'Footprint', 'Value', '__proto__']) {
    await workspace.ask('POST', '/property-definitions', { key, name: key, type: 'text' });
  }
  const properties = { Symbol: 'Device:R', Footprint: 'Resistor_SMD:R_0603', Value: '10k' };
  const guid = '5f2fdd5b-4f52-4b58-9a50-2c5b3ad6a002';
  part = (
    await workspace.ask('POST', '/entities', {
      category: 'part',
      name: 'Resistor',
      number: 'R-10K',
      E_Guid: guid,
      properties,
    })
  ).body;
  for (const name of ['One', 'Other'])
    await workspace.ask('POST', '/entities', { category: 'part', name, number: 'SAME' });
  const bin = (await workspace.ask('POST', '/entities', { category: 'location', name: 'Bin', number: 'B' }))
    .body;
  await workspace.ask('POST', '/stock/adjustments', {
    itemEntityId: part.id,
    locationEntityId: bin.id,
    quantity: 2.5,
  });
});
afterAll(() => server.close());

const library = (path: string, headers: Record<string, string> = {}) =>
  server.request(`/api/wid/${workspace.slug}/kicad/v1/${path}`, {
    headers: { Authorization: `Token ${workspace.key}`, ...headers },
  });

test('KiCad finds the root, the categories and their parts with fields and what is on hand', async () => {
  expect((await library('')).body).toEqual({ categories: '', parts: '' });
  const categories = (await library('categories.json')).body as { id: unknown; name: string }[];
  expect(categories.map(({ id }) => id)).toContain('part');
  expect(categories.map(({ name }) => name)).not.toContain('Location');
  const listed = await library('parts/category/part.json');
  const found = listed.body.find(({ name }: { name: string }) => name === 'R-10K');
  expect(found).toMatchObject({
    id: part.id,
    symbolIdStr: 'Device:R',
    exclude_from_bom: 'False',
    fields: {
      footprint: { value: 'Resistor_SMD:R_0603', visible: 'False' },
      value: { value: '10k' },
      IPN: { value: 'R-10K' },
      GUID: { value: part.E_Guid },
      'On hand': { value: '2.5' },
    },
  });
  expect((await library(`parts/${part.id}.json`)).body).toEqual(found);
  expect(listed.headers.get('cache-control')).toBe('private, max-age=60');
  expect(
    (await library('parts/category/part.json', { 'If-None-Match': listed.headers.get('etag') ?? '' })).status,
  ).toBe(304);
});

test('parts that share a number have names of their own, which stay; there are no more than the limit', async () => {
  const names = async () =>
    (await library('parts/category/part.json')).body.map(({ name }: { name: string }) => name) as string[];
  const first = await names();
  expect(new Set(first).size).toBe(3);
  expect(first.filter((name) => /^SAME [0-9a-f]{8}$/.test(name))).toHaveLength(2);
  const omitted = async () => (await library('parts/category/part.json')).headers.get('x-parts-omitted');
  const described = async () =>
    (await library('categories.json')).body.find(({ id }: { id: string }) => id === 'part').description;
  expect([await omitted(), await described()]).toEqual([null, '']);
  await workspace.addEntities(3);
  expect(await names()).toEqual([...first, expect.any(String)]);
  expect([await omitted(), await described()]).toEqual(['true', expect.stringContaining('the first 4')]);
});

test('a number that KiCad would change has a mark, and categories of one name have their keys', async () => {
  const other = await makeDefaultWorkspace(server);
  const ask = (path: string) =>
    server.request(`/api/wid/${other.slug}/kicad/v1/${path}`, {
      headers: { Authorization: `Token ${other.key}` },
    });
  await other.ask('POST', '/property-definitions', { key: 'Symbol', name: 'Symbol', type: 'text' });
  const properties = { Symbol: 'Device:R' };
  for (const number of ['A:1', 'A_1', 'A/1'])
    await other.ask('POST', '/entities', { category: 'part', name: number, number, properties });
  const names = (await ask('parts/category/part.json')).body.map(({ name }: { name: string }) => name);
  expect(names.toSorted()).toEqual(['A/1', 'A_1', expect.stringMatching(/^A_1 [0-9a-f]{8}$/)]);
  const { body: category } = await other.ask('GET', '/categories/part');
  const made = await other.ask('POST', '/categories', {
    key: 'part2',
    name: category.name,
    role: category.role,
  });
  expect(made.status, made.text).toBe(201);
  const shown = (await ask('categories.json')).body.map(({ name }: { name: string }) => name) as string[];
  expect(shown).toEqual(expect.arrayContaining([`${category.name} (part)`, `${category.name} (part2)`]));
  expect(new Set(shown).size).toBe(shown.length);
});

test('parts without a symbol are left out of the library that is for parts with one', async () => {
  const other = await makeDefaultWorkspace(server);
  await other.ask('POST', '/property-definitions', { key: 'Symbol', name: 'Symbol', type: 'text' });
  await other.ask('POST', '/entities', { category: 'part', name: 'Screw', number: 'S-1' });
  const properties = { Symbol: 'Device:R' };
  await other.ask('POST', '/entities', { category: 'part', name: 'Resistor', number: 'R-1', properties });
  const headers = { Authorization: `Token ${other.key}` };
  const listed = async (query: string): Promise<string[]> => {
    const path = `/api/wid/${other.slug}/kicad/partbook.kicad_httplib${query}`;
    const { source } = (await server.request(path, { headers })).body;
    // As KiCad does: its own paths behind the address of the library.
    const ask = async (below: string) =>
      (await server.request(`${new URL(source.root_url).pathname}/v1/${below}`, { headers })).body;
    expect(await ask('')).toEqual({ categories: '', parts: '' });
    expect((await ask('categories.json')).map(({ id }: { id: string }) => id)).toContain('part');
    const parts = await ask('parts/category/part.json');
    for (const { id, name } of parts) expect((await ask(`parts/${id}.json`)).name).toBe(name);
    return parts.map(({ name }: { name: string }) => name).toSorted();
  };
  expect(await listed('')).toEqual(['R-1', 'S-1']);
  expect(await listed('?parts=all')).toEqual(['R-1', 'S-1']);
  expect(await listed('?parts=withSymbol')).toEqual(['R-1']);
});

test('parts of more than a page of bytes are all there', async () => {
  const large = await makeDefaultWorkspace(server);
  const text = 'x'.repeat(400_000);
  await large.addEntities(4, { properties: { Note: text, Other: text } });
  const listed = await server.request(`/api/wid/${large.slug}/kicad/v1/parts/category/part.json`, {
    headers: { Authorization: `Token ${large.key}` },
  });
  expect([listed.body.length, listed.headers.get('x-parts-omitted')]).toEqual([4, null]);
});

test('the file for KiCad leads to the library, with the key that asked where that may only read', async () => {
  const path = `/api/wid/${workspace.slug}/kicad/partbook.kicad_httplib`;
  const { body: reader } = await workspace.ask('POST', '/api-keys', { name: 'KiCad', permission: 'read' });
  const file = (await server.request(path, { headers: { Authorization: `Token ${reader.key}` } })).body;
  expect(file).toMatchObject({
    meta: { version: 1 },
    source: { type: 'REST_API', api_version: 'v1', token: reader.key, timeout_parts_seconds: 60 },
  });
  // As KiCad does: the root, `v1`, and the token as it is written there.
  const kicad = (below: string) =>
    fetch(`${file.source.root_url}/v1/${below}`, {
      headers: { Authorization: `Token ${file.source.token}` },
    });
  expect(await (await kicad('')).json()).toEqual({ categories: '', parts: '' });
  expect((await kicad('categories.json')).status).toBe(200);
  const strong = await server.request(path, { key: workspace.key });
  expect(strong.text).not.toContain(workspace.key);
  expect(strong.headers.get('content-disposition')).toContain('.kicad_httplib"');
});

test('what is not there, and who has no key, are refused', async () => {
  expect((await library('parts/category/none.json')).status).toBe(404);
  expect((await library('parts/00000000-0000-4000-8000-000000000000.json')).status).toBe(404);
  expect((await library('', { Authorization: 'Token nothing' })).status).toBe(401);
});

test('a label is SVG or PNG and leads to the GUID', async () => {
  const svg = await workspace.ask('GET', `/entities/${part.id}/label`);
  expect([svg.text.slice(0, 300), svg.headers.get('content-type')]).toEqual([
    expect.stringMatching(/^<svg /),
    'image/svg+xml',
  ]);
  const png = await fetch(`${server.baseUrl}/api/wid/${workspace.slug}/entities/${part.id}/label?as=png`, {
    headers: { Authorization: `Bearer ${workspace.key}` },
  });
  const bytes = Buffer.from(await png.arrayBuffer());
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect(
    (await workspace.ask('GET', '/entities/guid:00000000-0000-4000-8000-000000000000/label')).status,
  ).toBe(404);
});

test('what says where the service is takes only a host for one', async () => {
  const statusOf = async (path: string, host: string) => {
    const url = `${server.baseUrl}/api/wid/${workspace.slug}${path}`;
    const headers = { Authorization: `Bearer ${workspace.key}`, Host: host };
    const asking = get(url, { headers });
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };
  for (const path of [`/entities/${part.id}/label`, '/kicad/partbook.kicad_httplib']) {
    for (const host of ['parts.example', 'parts.example:8443', '[::1]:3000', `${'a'.repeat(63)}.example`])
      expect(await statusOf(path, host), host).toBe(200);
    // No code holds as much, and a picture of less would take seconds.
    for (const host of ['a'.repeat(3000), 'a'.repeat(254), 'a b', 'a/b', 'a"><b', 'a@b', 'a:x'])
      expect(await statusOf(path, host), host).toBe(400);
  }
});

const agent = async (suffix: string, key: string, revision: 'modern' | 'legacy') => {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    revision === 'modern' ? { versionNegotiation: { mode: 'auto' } } : {},
  );
  const url = new URL(`${server.baseUrl}/api/wid/${workspace.slug}/mcp${suffix}`);
  await client.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers: { Authorization: `Bearer ${key}` } } }),
  );
  return client;
};

test.each(['modern', 'legacy'] as const)(
  'agents of the %s revision read over HTTP, and write only where the address and the key allow it',
  async (revision) => {
    const reader = await agent('', workspace.key, revision);
    const { tools } = await reader.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('commit_plan');
    const { content } = (await reader.callTool({
      name: 'stock_positions',
      arguments: { item: part.id },
    })) as { content: { text: string }[] };
    expect(JSON.parse(content[0]?.text ?? '').items[0].onHand).toBe(2.5);
    await reader.close();
    const writer = await agent('?writes=allowed', workspace.key, revision);
    expect((await writer.listTools()).tools.map(({ name }) => name)).toContain('commit_plan');
    await writer.close();
    const { body } = await workspace.ask('POST', '/api-keys', { name: 'r', permission: 'read' });
    const weak = await agent('?writes=allowed', body.key, revision);
    expect((await weak.listTools()).tools.map(({ name }) => name)).not.toContain('commit_plan');
    await weak.close();
  },
);

test('agents are told of arguments that a tool does not take, and propose all that a link carries', async () => {
  const writer = await agent('?writes=allowed', workspace.key, 'legacy');
  const call = async (name: string, args: Record<string, unknown>) => {
    const { content, isError } = (await writer.callTool({ name, arguments: args })) as {
      content: { text: string }[];
      isError?: boolean;
    };
    return { text: content[0]?.text ?? '', isError };
  };
  expect(await call('search_entities', { q: 'bolt' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('"q"'),
  });
  const view = { name: 'Nothing', list: 'entities', filters: { number: 'NO-SUCH' } };
  await workspace.ask('POST', '/views', view);
  const [listed] = JSON.parse((await call('list_views', {})).text).items;
  expect(JSON.parse((await call('search_entities', { view: listed.id })).text).items).toEqual([]);
  const guid = (n: number) => `6f1c2f9e-3d2b-4c4e-9a51-0b8a6f3d7e1${n}`;
  const top = { guid: guid(1), number: 'AG-1', name: 'Board', categoryKey: 'part' };
  const line = { parentGuid: guid(1), quantity: 2, findNumber: '10', referenceDesignators: ['R1', 'R2'] };
  const child = { guid: guid(2), number: 'AG-2', name: 'Resistor', categoryKey: 'part', ...line };
  const mistyped = await call('propose_sync', { entities: [{ ...child, designators: ['R1'] }] });
  expect(mistyped).toMatchObject({ isError: true, text: expect.stringContaining('"designators"') });
  const { batchId: batch } = JSON.parse((await call('propose_sync', { entities: [top, child] })).text);
  await call('commit_plan', { batch });
  const { body } = await workspace.ask('GET', `/entities/guid:${guid(1)}/uses`);
  expect(body.items).toMatchObject([{ quantity: 2, findNumber: '10', referenceDesignators: ['R1', 'R2'] }]);
  await writer.close();
});

test('agents propose one change of many parts, apply exactly it, and take it back', async () => {
  const writer = await agent('?writes=allowed', workspace.key, 'modern');
  const call = async (name: string, args: Record<string, unknown>) => {
    const { content } = (await writer.callTool({ name, arguments: args })) as { content: { text: string }[] };
    return JSON.parse(content[0]?.text ?? '');
  };
  const ids = [];
  for (const number of ['MANY-1', 'MANY-2'])
    ids.push((await workspace.ask('POST', '/entities', { category: 'part', name: 'Many', number })).body.id);
  const resistance = async (id: string) =>
    (await workspace.ask('GET', `/entities/${id}`)).body.properties.Value;
  const plan = await call('propose_bulk_edit', { text: 'MANY-', set: { Value: '10k' } });
  expect(plan).toMatchObject({ status: 'completed', dryRun: true, changed: 2, more: 0 });
  expect(plan.results[0].changes).toEqual([{ field: 'properties.Value', from: null, to: '10k' }]);
  expect(await resistance(ids[0])).toBeUndefined();
  const applied = await call('apply_bulk_edit', { bulkEdit: plan.id, reason: 'Told by the agent' });
  expect(applied).toMatchObject({ applies: plan.id, changed: 2, refused: 0 });
  expect(await resistance(ids[0])).toBe('10k');
  expect(await call('undo_bulk_edit', { bulkEdit: applied.id })).toMatchObject({ changed: 2 });
  expect(await resistance(ids[1])).toBeUndefined();
  await writer.close();
});

test('agents supply a project with what it is short of', async () => {
  const writer = await agent('?writes=allowed', workspace.key, 'modern');
  const call = async (name: string, args: Record<string, unknown>) => {
    const { content } = (await writer.callTool({ name, arguments: args })) as { content: { text: string }[] };
    return JSON.parse(content[0]?.text ?? '');
  };
  const make = async (category: string, name: string): Promise<string> => {
    const made = await workspace.ask('POST', '/entities', { category, name });
    expect(made.status, made.text).toBe(201);
    return made.body.id;
  };
  const [project, bolt, location] = [
    await make('project', 'Fair'),
    await make('part', 'Fair bolt'),
    await make('location', 'Fair shelf'),
  ];
  const linked = await workspace.ask('PUT', `/entities/${project}/uses/${bolt}`, { quantity: 4 });
  expect(linked.status, linked.text).toBe(201);
  const adjusted = { itemEntityId: bolt, locationEntityId: location, quantity: 1 };
  expect((await workspace.ask('POST', '/stock/adjustments', adjusted)).status).toBe(201);

  const shortages = (more: object) => call('shortages', { project, ...more });
  expect(await shortages({ kind: 'purchased', text: 'fair' })).toMatchObject({
    shortCount: 1,
    items: [{ itemEntityId: bolt, shortageQty: 3 }],
  });
  expect(await shortages({ kind: 'made' })).toMatchObject({ items: [], more: 0 });
  const { reservations } = await call('reserve_shortages', { project, items: [bolt] });
  expect(reservations).toMatchObject([{ quantity: 1, locationEntityId: location }]);
  await call('raise_requirements', { project, items: [bolt], requiredBy: '2026-12-24' });
  const lines = [{ itemEntityId: bolt, quantity: 3, supplier: 'Nordic Fasteners' }];
  const { orders } = await call('order_shortages', { project, location, lines });
  expect(orders).toMatchObject([{ supplier: 'Nordic Fasteners', lines: [{ quantity: 3, state: 'Draft' }] }]);
  await writer.close();
});

test('agents without a key, and pages of other origins, are refused', async () => {
  const ask = (headers: Record<string, string>) =>
    server.request(`/api/wid/${workspace.slug}/mcp`, { method: 'POST', body: {}, headers });
  expect((await ask({})).status).toBe(401);
  expect(
    (await ask({ Authorization: `Bearer ${workspace.key}`, Origin: 'https://evil.example' })).status,
  ).toBe(403);
});

test('a method that agents cannot send is refused as such', async () => {
  const asked = request(`${server.baseUrl}/api/wid/${workspace.slug}/mcp`, {
    method: 'TRACE',
    headers: { Authorization: `Bearer ${workspace.key}` },
  }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'POST, OPTIONS']);
});

test('fields name the first active supplier parts, and a property of the same name counts before them', async () => {
  const { ask } = workspace;
  const sell = async (supplier: string, more: object) => {
    const { body } = await ask('POST', '/suppliers', { name: supplier });
    const wanted = { itemEntityId: part.id, supplierId: body.id, ...more };
    expect((await ask('POST', '/supplier-parts', wanted)).status).toBe(201);
    return body.id as string;
  };
  const fields = async () => (await library(`parts/${part.id}.json`)).body.fields;
  const listed = await library('parts/category/part.json');
  await sell('Second', { sku: 'S-2', mpn: 'RC-22', rank: 2 });
  await sell('First', { sku: 'F-1', manufacturer: 'Yageo', mpn: 'RC-22', rank: 1 });
  const ended = await sell('Ended', { sku: 'E-1', rank: 1 });
  await ask('PATCH', `/suppliers/${ended}`, { state: 'inactive' });
  const again = await library('parts/category/part.json', {
    'If-None-Match': listed.headers.get('etag') ?? '',
  });
  expect(again.status, 'new supplier parts change the library').toBe(200);
  expect(await fields()).toMatchObject({
    Manufacturer: { value: 'Yageo', visible: 'False' },
    MPN: { value: 'RC-22' },
    Supplier: { value: 'First' },
    SKU: { value: 'F-1' },
    'Supplier 2': { value: 'Second' },
    'SKU 2': { value: 'S-2' },
    'MPN 2': { value: 'RC-22' },
  });
  expect(Object.keys(await fields())).not.toContain('SKU 3');
  await ask('POST', '/property-definitions', { key: 'MPN', name: 'MPN', type: 'text' });
  await ask('PATCH', `/entities/${part.id}`, { properties: { MPN: 'as drawn' } });
  expect(await fields()).toMatchObject({ MPN: { value: 'as drawn' }, 'MPN 2': { value: 'RC-22' } });
});
