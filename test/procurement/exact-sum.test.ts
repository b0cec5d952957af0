// Quantities along paths: exact as far as structures of things go, bounded however deep they are.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { one } from '../../src/entities/exact-product.ts';
import { accumulate, type Step, stepsByStart } from '../../src/procurement/accumulate.ts';
import {
  add,
  exactOf,
  exactOfDecimal,
  isBeyondAmounts,
  microUp,
  remainder,
  times,
} from '../../src/procurement/exact-sum.ts';
import { decimalOf } from '../../src/quantity.ts';
import { Slices } from '../../src/slices.ts';

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

test('adding up ends when whoever wanted it has gone', async () => {
  const steps: Step[] = Array.from({ length: 200_000 }, (_, at) => ({
    from: String(at),
    to: String(at + 1),
    quantity: exactOfDecimal('1.000001'),
  }));
  const gone = new AbortController();
  const children = await stepsByStart(steps, new Slices());
  let visited = 0;
  const adding = accumulate('0', one, children, new Slices(gone.signal), (_, amount) => {
    if (visited++ === 1000) gone.abort(new Error('gone'));
    return amount;
  });
  await expect(adding).rejects.toThrow('gone');
  expect(visited).toBeLessThan(200_000);
});
