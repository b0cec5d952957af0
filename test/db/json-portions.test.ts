import { expect, test } from 'vitest';
import { jsonPortions } from '../../src/db/json-portions.ts';

test('rows are cut into arrays before one grows too long, in order and without a loss', () => {
  const rows = Array.from({ length: 10 }, (_, n) => ({ n, text: 'x'.repeat(20) }));
  const portions = [...jsonPortions(rows, 100)];
  expect(portions.flatMap(({ json }) => JSON.parse(json))).toEqual(rows);
  expect(portions.map((portion) => portion.rows)).toEqual([2, 2, 2, 2, 2]);
  for (const { json } of portions) expect(json.length).toBeLessThanOrEqual(102);
});

test('a row that is too long by itself is alone, and none are no portion', () => {
  const rows = [{ a: 1 }, { a: 'y'.repeat(200) }, { a: 2 }];
  expect([...jsonPortions(rows, 100)].map((portion) => portion.rows)).toEqual([1, 1, 1]);
  expect([...jsonPortions([])]).toEqual([]);
});
