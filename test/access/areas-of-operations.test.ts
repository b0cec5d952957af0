// Every operation of the document × every area (contract §1.2): a caller without the area is refused before its call is read.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Area, areas } from '../../src/areas.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

const ID = '01900000-0000-7000-8000-000000000000';
let server: TestServer;
let workspace: DefaultWorkspace;
const keys = new Map<Area, string>();
beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeDefaultWorkspace(server);
  for (const area of areas) {
    keys.set(area, (await workspace.ask('POST', '/api-keys', { name: area, areas: [area] })).body.key);
  }
});
afterAll(() => server.close());

interface Operation {
  operationId: string;
  'x-area'?: Area | Area[];
}

test('every operation is refused to all who lack its area, and to nobody else', async () => {
  const { body: document } = await server.request('/openapi.json');
  const found: string[] = [];
  const expected: string[] = [];
  for (const [path, methods] of Object.entries<Record<string, Operation>>(document.paths)) {
    if (!path.startsWith('/api/wid/{slug}')) continue;
    for (const [method, operation] of Object.entries(methods)) {
      const { operationId, 'x-area': needed } = operation;
      // The secret of a CSV link stands in its path: nobody else is asked who they are.
      if (needed === undefined) {
        expect([operationId, path]).toEqual([operationId, expect.stringContaining('{token}')]);
        continue;
      }
      const address = path.replace('{slug}', workspace.slug).replaceAll(/\{\w+\}/g, ID);
      const answers = await Promise.all(
        areas.map((area) =>
          // The unknown parameter ends each call that is let in, before it does anything.
          server.request(`${address}?unknown=1`, { method: method.toUpperCase(), key: keys.get(area) ?? '' }),
        ),
      );
      for (const [index, area] of areas.entries()) {
        const mayCall = [needed].flat().includes(area) || needed === 'read';
        const { code, needed: named } = answers[index]?.body ?? {};
        const isLetIn = code === 'unknown_field' || code === 'validation_failed';
        found.push(`${operationId}, ${area}: ${isLetIn ? 'let in' : `${code} ${named}`}`);
        expected.push(`${operationId}, ${area}: ${mayCall ? 'let in' : `area_missing ${needed}`}`);
      }
    }
  }
  expect(found).toEqual(expected);
  expect(found.length).toBeGreaterThan(500);
});

test('the category of an entity decides who creates, changes and moves it', async () => {
  const part = (await workspace.ask('POST', '/entities', { category: 'part', name: 'Screw' })).body;
  const order = (await workspace.ask('POST', '/entities', { category: 'purchaseOrder', name: 'Screws' }))
    .body;
  expect([part.id, order.id]).toEqual([expect.any(String), expect.any(String)]);
  const as = async (area: Area, method: string, path: string, body: object) => {
    const answer = await server.request(`/api/wid/${workspace.slug}${path}`, {
      method,
      key: keys.get(area) ?? '',
      body,
    });
    return answer.body.needed?.join() ?? answer.body.code ?? answer.status;
  };
  const calls = (area: Area, id: string, category: string) =>
    Promise.all([
      as(area, 'POST', '/entities', { category, name: 'New' }),
      as(area, 'PATCH', `/entities/${id}`, { name: 'Renamed' }),
      as(area, 'POST', `/entities/${id}/transitions`, { toState: 'No such state' }),
    ]);
  expect(await calls('engineering', part.id, 'part')).toEqual([201, 200, 'transition_not_allowed']);
  expect(await calls('procurement', part.id, 'part')).toEqual(['engineering', 'engineering', 'engineering']);
  expect(await calls('engineering', order.id, 'purchaseOrder')).toEqual([
    'procurement',
    'procurement',
    'procurement',
  ]);
  expect(await calls('procurement', order.id, 'purchaseOrder')).toEqual([201, 200, 'transition_not_allowed']);
});
