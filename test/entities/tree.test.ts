import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Tree } from '../../src/entities/structure/structure.schema.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { isDeep } from '../setup/tier.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
const ITEMS_MAX = 60_000;
beforeAll(async () => {
  server = await startTestServer({
    environment: { TREE_ITEMS_MAX: String(ITEMS_MAX), TREE_DEPTH_MAX: '30' },
  });
  workspace = await makeDefaultWorkspace(server);
});
afterAll(() => server.close());

const link = (links: readonly (readonly [parent: string, child: string, quantity: number])[]) =>
  workspace.transact((tx) =>
    tx.query(
      `insert into entity_link (workspace_id, parent_id, child_id, quantity)
       select $1, p, c, q from unnest($2::uuid[], $3::uuid[], $4::numeric[]) as i (p, c, q)`,
      [workspace.id, links.map(([p]) => p), links.map(([, c]) => c), links.map(([, , q]) => String(q))],
    ),
  );
const tree = async (id: string, query = '') => {
  const answer = await workspace.ask('GET', `/entities/${id}/tree${query}`);
  if (answer.status === 200) expect(Tree.safeParse(answer.body).error).toBeUndefined();
  return answer;
};

test('pre-order with level, path, quantity and extended quantity; what occurs twice is there twice', async () => {
  const [root, left, right, screw] = (await workspace.addEntities(4)) as [string, string, string, string];
  await link([
    [root, left, 2],
    [root, right, 0.5],
    [left, screw, 4],
    [right, screw, 0.5],
    [right, left, 3],
  ]);
  const { body } = await tree(root);
  const rows = body.items.map((item: Record<string, unknown>) => [
    item.level,
    item.path,
    item.entityId,
    item.parentId,
    item.quantity,
    item.extendedQuantity,
    item.hasChildren,
  ]);
  expect(rows).toEqual([
    [0, '0', root, null, 1, 1, true],
    [1, '1', left, root, 2, 2, true],
    [2, '1.1', screw, left, 4, 8, false],
    [1, '2', right, root, 0.5, 0.5, true],
    [2, '2.1', left, right, 3, 1.5, true],
    [3, '2.1.1', screw, left, 4, 6, false],
    [2, '2.2', screw, right, 0.5, 0.25, false],
  ]);
  expect(body.items[0]).toMatchObject({
    number: 'N-1',
    name: 'An entity',
    category: 'part',
    state: 'In Work',
    revision: 'A',
  });
  const shallow = await tree(root, '?depth=1');
  expect(
    shallow.body.items.map((item: { path: string; hasChildren: boolean }) => [item.path, item.hasChildren]),
  ).toEqual([
    ['0', true],
    ['1', true],
    ['2', true],
  ]);
  expect((await tree(root, '?depth=0')).body.items).toHaveLength(1);
  expect((await tree(screw)).body.items).toEqual([expect.objectContaining({ level: 0, hasChildren: false })]);
});

test('extended quantities are exact decimals, however deep and however small', async () => {
  const ids = await workspace.addEntities(21);
  await link(ids.slice(1).map((id, i) => [ids[i] as string, id, i % 2 === 0 ? 0.5 : 0.1]));
  const { text, body } = await tree(ids[0] as string);
  expect(body.items).toHaveLength(21);
  // 0.5 to the tenth times 0.1 to the tenth, every digit of it.
  expect(text).toContain('"extendedQuantity":0.00000000000009765625}');
  const [big, middle, small] = (await workspace.addEntities(3)) as [string, string, string];
  await link([
    [big, middle, 999_999_999.999999],
    [middle, small, 999_999_999.999999],
  ]);
  expect((await tree(big)).text).toContain('"extendedQuantity":999999999999998000.000000000001}');
});

test('0.1 three times over is 0.001, not 0.0010000000000000002', async () => {
  const [a, b, c, d] = (await workspace.addEntities(4)) as [string, string, string, string];
  await link([
    [a, b, 0.1],
    [b, c, 0.1],
    [c, d, 0.1],
  ]);
  expect((await tree(a)).text).toContain('"extendedQuantity":0.001}');
});

test.runIf(isDeep)('a tree of 50 000 streams, and memory does not hold it', async () => {
  const [root] = await workspace.addEntities(1);
  const groups = await workspace.addEntities(500);
  const parts = await workspace.addEntities(49_499);
  await link(groups.map((id) => [root as string, id, 2]));
  await link(parts.map((id, i) => [groups[i % groups.length] as string, id, 0.5]));
  const response = await fetch(`${server.baseUrl}/api/wid/${workspace.slug}/entities/${root}/tree`, {
    headers: { Authorization: `Bearer ${workspace.key}`, 'Accept-Encoding': 'identity' },
  });
  expect(response.headers.get('content-length')).toBeNull();
  let chunks = 0;
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    chunks++;
    text += decoder.decode(chunk, { stream: true });
  }
  const { items } = JSON.parse(text);
  expect(items).toHaveLength(50_000);
  expect(chunks).toBeGreaterThan(20);
  expect(new Set(items.map((item: { path: string }) => item.path)).size).toBe(50_000);
  expect(
    items.filter(
      (item: { level: number; extendedQuantity: number }) => item.level === 2 && item.extendedQuantity !== 1,
    ),
  ).toEqual([]);
});

