/** Exact fractions of whole numbers: factors between units are never binary floating point. */

/** In lowest terms, the denominator above 0. */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export const ONE: Rational = { numerator: 1n, denominator: 1n };

/** Throws where the denominator is 0. */
export function rational(numerator: bigint, denominator: bigint = 1n): Rational {
  if (denominator === 0n) throw new RangeError('A denominator of 0');
  const sign = denominator < 0n ? -1n : 1n;
  const divisor = greatestCommonDivisor(numerator < 0n ? -numerator : numerator, denominator * sign);
  return { numerator: (numerator * sign) / divisor, denominator: (denominator * sign) / divisor };
}

export function product(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.numerator, a.denominator * b.denominator);
}

export function quotient(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator, a.denominator * b.numerator);
}

export function power(base: Rational, exponent: number): Rational {
  const to = BigInt(Math.abs(exponent));
  const raised = { numerator: base.numerator ** to, denominator: base.denominator ** to };
  return exponent < 0 ? quotient(ONE, raised) : raised;
}

export function equals(a: Rational, b: Rational): boolean {
  return a.numerator === b.numerator && a.denominator === b.denominator;
}

const decimalForm = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/** The exact value of a decimal such as `-12.50` or `6.02e23`; null where the text is none. */
export function rationalOfDecimal(text: string): Rational | null {
  const found = decimalForm.exec(text);
  if (found === null) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = found;
  const scale = BigInt(exponent) - BigInt(fraction.length);
  const digits = BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`);
  return scale < 0n ? rational(digits, 10n ** -scale) : rational(digits * 10n ** scale);
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [left, right] = [a, b];
  while (right !== 0n) [left, right] = [right, left % right];
  return left === 0n ? 1n : left;
}
