// What is wrong with a batch, grouped: as quick for a million elements as for ten, and bounded whatever is sent.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { digestResults, mergeDigests } from '../../src/sync/elements/digest-results.ts';
import type { SyncResult } from '../../src/sync/elements/sync-result.ts';
import type { SyncBatch, SyncProblems } from '../../web/client/operations.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { element, type SyncCalls, syncCalls } from './sync-calls.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
let calls: SyncCalls;
beforeAll(async () => {
  server = await startTestServer({ worker: true, environment: { SYNC_CHUNK_ELEMENTS: '20' } });
});
afterAll(() => server.close());
beforeEach(async () => {
  workspace = await makeDefaultWorkspace(server);
  calls = syncCalls(server, workspace);
});

const problemsOf = async (batch: SyncBatch) => {
  const answer = await calls.get(`/pdm/sync/batches/${batch.batchId}/problems`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

it('errors come first, by code and message, over all chunks, with the first elements of each', async () => {
  await workspace.ask('POST', '/property-definitions', { key: 'Mass', name: 'Mass', type: 'numeric' });
  const entities = Array.from({ length: 200 }, (_, n) =>
    element({
      categoryKey: n % 10 === 3 ? 'Prt' : n % 50 === 4 ? 'Asm' : 'part',
      properties: n % 4 === 2 ? { Mass: 'heavy' } : {},
    }),
  );
  const batch = await calls.sync(entities);
  const { items, changed } = await problemsOf(batch);
  expect(
    items.map((item: SyncProblems['items'][number]) => [item.kind, item.code, item.property, item.count]),
  ).toEqual([
    ['error', 'category_not_found', null, 20],
    ['error', 'category_not_found', null, 4],
    ['warning', 'invalid_numeric', 'Mass', 48],
  ]);
  expect(items[0].message).toContain('"Prt"');
  expect(items[0].examples).toEqual([3, 13, 23].map((index) => ({ index, guid: entities[index]?.guid })));
  expect(changed).toEqual({ fields: 0, structure: 0, links: 0 });
});

it('a batch without problems has none, and one that does not exist is not found', async () => {
  const broken = element({ categoryKey: 'gadget' });
  expect((await problemsOf(await calls.sync([broken, element()]))).items).toHaveLength(1);
  expect((await problemsOf(await calls.sync([element()]))).items).toEqual([]);
  expect((await calls.get(`/pdm/sync/batches/${randomUUID()}/problems`)).status).toBe(404);
});

it('messages that differ in each element are one problem, whose examples have theirs', async () => {
  const batch = await calls.sync(Array.from({ length: 60 }, () => element({ parentGuid: randomUUID() })));
  const { items } = await problemsOf(batch);
  expect(items).toEqual([
    expect.objectContaining({ kind: 'warning', code: 'parent_pending', message: null, count: 60 }),
  ]);
  expect(items[0].examples.map((one: { index: number }) => one.index)).toEqual([0, 1, 2]);
  expect(items[0].examples[0].message).toMatch(/^No entity has the parent/);
});

it('a dry run tells how many elements and links would change', async () => {
  const [parent, child, other] = [element(), element(), element()];
  await calls.sync([parent, { ...child, parentGuid: parent.guid }, other]);
  const plan = await calls.sync(
    [
      { ...parent, name: 'Renamed' },
      { ...child, parentGuid: parent.guid, quantity: 7 },
      { ...other, parentGuid: parent.guid },
    ],
    '?dryRun=true',
  );
  expect((await problemsOf(plan)).changed).toEqual({ fields: 1, structure: 2, links: 2 });
});

it('a digest stays small whatever the results say, and loses no count', () => {
  const results = (from: number): SyncResult[] =>
    Array.from({ length: 5000 }, (_, n) => ({
      index: from + n,
      guid: randomUUID(),
      result: 'updated' as const,
      warnings: [
        {
          code: 'invalid_numeric' as const,
          property: `P${n % 150}`,
          message: `"${'x'.repeat(1000)}${n}" \ud800`,
        },
        { code: 'invalid_date' as const, property: 'D', message: n % 2 === 0 ? 'even' : 'odd' },
      ],
    }));
  const digests = [0, 5000, 10_000].map((from) => digestResults(results(from)));
  const total = mergeDigests(digests.flatMap((one) => one ?? []));
  const counts = Map.groupBy(total.problems, (problem) => problem.code);
  for (const code of ['invalid_numeric', 'invalid_date']) {
    expect(counts.get(code)?.reduce((sum, problem) => sum + problem.count, 0)).toBe(15_000);
  }
  for (const one of [...digests, total]) expect(JSON.stringify(one).length).toBeLessThan(150_000);
  expect(total.problems.length).toBeLessThanOrEqual(102);
});

it('a sync gives new entities the defaults of their category, and warns of values that a state needs', async () => {
  const define = async (key: string, more: object) => {
    const made = await workspace.ask('POST', '/property-definitions', {
      key,
      name: key,
      type: 'text',
      ...more,
    });
    expect(made.status, made.text).toBe(201);
  };
  await define('Finish', { default: 'plain' });
  await define('Grade', { type: 'choice', choices: ['A', 'B'], default: 'A' });
  await define('Origin', { default: 'EU' });
  await define('Datasheet', { type: 'url', requiredFrom: 'Released' });
  await define('Elsewhere', { requiredFrom: 'Nowhere' });
  const part = (n: number, properties: object) => ({
    guid: `bbbbbbbb-0000-4000-8000-00000000000${n}`,
    number: `D-${n}`,
    name: 'Part',
    categoryKey: 'part',
    properties,
  });
  // A value that is removed or cannot be taken is not replaced by the default.
  const parts = [
    part(1, { Origin: null, Grade: 'C' }),
    part(2, { Datasheet: 'https://x.example/2', Finish: 'zinc' }),
  ];
  const codesOf = ({ warnings = [] }: { warnings?: { code: string }[] }) => warnings.map(({ code }) => code);
  const dry = await calls.sync(parts, '?dryRun=true');
  const planned = expect.arrayContaining([{ field: 'properties.Grade', from: null, to: 'A' }]);
  expect(dry.results[1]).toMatchObject({ changes: planned });
  const { results } = await calls.commit(dry.batchId);
  for (const list of [dry.results, results])
    expect([codesOf(list[0]), codesOf(list[1])]).toEqual([['value_not_in_choices', 'value_required'], []]);
  expect((await calls.entity(part(1, {}).guid)).properties).toEqual({ Finish: 'plain' });
  expect((await calls.entity(part(2, {}).guid)).properties).toEqual({
    Datasheet: 'https://x.example/2',
    Finish: 'zinc',
    Grade: 'A',
    Origin: 'EU',
  });
  const again = await calls.sync([part(2, { Datasheet: 'https://x.example/2', Finish: 'zinc' })]);
  expect(again.results[0].result).toBe('skipped');
  const changed = await calls.sync([part(2, { Datasheet: null })]);
  expect([changed.results[0].result, codesOf(changed.results[0])]).toEqual(['updated', ['value_required']]);
  expect((await workspace.ask('DELETE', '/property-definitions/Origin')).body.code).toBe('in_use');
});
