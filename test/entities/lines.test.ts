/** A child in several lines of one assembly, edited by hand. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Use } from '../../web/client/operations.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { partsOf } from './parts.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
const { ask, create, release } = partsOf(() => workspace);
beforeAll(async () => {
  server = await startTestServer({ worker: true });
  workspace = await makeDefaultWorkspace(server);
});
afterAll(() => server.close());

const pair = async () => {
  const [parent, child] = [await create(), await create()];
  return {
    parent: parent.id as string,
    child: child.id as string,
    path: `/entities/${parent.id}/uses/${child.id}`,
  };
};
const must = async (status: number, ...call: Parameters<typeof ask>) => {
  const answer = await ask(...call);
  expect(answer.status, answer.text).toBe(status);
  return answer.body;
};
/** `find number: quantity` of each line. */
const linesOf = ({ lines, findNumber, quantity }: Use) =>
  (lines ?? [{ findNumber, quantity }]).map((line) => `${line.findNumber ?? ''}: ${line.quantity}`);

test('a line is added, changed and removed, and the others stay', async () => {
  const { parent, path } = await pair();
  await must(201, 'PUT', path, { quantity: 1, findNumber: '20', unit: 'm', note: 'short' });
  const added = await must(200, 'PUT', `${path}?line=10`, {
    quantity: 2,
    unit: 'm',
    referenceDesignators: ['W2'],
  });
  expect(linesOf(added)).toEqual(['10: 2', '20: 1']);
  expect(added).toMatchObject({ quantity: 3, findNumber: '10', unit: 'm', referenceDesignators: ['W2'] });
  const changed = await must(200, 'PUT', `${path}?line=20`, { quantity: 1.5, unit: 'cm' });
  expect(changed.lines).toMatchObject([{ unit: 'm' }, { quantity: 1.5, unit: 'cm', note: 'short' }]);
  expect(changed).toMatchObject({ quantity: 3.5, unit: null });
  expect(await must(200, 'GET', `${path}?line=20`)).toMatchObject({ quantity: 1.5, note: 'short' });
  expect(linesOf(await must(200, 'PUT', `${path}?line=20`, { quantity: 1.5, findNumber: '5' }))).toEqual([
    '5: 1.5',
    '10: 2',
  ]);
  const { items } = await must(200, 'GET', `/entities/${parent}/uses`);
  expect(items.map(linesOf)).toEqual([['5: 1.5', '10: 2']]);
  await must(204, 'DELETE', `${path}?line=10`);
  const left = await must(200, 'GET', path);
  expect(left).toMatchObject({ quantity: 1.5, findNumber: '5', unit: 'cm', note: 'short' });
  expect(left.lines).toBeUndefined();
  await must(204, 'DELETE', `${path}?line=5`);
  expect((await must(404, 'GET', path)).code).toBe('use_not_found');
});

test('what GET returned can be sent back, and all lines are set at once', async () => {
  const { path } = await pair();
  const lines = [
    { quantity: 1, findNumber: '10', unit: 'm' },
    { quantity: 2, findNumber: '20', unit: 'm' },
  ];
  await must(201, 'PUT', path, { quantity: 3, lines });
  const answer = await ask('GET', path);
  const again = await ask('PUT', path, answer.body, { 'If-Match': answer.headers.get('etag') as string });
  expect([again.status, again.headers.get('etag')]).toEqual([200, answer.headers.get('etag')]);
  const [first] = lines;
  expect(linesOf(await must(200, 'PUT', path, { quantity: 1, lines: [first] }))).toEqual(['10: 1']);
});

test('lines that cannot be are refused', async () => {
  const { path } = await pair();
  const line = { quantity: 1, findNumber: '10' };
  const refusals: [string, object][] = [
    ['', { quantity: 3, lines: [line, { quantity: 1, findNumber: '20' }] }],
    ['', { quantity: 2, lines: [line, { quantity: 1, findNumber: ' 10 ' }] }],
    ['', { quantity: 1, lines: [] }],
    [
      '',
      { quantity: 101, lines: Array.from({ length: 101 }, (_, i) => ({ quantity: 1, findNumber: `${i}` })) },
    ],
    ['?line=10', { quantity: 1, lines: [line] }],
  ];
  for (const [query, body] of refusals) await must(422, 'PUT', path + query, body);
  await must(201, 'PUT', path, line);
  await must(200, 'PUT', `${path}?line=20`, { quantity: 1 });
  await must(422, 'PUT', `${path}?line=20`, { quantity: 1, findNumber: '10' });
  await must(422, 'PUT', `${path}?line=30`, { quantity: 999_999_999 });
  for (const method of ['GET', 'DELETE']) {
    const body = await must(404, method, `${path}?line=30`);
    expect(body.code).toBe('use_not_found');
    expect(body.detail).toContain('"30"');
  }
});

