// Results of several chunks as one page: bounded by results and by bytes, whatever the results hold.
import { expect, test } from 'vitest';
import { mergeResults } from '../../src/sync/batch/merge-results.ts';
import { everyResult } from '../../src/sync/elements/filter-results.ts';
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
