/** What has no place in a structure, or in itself, and roles that stock holds fast. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Shortage } from '../../web/client/operations.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from './procuring-workspace.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  workspace = await makeProcuringWorkspace(server);
});

test('orders and locations use nothing, and are used by nothing', async () => {
  const { line } = (await workspace.line({ quantity: 1 })).body;
  const [item, location] = [workspace.items[0], workspace.locations[0]];
  for (const [parent, child] of [
    [line.orderId, item],
    [item, line.id],
    [location, location],
    [location, item],
    [item, location],
    [workspace.project, line.orderId],
  ]) {
    const { status, body } = await workspace.ask('PUT', `/entities/${parent}/uses/${child}`, { quantity: 1 });
    expect([status, body.code]).toEqual([422, 'validation_failed']);
  }
});

test('what is an item and a location is not stored in itself', async () => {
  await workspace.must(201, 'POST', '/categories', { key: 'box', name: 'Box', role: 'itemAndLocation' });
  const { id } = await workspace.must(201, 'POST', '/entities', { category: 'box', name: 'A box' });
  const itself = { itemEntityId: id, locationEntityId: id, quantity: 1 };
  for (const path of ['/stock/adjustments', '/stock/lines']) {
    const body = path === '/stock/lines' ? { type: 'purchaseOrder', ...itself } : itself;
    const answer = await workspace.ask('POST', path, body);
    expect([answer.status, answer.body.code]).toEqual([422, 'not_a_location']);
  }
});

test('a category keeps the role by which its entities have stock', async () => {
  const category = async (key: string) => workspace.must(200, 'GET', `/categories/${key}`);
  await workspace.adjust(workspace.items[0] as string, workspace.locations[0] as string, 5);
  for (const key of ['part', 'location']) {
    const before = await category(key);
    const { status, body } = await workspace.ask('PUT', `/categories/${key}`, { ...before, role: 'none' });
    expect([status, body.code]).toEqual([409, 'in_use']);
    // Both roles keep the one.
    await workspace.must(200, 'PUT', `/categories/${key}`, { ...before, role: 'itemAndLocation' });
  }
  const material = await category('material');
  await workspace.must(200, 'PUT', '/categories/material', { ...material, role: 'none' });
});

test('a project is short of what only its requirements ask for', async () => {
  const [inside, outside] = workspace.items as [string, string];
  await workspace.link(workspace.project, inside, 2);
  const raise = (itemEntityId: string, requiredQty: number) =>
    workspace.must(201, 'POST', '/requirements', { projectId: workspace.project, itemEntityId, requiredQty });
  await raise(inside, 5);
  await raise(outside, 186);
  const { items } = await workspace.must(200, 'GET', `/projects/${workspace.project}/shortages`);
  expect(items.map((one: Shortage) => [one.itemEntityId, one.shortageQty, one.openRequirementQty])).toEqual([
    [inside, 5, 5],
    [outside, 186, 186],
  ]);
  const raised = await workspace.must(
    201,
    'POST',
    `/projects/${workspace.project}/shortages/requirements`,
    {},
  );
  expect(raised.requirements).toEqual([]);
});