test('a call that knows no lines keeps them where the sum stays, and else leaves one', async () => {
  const { path } = await pair();
  const lines = [
    { quantity: 1, findNumber: '10', referenceDesignators: ['W1'], note: 'a' },
    { quantity: 2, findNumber: '20', referenceDesignators: ['W2'], note: 'b' },
  ];
  await must(201, 'PUT', path, { quantity: 3, lines });
  expect(linesOf(await must(200, 'PUT', path, { quantity: 3 }))).toEqual(['10: 1', '20: 2']);
  expect((await must(200, 'PUT', path, { quantity: 3, note: 'c' })).lines).toMatchObject([
    { note: 'c' },
    { note: 'b' },
  ]);
  const one = await must(200, 'PUT', path, { quantity: 5 });
  expect(one).toMatchObject({ quantity: 5, findNumber: '10', note: 'c', referenceDesignators: ['W1', 'W2'] });
  expect(one.lines).toBeUndefined();
});

test('a released assembly keeps its lines, and the comparison names the lines that differ', async () => {
  const { parent, child, path } = await pair();
  await must(201, 'PUT', path, {
    quantity: 3,
    lines: [
      { quantity: 1, findNumber: '10' },
      { quantity: 2, findNumber: '20', unit: 'm' },
    ],
  });
  await release(parent);
  await must(200, 'PUT', `${path}?line=20`, { quantity: 4 });
  await must(200, 'PUT', `${path}?line=30`, { quantity: 1 });
  const { items } = await must(200, 'GET', `/entities/${parent}/revisions/1/uses`);
  expect(items.map(linesOf)).toEqual([['10: 1', '20: 2']]);
  const { structure } = await must(200, 'GET', `/entities/${parent}/revisions/compare?from=1&to=2`);
  expect(structure).toMatchObject({
    added: [],
    removed: [],
    quantity: [{ entityId: child, from: 3, to: 6 }],
    lines: [
      {
        entityId: child,
        changes: [
          { line: '20', field: 'quantity', from: '2', to: '4' },
          { line: '30', field: 'quantity', from: null, to: '1' },
          { line: '30', field: 'findNumber', from: null, to: '30' },
        ],
      },
    ],
  });
});

test('a designator is found in its line', async () => {
  const { parent, path } = await pair();
  await must(201, 'PUT', path, { quantity: 1, findNumber: '10', referenceDesignators: ['W901'] });
  await must(200, 'PUT', `${path}?line=20`, { quantity: 2, referenceDesignators: ['w902'] });
  const where = async (designator: string) =>
    (await must(200, 'GET', `/uses?referenceDesignator=${designator}&parent=${parent}`)).items;
  expect(await where('W902')).toMatchObject([{ quantity: 2, findNumber: '20' }]);
  expect(await where('W901')).toMatchObject([{ quantity: 1, findNumber: '10' }]);
  await must(204, 'DELETE', `${path}?line=20`);
  expect(await where('W902')).toEqual([]);
  expect(await where('W901')).toHaveLength(1);
});

test('all lines of a child have as many designators together as a link of one line', async () => {
  const { path } = await pair();
  const line = (find: number) => ({
    quantity: 1,
    findNumber: String(find),
    referenceDesignators: Array.from({ length: 1001 }, (_, place) => `R${find}-${place}`),
  });
  const refused = await must(422, 'PUT', path, { quantity: 2, lines: [line(1), line(2)] });
  expect(refused.detail).toContain('at most 2000 reference designators together');
  await must(201, 'PUT', path, line(1));
  await must(422, 'PUT', `${path}?line=2`, line(2));
  expect(linesOf(await must(200, 'GET', path))).toEqual(['1: 1']);
});

test('lines that become one keep no more designators than a link may have', async () => {
  const stored = {
    lines: [1, 2].map((find) => ({
      quantity: 1,
      findNumber: String(find),
      referenceDesignators: Array.from({ length: 1500 }, (_, place) => `R${find}-${place}`),
    })),
  };
  const [row] = await workspace.transact((tx) =>
    tx.query<{ count: number; chars: number }>(
      `select jsonb_array_length(d) as count, (select sum(length(x) + 1) from jsonb_array_elements_text(d) x)::int as chars
       from (select merge_link_line(2, $1::jsonb, 3, null) -> 'referenceDesignators' as d) m`,
      [JSON.stringify(stored)],
    ),
  );
  expect(row?.count).toBeGreaterThan(1500);
  expect(row?.count).toBeLessThanOrEqual(2000);
  expect(row?.chars).toBeLessThanOrEqual(16_384);
});
