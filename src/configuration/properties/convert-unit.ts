/** Reads a number with a unit, such as `412 g`, in the unit of its property, exactly. */
import { product, type Rational, rationalOfDecimal } from '../../units/rational.ts';
import { factorBetween, findUnit } from '../../units/unit.ts';
import { exactNumber } from './exact-number.ts';

const form = /^([+-]?\d{1,30}(?:\.\d{0,30})?(?:[eE][+-]?\d{1,2})?)\s*([^\s\d.,+-].{0,31})$/s;
const FRACTION_DIGITS_MAX = 40;

/** Returns null for a text without a unit of the same dimension, and NaN for a number that a double cannot hold exactly. */
export function numberInUnit(text: string, unit: string): number | null {
  const [, digits, name] = form.exec(text.trim()) ?? [];
  if (digits === undefined || name === undefined) return null;
  const [from, to] = [findUnit(name), findUnit(unit)];
  const factor = from === null || to === null ? null : factorBetween(from, to);
  const amount = rationalOfDecimal(digits);
  if (factor === null || amount === null) return name.trim() === unit ? exactNumber(digits) : null;
  const decimal = decimalOf(product(amount, factor));
  return decimal === null ? Number.NaN : exactNumber(decimal);
}

/** Returns null for a fraction without a finite decimal, such as a third. */
function decimalOf({ numerator, denominator }: Rational): string | null {
  let scaled = numerator < 0n ? -numerator : numerator;
  let digits = 0;
  for (; scaled % denominator !== 0n; digits++) {
    if (digits === FRACTION_DIGITS_MAX) return null;
    scaled *= 10n;
  }
  const text = String(scaled / denominator).padStart(digits + 1, '0');
  const point = text.length - digits;
  return `${numerator < 0n ? '-' : ''}${text.slice(0, point)}.${text.slice(point)}`;
}
