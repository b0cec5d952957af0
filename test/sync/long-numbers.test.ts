import { expect, test } from 'vitest';
import { exactNumber } from '../../src/configuration/properties/exact-number.ts';

test('numbers are read with and without a point, an exponent and zeros', () => {
  expect(['12', '1.5', '.5', '5.', '-0', '1e3', '2.50', '100'].map(exactNumber)).toEqual([
    12, 1.5, 0.5, 5, 0, 1000, 2.5, 100,
  ]);
  expect(['', '.', 'e3', '1.2.3', '1e', '12 kg'].map(exactNumber)).toEqual([
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
  expect(exactNumber('9007199254740993')).toBeNaN();
});

test('a very long text is read in proportion to its length', () => {
  const long = '1'.repeat(2_000_000);
  expect(exactNumber(`${long}x`)).toBeNull();
  expect(exactNumber(`${long}.${long}x`)).toBeNull();
  expect(exactNumber(`0.1${'0'.repeat(2_000_000)}1`)).toBeNaN();
  expect(exactNumber(`0.${'0'.repeat(2_000_000)}`)).toBe(0);
});
