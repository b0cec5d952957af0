/** A child in several lines of one assembly, as payloads say it (contract §2.9). */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { Use } from '../../web/client/operations.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { runs } from '../setup/tier.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { element, type SyncCalls, syncCalls } from './sync-calls.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
let calls: SyncCalls;
beforeAll(async () => {
  server = await startTestServer({ worker: true });
  workspace = await makeDefaultWorkspace(server);
  calls = syncCalls(server, workspace);
});
afterAll(() => server.close());

const usesOf = async (guid: string): Promise<Use[]> =>
  (await calls.get(`/entities/guid:${guid}/uses`)).body.items;
/** `find number: quantity unit` of each line of the only child. */
const linesOf = async (guid: string) => {
  const [use] = await usesOf(guid);
  return (use?.lines ?? [use as Use]).map(({ findNumber, quantity, unit }) =>
    [`${findNumber ?? ''}: ${quantity}`, unit].join(' ').trim(),
  );
};
const assembly = () => {
  const top = element({ categoryKey: 'assembly' });
  return { top, child: element({ parentGuid: top.guid }) };
};

test('a cable of 1 m and of 2 m is two lines, and a resend is skipped', async () => {
  const { top, child } = assembly();
  const payload = [
    top,
    { ...child, quantity: 2, findNumber: '20', unit: 'm', note: 'long', referenceDesignators: ['W2'] },
    { ...child, quantity: 1, findNumber: '10', unit: 'm', note: 'short', referenceDesignators: ['W1'] },
  ];
  const sent = await calls.sync(payload);
  const codes = sent.results.flatMap(({ warnings }) => (warnings ?? []).map(({ code }) => code));
  expect(codes).toEqual(['unit_unknown']);
  expect(await usesOf(top.guid)).toMatchObject([
    {
      quantity: 3,
      unit: 'm',
      referenceDesignators: ['W1', 'W2'],
      lines: [
        { quantity: 1, findNumber: '10', note: 'short', referenceDesignators: ['W1'] },
        { quantity: 2, findNumber: '20', note: 'long', referenceDesignators: ['W2'] },
      ],
    },
  ]);
  const tree = await calls.get(`/entities/guid:${top.guid}/tree`);
  expect(tree.body.items[1]).toMatchObject({ quantity: 3, extendedQuantity: 3, lines: [{}, {}] });
  const again = await calls.sync(payload);
  expect(again.results.map(({ result }) => result)).toEqual(['skipped', 'skipped', 'skipped']);
});

test('what earlier releases joined becomes the lines that the payload says', async () => {
  const { top, child } = assembly();
  await calls.sync([top, { ...child, quantity: 3, findNumber: '10', note: 'kept' }]);
  const { results } = await calls.sync([
    top,
    { ...child, quantity: 1, findNumber: '10' },
    { ...child, quantity: 2, findNumber: '20' },
  ]);
  expect(results.map(({ result }) => result)).toEqual(['skipped', 'updated', 'skipped']);
  expect(await usesOf(top.guid)).toMatchObject([{ quantity: 3, lines: [{ note: 'kept' }, { note: null }] }]);
});

test('another find number of the only line is a change, and no second line', async () => {
  const { top, child } = assembly();
  await calls.sync([top, { ...child, findNumber: '10', note: 'stays' }]);
  await calls.sync([top, { ...child, findNumber: '15' }]);
  const [use] = await usesOf(top.guid);
  expect(use).toMatchObject({ findNumber: '15', note: 'stays', quantity: 1 });
  expect(use?.lines).toBeUndefined();
});

describe('a payload without find numbers', () => {
  const start = async () => {
    const { top, child } = assembly();
    await calls.sync([
      top,
      { ...child, quantity: 1, findNumber: '10', unit: 'm' },
      { ...child, quantity: 2, findNumber: '20', unit: 'm' },
    ]);
    return { top, child };
  };
  it('keeps the lines where their sum is its quantity', async () => {
    const { top, child } = await start();
    const { results } = await calls.sync([top, child, { ...child, quantity: 2 }]);
    expect(results.map(({ result }) => result)).toEqual(['skipped', 'skipped', 'skipped']);
    expect(await linesOf(top.guid)).toEqual(['10: 1 m', '20: 2 m']);
  });
  it('leaves one line of its quantity otherwise', async () => {
    const { top, child } = await start();
    await calls.sync([top, { ...child, quantity: 5 }]);
    expect(await linesOf(top.guid)).toEqual(['10: 5 m']);
  });
});

