/** Quantities as calls give them: in the base unit of the item, or in another unit of it. Conversion is exact. */
import { z } from 'zod';
import { AppError, fieldError } from '../../errors.ts';
import { MICRO_MAX, type Micro, microOfNumber, numberOf } from '../../quantity.ts';
import { factorOf, type ItemUnits } from '../../units/item-units.ts';
import type { Rational } from '../../units/rational.ts';
import { UNIT_CHARS_MAX } from '../../units/unit.ts';
import type { Entered } from './movement.ts';

const roundings = ['up', 'down', 'nearest'] as const;
export type Rounding = (typeof roundings)[number];

export const unitName = z
  .string()
  .trim()
  .min(1)
  .max(UNIT_CHARS_MAX)
  .regex(/^\P{Cc}*$/u);

/** The unit that lists show beside the figures of an item. */
export const baseUnitShown = z
  .string()
  .nullable()
  .meta({
    description: 'The base unit of the item, in which its quantities are; null if it has none.',
    examples: ['pcs'],
  });

/** Fields beside a quantity that say its unit. */
export const givenUnit = {
  unit: unitName.nullish().meta({
    description:
      "The unit of the quantity: one that the item defines, or one of the same dimension as its base unit. By default the item's base unit.",
    examples: ['reel'],
  }),
  rounding: z
    .enum(roundings)
    .nullish()
    .meta({
      description:
        'How to round a quantity that has more than 6 fractional digits in the base unit. By default it is refused.',
      examples: ['nearest'],
    }),
};

/** The refusal of a unit beside an optional quantity that is absent: ignored, it would look as if the quantity had been changed to it. */
export const unitNeeds = (quantity: string) => ({
  error: `needs \`${quantity}\`: a unit alone changes nothing`,
  path: ['unit'],
});

export interface GivenUnit {
  readonly unit?: string | null | undefined;
  readonly rounding?: Rounding | null | undefined;
}

/** A remainder that rounded conversions may leave open, in millionths. */
const REMAINDER: Micro = 100n;

export interface Conversion {
  quantity: Micro;
  unit: string;
  factor: Rational;
  rounding: Rounding | null;
  /** The open quantity in the base unit: an inexact quantity next to it is all of it. */
  open?: Micro | undefined;
}

/** Throws `quantity_inexact`, `quantity_out_of_range`. The errors point at `field`. */
export function convert({ quantity, unit, factor, rounding, open }: Conversion, field: string): Entered {
  const { numerator, denominator } = factor;
  const sign = quantity < 0n ? -1n : 1n;
  const product = quantity * sign * numerator;
  const down = product / denominator;
  const isExact = down * denominator === product;
  const rest = product - down * denominator;
  const amountFor = (rounded: Rounding) => {
    if (rounded === 'down') return down;
    return rounded === 'up' || 2n * rest >= denominator ? down + 1n : down;
  };
  let amount = down;
  if (!isExact && down <= MICRO_MAX) {
    const isOpen = open !== undefined && sign > 0n && distance(down, open) <= REMAINDER;
    if (isOpen) amount = open as Micro;
    else if (rounding !== null) amount = amountFor(rounding);
    else throw inexact(quantity, unit, [down * sign, (down + 1n) * sign], field);
  }
  if (amount > MICRO_MAX) {
    const message = `${numberOf(quantity)} ${unit} is a quantity of more than 9 integer digits in the base unit.`;
    throw fieldError('quantity_out_of_range', `/${field}`, message);
  }
  if (amount === 0n) {
    const message = `${numberOf(quantity)} ${unit} is rounded to 0 in the base unit.`;
    throw fieldError('zero_quantity', `/${field}`, message);
  }
  return { quantity, unit, factor, amount: amount * sign };
}

/** Returns an amount in another unit, rounded to a millionth. */
export function amountIn(amount: Micro, { numerator, denominator }: Rational): Micro {
  const doubled = (2n * amount * denominator) / numerator;
  return (doubled + (doubled < 0n ? -1n : 1n)) / 2n;
}

