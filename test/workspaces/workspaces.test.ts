import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATOR } from '../../src/actor.ts';
import { Category } from '../../src/configuration/categories/category.schema.ts';
import { Lifecycle } from '../../src/configuration/lifecycles/lifecycle.schema.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { defaultTemplate } from '../../src/workspaces/default-template.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeDefaultWorkspace } from './default-workspace.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const asOperator = (body?: unknown, headers: Record<string, string> = {}) =>
  server.request('/api/workspaces', { key: server.ctx.operatorToken, body, headers });

test('the operator makes a workspace and its key opens it', async () => {
  const made = await asOperator({ slug: 'acme', name: 'Acme', template: 'default' });
  expect(made.status, made.text).toBe(201);
  expect(made.body).toEqual({
    workspace: { id: expect.any(String), slug: 'acme', name: 'Acme' },
    apiKey: {
      id: expect.any(String),
      key: expect.stringMatching(/^pbk_[0-9A-Za-z]{46}$/),
      permission: 'admin',
    },
  });
  const categories = await server.request('/api/wid/acme/categories', { key: made.body.apiKey.key });
  expect(categories.status).toBe(200);
  expect(categories.body.items.map((category: Category) => category.key)).toEqual([
    'assembly',
    'location',
    'manufacturingOrder',
    'manufacturingOrderLine',
    'material',
    'materialRequirement',
    'part',
    'project',
    'purchaseOrder',
    'purchaseOrderLine',
    'salesOrder',
    'salesOrderLine',
  ]);
});

test('a slug is taken once, however many ask at the same time', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) => asOperator({ slug: 'coveted', name: `Number ${i}` })),
  );
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, ...Array(7).fill(409)]);
  expect(answers.find((answer) => answer.status === 409)?.body.code).toBe('slug_taken');
  const counted = await server.ctx.db.query<{ n: number }>(
    "select count(*)::int as n from workspace where slug = 'coveted'",
  );
  expect(counted).toEqual([{ n: 1 }]);
});

test('the same Idempotency-Key gives the same workspace and key again', async () => {
  const headers = { 'Idempotency-Key': 'make-it-once' };
  const first = await asOperator({ slug: 'once', name: 'Once' }, headers);
  const again = await asOperator({ slug: 'once', name: 'Once' }, headers);
  expect(again.status).toBe(201);
  expect(again.body).toEqual(first.body);
});

test.each(['A', 'a', '-ab', 'a_b', 'ä', 'a'.repeat(64), 'Acme', ''])('slug %j is refused', async (slug) => {
  const answer = await asOperator({ slug, name: 'Name' });
  expect(answer.status).toBe(422);
  expect(answer.body.errors[0].pointer).toBe('/slug');
});

test('63 characters are a slug', async () => {
  expect((await asOperator({ slug: 'a'.repeat(63), name: 'Long' })).status).toBe(201);
});

test('an unknown field and an unknown template are refused', async () => {
  expect((await asOperator({ slug: 'typo', name: 'Typo', tempalte: 'default' })).body.code).toBe(
    'unknown_field',
  );
  expect((await asOperator({ slug: 'typo', name: 'Typo', template: 'rich' })).status).toBe(422);
});

test('a workspace key does not open the workspace list, nor does no key', async () => {
  const workspace = await makeDefaultWorkspace(server);
  expect((await server.request('/api/workspaces', { key: workspace.key })).status).toBe(401);
  expect((await server.request('/api/workspaces')).status).toBe(401);
  expect(
    (await server.request('/api/workspaces', { key: workspace.key, body: { slug: 'mine', name: 'Mine' } }))
      .status,
  ).toBe(401);
});

test('the list is paged, and rows added meanwhile do not disturb it', async () => {
  for (let i = 0; i < 3; i++) await makeDefaultWorkspace(server);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`;
    const page = await server.request(`/api/workspaces?limit=2${query}`, { key: server.ctx.operatorToken });
    expect(page.status, page.text).toBe(200);
    expect(page.body.items.length).toBeLessThanOrEqual(2);
    seen.push(...page.body.items.map((workspace: { slug: string }) => workspace.slug));
    cursor = page.body.nextCursor;
    if (seen.length === 2) await makeDefaultWorkspace(server, 'added-meanwhile');
  } while (cursor !== null);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toContain('acme');
  expect(seen.at(-1)).toBe('added-meanwhile');
});

test('the trail of a workspace begins with its making', async () => {
  const workspace = await makeDefaultWorkspace(server);
  const { items } = (await workspace.ask('GET', '/audit')).body;
  expect(items.at(-1)).toMatchObject({
    action: 'create',
    subjectType: 'workspace',
    subjectKey: workspace.slug,
    actor: { type: 'operator', name: 'Operator' },
    before: null,
  });
  expect(JSON.stringify(items)).not.toContain(workspace.key);
});

test('nothing is left of a workspace whose making fails half-way', async () => {
  await expect(
    inTransaction(server.ctx.db, 'instance', async (tx) => {
      await createWorkspace(tx, OPERATOR, { slug: 'half', name: 'Half', template: 'default' });
      throw new Error('and then the power went');
    }),
  ).rejects.toThrow('the power went');
  expect((await asOperator({ slug: 'half', name: 'Half' })).status).toBe(201);
});

test('the default template holds to the rules that it would be held to over HTTP', () => {
  const lifecycles = new Set(defaultTemplate.lifecycles.map((lifecycle) => lifecycle.key));
  for (const lifecycle of defaultTemplate.lifecycles) expect(Lifecycle.parse(lifecycle)).toEqual(lifecycle);
  for (const category of defaultTemplate.categories) {
    expect(Category.parse(category)).toEqual(category);
    expect(lifecycles).toContain(category.lifecycle);
  }
  const part = defaultTemplate.lifecycles.find((lifecycle) => lifecycle.key === 'part');
  expect(part?.states.filter((state) => state.released).map((state) => state.name)).toEqual([
    'Released',
    'Ready for Procurement',
    'Obsolete',
  ]);
  const hidden = defaultTemplate.categories.filter((category) => category.hiddenFromNew);
  expect(hidden.map((category) => category.key).toSorted()).toEqual([
    'manufacturingOrderLine',
    'materialRequirement',
    'purchaseOrderLine',
    'salesOrderLine',
  ]);
});
