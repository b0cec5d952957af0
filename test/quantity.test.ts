// Quantities are exact, in each of the forms that they have; along paths they are bounded however deep these are.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  add,
  countedText,
  decimalOf,
  exactOf,
  exactOfDecimal,
  exactText,
  isBeyondAmounts,
  MICRO_DOUBLE_MAX,
  MICRO_MAX,
  microDoubleOf,
  microDoubleOfDecimal,
  microOfDecimal,
  microOfNumber,
  microUp,
  numberOf,
  numberOfMicroDouble,
  one,
  remainder,
  times,
  timesInFull,
} from '../src/quantity.ts';

const quantity = fc.bigInt({ min: 1n, max: 999_999_999_999_999n });

test('products and sums of a few quantities are exact, and rounded up to millionths', () => {
  fc.assert(
    fc.property(fc.array(quantity, { minLength: 1, maxLength: 3 }), quantity, (factors, more) => {
      const product = factors.map((micro) => exactOfDecimal(decimalOf(micro))).reduce(times, one);
      const exact = factors.reduce((left, right) => left * right, 1n);
      const divisor = 10n ** BigInt(6 * (factors.length - 1));
      const up = (digits: bigint) => (digits + divisor - 1n) / divisor;
      const fits = exact < 10n ** 40n;
      fc.pre(fits);
      expect(microUp(product)).toBe(up(exact));
      expect(microUp(add(product, exactOf(more)))).toBe(up(exact + more * divisor));
      expect(microUp(remainder(product, exactOf(up(exact))))).toBe(0n);
    }),
  );
});

test('what grows and shrinks again along a path comes back to what it was', () => {
  let amount = one;
  for (let level = 0; level < 15; level++) amount = times(amount, exactOfDecimal('0.000003'));
  for (let level = 0; level < 15; level++) amount = times(amount, exactOfDecimal('333333.333334'));
  // (0.000003 × 333333.333334) ^ 15 = 1.000000000002 ^ 15
  expect(microUp(remainder(amount, exactOf(1_000_000n)))).toBe(1n);
  let even = one;
  for (let level = 0; level < 15; level++) even = times(even, exactOfDecimal('0.000002'));
  for (let level = 0; level < 15; level++) even = times(even, exactOfDecimal('500000'));
  expect(microUp(even)).toBe(1_000_000n);
  expect(remainder(even, exactOf(1_000_000n)).digits).toBe(0n);
});

test('a product of ten thousand quantities has no more digits than one of a few', () => {
  for (const text of ['1.000001', '0.999999', '0.000001']) {
    let amount = one;
    for (let level = 0; level < 10_000; level++) amount = times(amount, exactOfDecimal(text));
    expect(String(amount.digits).length).toBeLessThanOrEqual(61);
    expect(amount.scale).toBeLessThanOrEqual(120);
    expect(isBeyondAmounts(amount)).toBe(false);
  }
});

const stored = fc.bigInt({ min: -MICRO_MAX, max: MICRO_MAX });
/** What a payload may say, of all kinds: quantities, doubles with more digits, numbers far too large or too small. */
const anyNumber = fc.oneof(
  quantity.map(numberOf),
  fc.double(),
  fc.double({ min: 0, max: 1e9 }),
  fc.integer(),
  fc.bigInt({ min: 1n, max: 10n ** 16n }).map((digits) => Number(digits) / 1e7),
);

test('what is stored comes back the same, as text and as a number', () => {
  fc.assert(
    fc.property(stored, (micro) => {
      expect(microOfDecimal(decimalOf(micro))).toBe(micro);
      expect(microOfNumber(numberOf(micro))).toBe(micro);
      expect(microOfNumber(JSON.parse(JSON.stringify(numberOf(micro))))).toBe(micro);
    }),
  );
});

test('a batch takes the very numbers that a call takes, where they are above 0', () => {
  fc.assert(
    fc.property(anyNumber, (value) => {
      const micro = value > 0 ? microOfNumber(value) : null;
      const taken = micro === null || micro === 0n ? null : Number(micro);
      expect(microDoubleOf(value)).toBe(taken);
    }),
    { numRuns: 5000 },
  );
  for (const value of ['1', null, undefined, true, {}, 0, -1, Number.NaN, 1e9, 1e-7]) {
    expect(microDoubleOf(value)).toBeNull();
  }
  expect(microDoubleOf(0.000001)).toBe(1);
  expect(microDoubleOf(999_999_999.999999)).toBe(MICRO_DOUBLE_MAX);
});

test('in a double it is written and read as in a bigint, and so are sums of what is stored', () => {
  fc.assert(
    fc.property(quantity, quantity, (a, b) => {
      const [x, y] = [Number(a), Number(b)];
      expect(decimalOf(x)).toBe(decimalOf(a));
      expect(microDoubleOfDecimal(decimalOf(a))).toBe(x);
      expect(numberOfMicroDouble(x)).toBe(numberOf(a));
      expect(BigInt(x + y)).toBe(a + b);
    }),
  );
});

test('a product in full has every digit, and no trailing zero behind the point', () => {
  fc.assert(
    fc.property(fc.array(quantity, { minLength: 1, maxLength: 12 }), (factors) => {
      const product = factors.map((micro) => exactOfDecimal(decimalOf(micro))).reduce(timesInFull, one);
      const exact = factors.reduce((left, right) => left * right, 1n);
      expect(product.digits * 10n ** BigInt(6 * factors.length - product.scale)).toBe(exact);
      const text = exactText(product);
      expect(text).toMatch(/^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/);
      const [whole, fraction = ''] = text.split('.') as [string, string?];
      expect(BigInt(whole + fraction)).toBe(product.digits);
      expect(fraction).toHaveLength(product.scale);
    }),
  );
});

test('an amount shows 40 digits of what it has, and no trailing zero behind the point', () => {
  expect(countedText(times(exactOfDecimal('0.5'), exactOfDecimal('2')))).toBe('1');
  expect(countedText(exactOfDecimal('1000.000000'))).toBe('1000');
  let amount = one;
  for (let level = 0; level < 15; level++) amount = times(amount, exactOfDecimal('1.000001'));
  // 91 digits, of which 60 were kept; the same product by whole numbers.
  const exact = String(1_000_001n ** 15n);
  expect(countedText(amount)).toBe(`1.${exact.slice(1, 40)}`);
});

test('a quantity of any length is written and read exactly', () => {
  const beyondDoubles = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n });
  fc.assert(
    fc.property(
      fc.oneof(quantity, beyondDoubles, fc.constantFrom(0n, -1n, 2n ** 53n, -(2n ** 53n) - 1n)),
      (micro) => {
        const text = decimalOf(micro);
        expect(text).toMatch(/^-?\d+\.\d{6}$/);
        expect(microOfDecimal(text)).toBe(micro);
        expect(numberOf(micro)).toBe(Number(text));
      },
    ),
  );
});