test('a payload says all lines of a child, in an exact batch too', async () => {
  for (const query of ['', '?structure=exact']) {
    const { top, child } = assembly();
    const line = (findNumber: string, quantity: number) => ({ ...child, findNumber, quantity });
    await calls.sync([top, line('10', 1), line('20', 2)], query);
    await calls.sync([top, line('30', 3), line('20', 2)], query);
    expect(await linesOf(top.guid)).toEqual(['20: 2', '30: 3']);
    await calls.sync([top, line('20', 2)], query);
    expect(await linesOf(top.guid)).toEqual(['20: 2']);
  }
});

test('lines wait for their parent with all that they say, and their designators are found', async () => {
  const { top, child } = assembly();
  await calls.sync([
    { ...child, findNumber: '10', referenceDesignators: ['W71'] },
    { ...child, findNumber: '20', quantity: 2, referenceDesignators: ['W72'] },
  ]);
  const pending = await calls.get(`/pending-links?parentGuid=${top.guid}`);
  expect(pending.body.items).toMatchObject([
    { quantity: 3, lines: [{ findNumber: '10' }, { findNumber: '20' }] },
  ]);
  await calls.sync([top]);
  expect(await linesOf(top.guid)).toEqual(['10: 1', '20: 2']);
  const found = await calls.get(`/uses?referenceDesignator=W72&parent=guid:${top.guid}`);
  expect(found.body.items).toMatchObject([{ quantity: 2, findNumber: '20' }]);
});

test('a dry run shows each line, and its commit writes them', async () => {
  const { top, child } = assembly();
  await calls.sync([top, { ...child, quantity: 3, findNumber: '10' }]);
  const plan = await calls.sync(
    [top, { ...child, quantity: 1, findNumber: '10' }, { ...child, quantity: 2.5, findNumber: '20' }],
    '?dryRun=true',
  );
  expect(plan.results[1]).toMatchObject({
    links: [
      {
        from: 3,
        to: 3.5,
        changes: [
          { line: '10', field: 'quantity', from: '3', to: '1' },
          { line: '20', field: 'quantity', from: null, to: '2.5' },
          { line: '20', field: 'findNumber', from: null, to: '20' },
        ],
      },
    ],
  });
  await calls.commit(plan.batchId);
  expect(await linesOf(top.guid)).toEqual(['10: 1', '20: 2.5']);
});

test('lines beyond the limit add to the first one with a warning', async () => {
  const { top, child } = assembly();
  const lines = Array.from({ length: 101 }, (_, i) => ({ ...child, findNumber: String(i + 1) }));
  const { results } = await calls.sync([top, ...lines]);
  expect(results.flatMap(({ index, warnings }) => (warnings ?? []).map(({ code }) => [index, code]))).toEqual(
    [
      [101, 'duplicate_guid'],
      [101, 'link_field_conflict'],
    ],
  );
  const [use] = await usesOf(top.guid);
  expect([use?.quantity, use?.lines?.length, use?.lines?.[0]?.quantity]).toEqual([101, 100, 2]);
});

test('elements in any order are the same lines, and the link has the sum that it had without find numbers', async () => {
  const occurrence = fc.record({
    findNumber: fc.constantFrom('1', '2', '10', 'A'),
    micros: fc.integer({ min: 1, max: 5_000_000 }),
    referenceDesignators: fc.subarray(['R1', 'R2', 'R10']),
  });
  const payload = fc
    .array(occurrence, { minLength: 1, maxLength: 8 })
    .chain((sent) => fc.tuple(fc.constant(sent), fc.shuffledSubarray(sent, { minLength: sent.length })));
  await fc.assert(
    fc.asyncProperty(payload, async ([sent, shuffled]) => {
      const stored: unknown[] = [];
      for (const order of [sent, shuffled]) {
        const { top, child } = assembly();
        const elements = order.map(({ micros, ...line }) => ({ ...child, ...line, quantity: micros / 1e6 }));
        await calls.sync([top, ...elements]);
        const [use] = await usesOf(top.guid);
        const { quantity, findNumber, referenceDesignators, lines } = use as Use;
        stored.push({ quantity, findNumber, referenceDesignators, lines });
        const sum = order.reduce((all, { micros }) => all + micros, 0);
        expect(Math.round(quantity * 1e6)).toBe(sum);
        const again = await calls.sync([top, ...elements.toReversed()]);
        expect(again.results.map(({ result }) => result)).not.toContain('updated');
      }
      expect(stored[0]).toEqual(stored[1]);
    }),
    { numRuns: runs(60, 8) },
  );
});
