// Results of several chunks as one page: bounded by results and by bytes, whatever the results hold.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeResults } from '../../src/sync/batch/merge-results.ts';
import { everyResult, fits } from '../../src/sync/elements/filter-results.ts';
import { packJson } from '../../src/sync/elements/payload-codec.ts';
import type { SyncResult } from '../../src/sync/elements/sync-result.ts';

const result = (index: number, messageLength: number): SyncResult => ({
  index,
  guid: '00000000-0000-0000-0000-000000000001',
  result: 'error',
  message: 'm'.repeat(messageLength),
});
const documents = [
  [result(0, 400), result(2, 10)],
  [result(1, 400), result(3, 5000), result(4, 10)],
].map((results) => packJson(results));
const merge = (after: number, limit: number, bytesMax: number) =>
  mergeResults({ documents, after, limit, bytesMax, filter: everyResult, format: 'json' });
const indexesOf = (bytes: Uint8Array) =>
  (JSON.parse(`[${Buffer.from(bytes).toString()}]`) as SyncResult[]).map(({ index }) => index);

test('a page ends at the bound on bytes, and says where it ended', () => {
  const page = merge(-1, 100, 1500);
  expect([indexesOf(page.bytes), page.last, page.cut]).toEqual([[0, 1, 2], 2, true]);
  expect(page.bytes.length).toBeLessThanOrEqual(1500);
});

test('a result that is larger than the bound is a page by itself', () => {
  const page = merge(2, 100, 1500);
  expect([indexesOf(page.bytes), page.last, page.cut]).toEqual([[3], 3, true]);
});

test('the last page is not cut', () => {
  const page = merge(3, 100, 1500);
  expect([indexesOf(page.bytes), page.last, page.cut]).toEqual([[4], 4, false]);
  expect(merge(4, 100, 1500)).toMatchObject({ count: 0, last: 4, cut: false });
  expect(merge(-1, 2, 100_000)).toMatchObject({ count: 2, last: 1, cut: false });
});

/** Texts that look like the beginning, the end or the middle of a result, and what is more than a byte. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '{"index":',
    '},{"index":7,"guid":null',
    '\\"},{\\"index\\":',
    ']}]',
    'Schräg 𝄞',
    '\u2028\n,',
  ),
);
const anyResult: fc.Arbitrary<Omit<SyncResult, 'index'>> = fc.record(
  {
    guid: fc.option(fc.uuid()),
    result: fc.constantFrom('created', 'updated', 'skipped', 'error'),
    number: text,
    message: text,
    warnings: fc.array(fc.record({ code: fc.constant('invalid_date'), message: text, property: text }), {
      maxLength: 2,
    }),
    changes: fc.array(fc.record({ field: text, from: fc.option(text), to: fc.option(text) }), {
      maxLength: 2,
    }),
  },
  { requiredKeys: ['guid', 'result'] },
);

test('whatever results say, a page has those that are asked for, each as it was stored', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(anyResult, fc.nat(3)), { maxLength: 30 }),
      fc.integer({ min: -1, max: 40 }),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom('json', 'ndjson', 'csv'),
      fc.constantFrom(null, 'error', 'skipped'),
      (given, after, limit, format, kind) => {
        const all = given.map(([result, chunk], place) => ({
          chunk,
          result: { index: 3 * place, ...result },
        }));
        const chunks = [0, 1, 2, 3].map((of) =>
          all.filter(({ chunk }) => chunk === of).map(({ result }) => result),
        );
        const filter = { ...everyResult, kind };
        const wanted = all
          .map(({ result }) => result)
          .filter((result) => result.index > after && fits(result, filter))
          .slice(0, limit);
        const documents = chunks.map((results) => packJson(results));
        const page = mergeResults({ documents, after, limit, bytesMax: 1e6, filter, format });
        expect(page).toMatchObject({
          count: wanted.length,
          last: wanted.at(-1)?.index ?? after,
          cut: false,
        });
        const bytes = Buffer.from(page.bytes).toString();
        if (format === 'json') expect(bytes).toBe(wanted.map((one) => JSON.stringify(one)).join(','));
        if (format === 'ndjson') expect(bytes).toBe(wanted.map((one) => `${JSON.stringify(one)}\n`).join(''));
      },
    ),
  );
});
