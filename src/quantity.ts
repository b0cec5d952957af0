/**
 * Quantities are exact: whole millionths in a bigint, from the JSON number of the request to the
 * numeric(15,6) of the table and back. Binary floating point never adds or compares them.
 */

/** Millionths of a unit. */
export type Micro = bigint;

/** 9 integer and 6 fractional digits (contract §1.9). */
export const MICRO_MAX: Micro = 999_999_999_999_999n;

const decimalForm = /^(-?)(\d{1,9})(?:\.(\d{1,6}))?$/;

/**
 * The quantity that a JSON number says; null where it has more than 9 integer or 6 fractional digits. 15
 * significant digits survive the double between, so the shortest text of the double is what was sent.
 */
export function microOfNumber(value: number): Micro | null {
  const found = decimalForm.exec(String(value));
  if (found === null) return null;
  const [, sign, whole = '', fraction = ''] = found;
  return BigInt(`${sign}${whole}${fraction.padEnd(6, '0')}`);
}

/** Of a numeric(15,6) in PostgreSQL's text form, which always shows six fractional digits. */
export function microOfDecimal(text: string): Micro {
  return BigInt(text.replace('.', ''));
}

/** The text form of numeric(15,6): a sign, an integer part, six fractional digits. */
export function decimalOf(micro: Micro): string {
  const digits = (micro < 0n ? -micro : micro).toString().padStart(7, '0');
  return `${micro < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** The double nearest to it, which prints as the same decimal. */
export function numberOf(micro: Micro): number {
  return Number(decimalOf(micro));
}
