// Quantities in other units become exact quantities in base units.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { microOfNumber } from '../../src/quantity.ts';
import { amountIn, convert } from '../../src/stock/entries/given-quantity.ts';
import { enteredShare } from '../../src/stock/entries/movement.ts';
import { factorOf, type ItemUnits } from '../../src/units/item-units.ts';
import { rational } from '../../src/units/rational.ts';

const micro = (value: number) => microOfNumber(value) as bigint;
const third = rational(1n, 3n);

const codeOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('It was taken');
};

test('an item knows its base unit, its own units, and those of the dimension of its base unit', () => {
  const units: ItemUnits = { baseUnit: 'mm', factors: new Map([['roll', rational(100_000n)]]) };
  expect(factorOf(units, 'mm')).toEqual(rational(1n));
  expect(factorOf(units, 'Roll')).toEqual(rational(100_000n));
  expect(factorOf(units, 'm')).toEqual(rational(1000n));
  expect(factorOf(units, 'in')).toEqual(rational(127n, 5n));
  for (const unknown of ['kg', 'pcs', 'reel']) expect(factorOf(units, unknown)).toBeNull();
  expect(factorOf({ baseUnit: null, factors: new Map() }, 'mm')).toBeNull();
});

test('a quantity that is not exact is refused with the two nearest ones, or rounded as the call says', () => {
  const given = { quantity: micro(1), unit: 'part', factor: third };
  const refusal = codeOf(() => convert({ ...given, rounding: null }, 'quantity'));
  expect(refusal).toMatchObject({ code: 'quantity_inexact', extensions: { nearest: [0.333333, 0.333334] } });
  expect(convert({ ...given, rounding: 'down' }, 'quantity').amount).toBe(333_333n);
  expect(convert({ ...given, rounding: 'up' }, 'quantity').amount).toBe(333_334n);
  expect(convert({ ...given, rounding: 'nearest' }, 'quantity').amount).toBe(333_333n);
  expect(convert({ ...given, quantity: -micro(2), rounding: 'nearest' }, 'quantity').amount).toBe(-666_667n);
});

test('a quantity that does not fit, or that rounds to nothing, is refused', () => {
  const large = { quantity: micro(999_999_999), unit: 'reel', factor: rational(4000n), rounding: null };
  expect(codeOf(() => convert(large, 'quantity')).code).toBe('quantity_out_of_range');
  const small = { quantity: 1n, unit: 'part', factor: third, rounding: 'down' as const };
  expect(codeOf(() => convert(small, 'quantity')).code).toBe('zero_quantity');
});

const factors = fc.tuple(fc.bigInt(1n, 10_000n), fc.bigInt(1n, 10_000n)).map(([n, d]) => rational(n, d));
const quantities = fc.bigInt(1n, 10n ** 10n);

test('an exact quantity there and back is the same', () => {
  fc.assert(
    fc.property(quantities, factors, (base, factor) => {
      // A multiple of the denominator is exact.
      const quantity = base * factor.denominator;
      const { amount } = convert({ quantity, unit: 'u', factor, rounding: 'nearest' }, 'quantity');
      if (amount * factor.denominator === quantity * factor.numerator)
        expect(amountIn(amount, factor)).toBe(quantity);
    }),
  );
});

test('receiving what is open in the unit of a line leaves nothing open, whatever was received before', () => {
  fc.assert(
    fc.property(
      fc.bigInt(1n, 1000n).map((whole) => whole * 1_000_000n),
      factors,
      fc.array(fc.double({ min: 0.01, max: 0.9, noNaN: true }), { maxLength: 20 }),
      (ordered, factor, parts) => {
        const rounding = 'nearest' as const;
        const line = convert({ quantity: ordered, unit: 'u', factor, rounding }, 'quantity').amount;
        let open = line;
        for (const part of parts) {
          const quantity = BigInt(Math.floor(Number(amountIn(open, factor)) * part));
          const isEmpty = quantity * factor.numerator < factor.denominator;
          if (isEmpty) continue;
          const { amount } = convert({ quantity, unit: 'u', factor, rounding, open }, 'quantity');
          expect(amount <= open).toBe(true);
          open -= amount;
          if (open === 0n) return;
        }
        const left = amountIn(open, factor);
        if (left * factor.numerator < factor.denominator) return;
        const exact = (left * factor.numerator) % factor.denominator === 0n;
        const { amount } = convert({ quantity: left, unit: 'u', factor, rounding, open }, 'quantity');
        // A large unit is shown to a millionth of it, which may be more than a millionth of the base unit.
        const step = factor.numerator / factor.denominator + 1n;
        expect(amount === open || (exact && amount - open <= step && open - amount <= step)).toBe(true);
      },
    ),
  );
});

test('the parts of a divided quantity state their shares', () => {
  const entered = { quantity: 3_000_000n, unit: 'reel', amount: 12_000_000_000n, factor: rational(4000n) };
  expect(enteredShare({ amount: entered.amount, entered })).toBe(3_000_000n);
  expect(enteredShare({ amount: 4_000_000_000n, entered })).toBe(1_000_000n);
  expect(enteredShare({ amount: 6_000_000n })).toBeNull();
});
