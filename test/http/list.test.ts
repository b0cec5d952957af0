// Cursors: opaque, checked, bound to their list.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { pageOfSome } from '../../src/db/read-page.ts';
import { decodeCursor, encodeCursor, ListQuery, pageOf } from '../../src/http/list.ts';

const Key = z.tuple([z.string(), z.number()]);

test('a cursor gives its sort key back', () => {
  const cursor = encodeCursor('things', ['ü', 7]);
  expect(cursor).toMatch(/^[\w-]+$/);
  expect(decodeCursor('things', cursor, Key)).toEqual(['ü', 7]);
  expect(decodeCursor('things', undefined, Key)).toBeNull();
});

test('a cursor that was tampered with, or of another list, is refused', () => {
  const cursor = encodeCursor('things', ['a', 7]);
  const tampered = [...cursor].map(
    (char, i) => cursor.slice(0, i) + (char === 'A' ? 'B' : 'A') + cursor.slice(i + 1),
  );
  for (const bad of [
    ...tampered,
    '',
    'x',
    '!',
    `${cursor}A`,
    cursor.slice(1),
    encodeCursor('others', ['a', 7]),
  ]) {
    expect(() => decodeCursor('things', bad, Key), bad).toThrow(
      expect.objectContaining({ code: 'invalid_cursor' }),
    );
  }
  expect(() => decodeCursor('things', encodeCursor('things', [1]), Key)).toThrow();
});

test('a page has a next one when there is a row too many', () => {
  const page = (rows: number[]) =>
    pageOf(
      'n',
      pageOfSome(rows, 2),
      (row) => row,
      (row) => row * 10,
    );
  expect(page([])).toEqual({ items: [], nextCursor: null });
  expect(page([1, 2])).toEqual({ items: [10, 20], nextCursor: null });
  const more = page([1, 2, 3]);
  expect(more.items).toEqual([10, 20]);
  expect(decodeCursor('n', more.nextCursor ?? undefined, z.number())).toBe(2);
});

test('the limit is 100 unless told, and 1 to 1000', () => {
  expect(ListQuery.parse({}).limit).toBe(100);
  expect(ListQuery.parse({ limit: '1000' }).limit).toBe(1000);
  for (const limit of ['0', '1001', '1.5', 'x', '-1'])
    expect(ListQuery.safeParse({ limit }).success).toBe(false);
});