function distance(a: Micro, b: Micro): Micro {
  return a > b ? a - b : b - a;
}

function inexact(quantity: Micro, unit: string, nearest: [Micro, Micro], field: string): AppError {
  const [low, high] = nearest.map(numberOf).toSorted((a, b) => a - b) as [number, number];
  const message = `${numberOf(quantity)} ${unit} has more than 6 fractional digits in the base unit. The nearest quantities are ${low} and ${high}: send one of them without a unit, or say \`rounding\`.`;
  return new AppError('quantity_inexact', {
    detail: message,
    errors: [{ pointer: `/${field}`, code: 'quantity_inexact', message }],
    extensions: { nearest: [low, high] },
  });
}

/** Returns a quantity above zero, exactly. `pointer` says where the body has it, null: the query has it. Throws `quantity_out_of_range`. */
export function amountAboveZero(quantity: number, pointer: string | null): Micro {
  const amount = microOfNumber(quantity);
  if (amount !== null && amount > 0n) return amount;
  const code = 'quantity_out_of_range';
  const name = pointer?.split('/').at(-1) ?? 'quantity';
  const message = `\`${name}\` is ${quantity}, which is not above 0 with at most 9 integer and 6 fractional digits.`;
  if (pointer !== null) throw fieldError(code, pointer, message);
  throw new AppError(code, {
    detail: message,
    errors: [{ pointer: '/quantity', in: 'query', code, message }],
  });
}

/** Throws `unit_unknown`. */
export function requireFactor(units: ItemUnits, unit: string, item: string, pointer: string): Rational {
  const factor = factorOf(units, unit);
  if (factor !== null) return factor;
  const message =
    units.baseUnit === null
      ? `Item ${item} has no base unit, so its quantities take no unit. Set its units first.`
      : `Item ${item} has no unit "${unit}". Its base unit is ${units.baseUnit}.`;
  throw fieldError('unit_unknown', pointer, message);
}

/**
 * Returns a given quantity in the base unit; `entered` is null where no unit is named. Throws `unit_unknown`, `quantity_inexact`,
 * `quantity_out_of_range`, `zero_quantity`. `field` is the path of the quantity in the body.
 */
export function amountGiven(
  quantity: number,
  { unit, rounding = null }: GivenUnit,
  units: ItemUnits,
  { item, field, open, factor }: { item: string; field: string; open?: Micro | undefined; factor?: Rational },
): { amount: Micro; entered: Entered | null } {
  const micro = microOfNumber(quantity);
  if (micro === null) {
    const message = `${quantity} has more than 9 integer or 6 fractional digits.`;
    throw fieldError('quantity_out_of_range', `/${field}`, message);
  }
  if (unit == null) return { amount: micro, entered: null };
  const path = field.includes('/') ? field.slice(0, field.lastIndexOf('/') + 1) : '';
  const known = factor ?? requireFactor(units, unit, item, `/${path}unit`);
  if (micro === 0n) return { amount: 0n, entered: null };
  const entered = convert({ quantity: micro, unit, factor: known, rounding: rounding ?? null, open }, field);
  return { amount: entered.amount, entered };
}

/** Quantities of an entry beside that in the base unit of its item. */
export const enteredShown = {
  enteredQuantity: z
    .number()
    .nullable()
    .meta({
      description:
        'The quantity as it was entered, in `enteredUnit`; null if it was entered in the base unit of the item.',
      examples: [3],
    }),
  enteredUnit: z
    .string()
    .nullable()
    .meta({ description: 'The unit in which the quantity was entered.', examples: ['reel'] }),
  coveredQuantity: z
    .number()
    .nullable()
    .meta({
      description:
        'Of a reservation, a release or an issue of a substitute: how much of the required component it covers; null for other movements. A reversal has the opposite sign.',
      examples: [2],
    }),
};
