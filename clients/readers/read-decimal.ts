/** Numbers as people and tools write them. What is not surely a number is none: never 0, never a guess. */

export type DecimalSign = '.' | ',';

/** At most 9 digits before and 6 behind the sign: what the service keeps exactly. */
const INTEGER_DIGITS = 9;
const FRACTION_DIGITS = 6;

export interface Amount {
  value: number;
  /** What stood behind the number: `kg`, `Stk`. Empty where nothing did. */
  unit: string;
}

/**
 * `1.250,75` (with `,`), `$2,000.00`, `0.3 kg`, `2.000000`, `-4`. Null where the text is not one number: two decimal
 * signs, groups that are not of three, digits in the unit.
 */
export function readDecimal(text: string, sign: DecimalSign): Amount | null {
  const grouped = sign === '.' ? ',' : '.';
  const plain = text.normalize('NFKC').replaceAll('\u2212', '-').trim();
  const found = /^([$€£¥]?\s*)([-+]?)([\d.,'\s\u2019]*\d)(?:[eE]([-+]?\d{1,2}))?\s*([^\d]*)$/.exec(plain);
  if (found === null) return null;
  const [, , minus = '', figures = '', exponent, unit = ''] = found;
  const [whole = '', fraction = '', ...rest] = figures.split(sign);
  if (rest.length > 0 || /\D/.test(fraction)) return null;
  const digits = ungrouped(whole, grouped);
  if (digits === null || (digits === '' && fraction === '')) return null;
  const value = Number(`${minus}${digits === '' ? '0' : digits}.${fraction || '0'}e${exponent ?? '0'}`);
  return Number.isFinite(value) ? { value, unit: unit.trim() } : null;
}

/** Digits without their grouping; null where groups are not of three digits. */
function ungrouped(whole: string, grouped: string): string | null {
  if (/^\d*$/.test(whole)) return whole;
  const separator = /[.,'\s\u2019]/.exec(whole)?.[0] as string;
  if ((separator === '.' || separator === ',') && separator !== grouped) return null;
  const groups = whole.split(separator);
  const fits = groups.every((group, at) => (at === 0 ? /^\d{1,3}$/ : /^\d{3}$/).test(group));
  return fits ? groups.join('') : null;
}

/** Whether the service keeps it exactly, as a quantity. */
export function isExactQuantity(value: number): boolean {
  return (
    value > 0 &&
    value < 10 ** INTEGER_DIGITS &&
    Math.abs(value - roundQuantity(value)) <= Number.EPSILON * value * 4
  );
}

export function roundQuantity(value: number): number {
  return Number(value.toFixed(FRACTION_DIGITS));
}