test.runIf(isDeep)(
  'a tree over the limit of items says so before anything is sent: at n it is shown, at n + 1 refused',
  async () => {
    const [root, half] = (await workspace.addEntities(2)) as [string, string];
    const parts = await workspace.addEntities(ITEMS_MAX - 1);
    await link(parts.slice(0, -1).map((id) => [half, id, 1]));
    await link([[root, half, 1]]);
    expect((await tree(root)).body.items).toHaveLength(ITEMS_MAX);
    await link([[root, parts.at(-1) as string, 1]]);
    const over = await tree(root);
    expect([over.status, over.body.code, over.body.limit]).toEqual([422, 'tree_too_large', ITEMS_MAX]);
    expect(over.body.detail).toContain('?depth=');
    expect((await tree(root, '?depth=1')).body.items).toHaveLength(3);
  },
);

// It has 2^28 occurrences: whoever counted them before refusing would never answer.
test('a small structure that explodes without end in sight is refused', async () => {
  const ids = await workspace.addEntities(58);
  const links: [string, string, number][] = [];
  for (let at = 0; at + 3 < ids.length; at += 2) {
    for (const parent of [ids[at], ids[at + 1]]) {
      for (const child of [ids[at + 2], ids[at + 3]]) links.push([parent as string, child as string, 2]);
    }
  }
  await link(links);
  const answer = await tree(ids[0] as string);
  expect([answer.status, answer.body.code]).toEqual([422, 'tree_too_large']);
  expect((await tree(ids[0] as string, '?depth=3')).body.items).toHaveLength(1 + 2 + 4 + 8);
});

test('depth: 30 levels are shown, the 31st is refused unless fewer are asked for', async () => {
  const ids = await workspace.addEntities(32);
  await link(ids.slice(1).map((id, i) => [ids[i] as string, id, 1]));
  expect((await tree(ids[1] as string)).body.items).toHaveLength(31);
  const over = await tree(ids[0] as string);
  expect([over.status, over.body.code, over.body.depthLimit]).toEqual([422, 'tree_too_large', 30]);
  expect((await tree(ids[0] as string, '?depth=31')).status).toBe(422);
  expect((await tree(ids[0] as string, '?depth=30')).body.items.at(-1)).toMatchObject({
    level: 30,
    hasChildren: true,
  });
});

test.runIf(isDeep)('a client that goes away leaves nothing behind', async () => {
  const [root] = await workspace.addEntities(1);
  const parts = await workspace.addEntities(50_000);
  await link(parts.map((id) => [root as string, id, 1]));
  const abort = new AbortController();
  const response = await fetch(`${server.baseUrl}/api/wid/${workspace.slug}/entities/${root}/tree`, {
    headers: { Authorization: `Bearer ${workspace.key}` },
    signal: abort.signal,
  });
  const reader = response.body?.getReader();
  await reader?.read();
  abort.abort();
  // As the owner: others are not shown what a connection does.
  const admin = new Client({ connectionString: server.ctx.databaseUrl });
  await admin.connect();
  try {
    const open = async () => {
      const { rows } = await admin.query<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity
         where datname = current_database() and (state like 'idle in%' or state = 'active') and pid <> pg_backend_pid()`,
      );
      return rows[0]?.n;
    };
    await expect.poll(open).toBe(0);
  } finally {
    await admin.end();
  }
  expect((await tree(root as string, '?depth=0')).status).toBe(200);
});

test('HEAD, absent roots, wrong depths', async () => {
  const [root] = await workspace.addEntities(1);
  expect((await workspace.ask('HEAD', `/entities/${root}/tree`)).status).toBe(200);
  expect((await tree('0199d0f0-0000-7000-8000-000000000001')).status).toBe(404);
  for (const query of ['?depth=-1', '?depth=x', '?depth=1.5', '?deep=1'])
    expect((await tree(root as string, query)).status).toBe(422);
});

test('lines that are read in several portions are all shown', async () => {
  const [root, ...children] = (await workspace.addEntities(7)) as [string, ...string[]];
  await link(children.map((child) => [root, child, 1] as const));
  await workspace.transact((tx) =>
    tx.query(
      `update entity_link set line = jsonb_build_object('note', child_id || repeat('x', 1500000))
       where workspace_id = $1 and parent_id = $2`,
      [workspace.id, root],
    ),
  );
  const { body } = await tree(root);
  const notes = body.items.slice(1).map(({ note }: { note: string }) => note.replace(/x+$/, ''));
  expect(notes).toEqual(body.items.slice(1).map(({ entityId }: { entityId: string }) => entityId));
  expect(notes).toHaveLength(6);
});
