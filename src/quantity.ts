/**
 * Quantities are exact: binary floating point never adds or compares them. What is stored and moved is whole millionths
 * in a bigint (`Micro`), from the JSON number of the request to the numeric(15,6) of the table and back; in the links of
 * a batch, of which there are millions, the same millionths in a double (`MicroDouble`); and what comes of multiplying
 * along paths is a decimal of any length (`Exact`).
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

const MICROS = 1_000_000;
const ZERO = '0.000000';

/** Converts a numeric(15,6) in PostgreSQL's text form, which always has six fractional digits. */
export function microOfDecimal(text: string): Micro {
  return text === ZERO ? 0n : BigInt(text.replace('.', ''));
}

/** The text form of numeric(15,6): a sign, an integer part, six fractional digits. */
export function decimalOf(micro: Micro | MicroDouble): string {
  // A double is written three times as fast as a bigint, and holds nearly all quantities exactly.
  const double = Number(micro);
  if (Number.isSafeInteger(double)) {
    const distance = Math.abs(double);
    const fraction = distance % MICROS;
    const whole = `${double < 0 ? '-' : ''}${(distance - fraction) / MICROS}`;
    return fraction === 0 ? `${whole}.000000` : `${whole}.${String(fraction).padStart(6, '0')}`;
  }
  const digits = String(micro < 0 ? -micro : micro).padStart(7, '0');
  return `${micro < 0 ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** The double nearest to it, which prints as the same decimal. */
export function numberOf(micro: Micro): number {
  const double = Number(micro);
  // Both are exact, and a division is rounded to the nearest double.
  return Number.isSafeInteger(double) ? double / MICROS : Number(decimalOf(micro));
}

/** Millionths in a double, exact up to nine times the most that is stored: an eighth of what a bigint takes, and no object. */
export type MicroDouble = number;

export const MICRO_DOUBLE_MAX: MicroDouble = Number(MICRO_MAX);

/** Returns the value of `microOfNumber`; null if it is no number, or not above 0. */
export function microDoubleOf(value: unknown): MicroDouble | null {
  if (typeof value !== 'number' || !(value > 0)) return null;
  const micros = Math.round(value * 1e6);
  // A seventh fractional digit shows as a remainder: dividing back must give the very double that was sent.
  return micros >= 1 && micros <= MICRO_DOUBLE_MAX && micros / 1e6 === value ? micros : null;
}

export function microDoubleOfDecimal(text: string): MicroDouble {
  return Number(text.replace('.', ''));
}

/** The double nearest to the quantity. */
export function numberOfMicroDouble(micros: MicroDouble): number {
  return micros / 1e6;
}

/** `digits` times ten to the power of minus `scale`. */
export interface Exact {
  digits: bigint;
  scale: number;
}

export const one: Exact = { digits: 1n, scale: 0 };
export const zero: Exact = { digits: 0n, scale: 0 };

/** Converts a decimal in PostgreSQL's text form. */
export function exactOfDecimal(decimal: string): Exact {
  const [whole = '0', fraction = ''] = decimal.split('.');
  const significant = fraction.replace(/0+$/, '');
  return { digits: BigInt(whole + significant), scale: significant.length };
}

export function exactOf(micro: Micro): Exact {
  return { digits: micro, scale: 6 };
}

/** Exact however deep the path is, for who wants every digit; without trailing zeros behind the point. */
export function timesInFull(a: Exact, b: Exact): Exact {
  return withoutZeros({ digits: a.digits * b.digits, scale: a.scale + b.scale });
}

/** Formats as a JSON number with every digit. */
export function exactText({ digits, scale }: Exact): string {
  if (scale === 0) return String(digits);
  const text = String(digits).padStart(scale + 1, '0');
  return `${text.slice(0, -scale)}.${text.slice(-scale)}`;
}

/*
 * Below, what becomes stock: exact as far as any structure of things goes, and bounded. A product of a thousand
 * quantities would otherwise have thousands of digits, and each level would cost more than the one above it. 60
 * significant digits are kept, at most 120 of them behind the point, rounded up; 40 of them count.
 */
const KEPT_DIGITS = 60;
const KEPT_SCALE = 120;
const COUNTED_DIGITS = 40;
/** More than this is no quantity of anything, and would leave too few digits behind the point. */
const AMOUNT_MAX_DIGITS = 24;

const KEPT_BOUND = 10n ** BigInt(KEPT_DIGITS);
const COUNTED_BOUND = 10n ** BigInt(COUNTED_DIGITS);

export function add(a: Exact, b: Exact): Exact {
  const scale = Math.max(a.scale, b.scale);
  return bounded({ digits: digitsAt(a, scale) + digitsAt(b, scale), scale });
}

/** Returns `a` minus `b`; never below zero. */
export function remainder(a: Exact, b: Exact): Exact {
  const settled = counted(a);
  const scale = Math.max(settled.scale, b.scale);
  const digits = digitsAt(settled, scale) - digitsAt(b, scale);
  return digits > 0n ? { digits, scale } : zero;
}

export function times(a: Exact, b: Exact): Exact {
  return bounded({ digits: a.digits * b.digits, scale: a.scale + b.scale });
}

/** Whether it has more than 24 digits before the point. */
export function isBeyondAmounts({ digits, scale }: Exact): boolean {
  return digits >= 10n ** BigInt(scale + AMOUNT_MAX_DIGITS);
}

/** Rounded up to whole millionths: a need is never rounded away. */
export function microUp(exact: Exact): Micro {
  const { digits, scale } = counted(exact);
  if (scale <= 6) return digits * 10n ** BigInt(6 - scale);
  const divisor = 10n ** BigInt(scale - 6);
  return (digits + divisor - 1n) / divisor;
}

/** Returns the counted part, as a JSON number. */
export function countedText(exact: Exact): string {
  return exactText(withoutZeros(counted(exact)));
}

/** The double nearest to it. */
export function numberOfExact(exact: Exact): number {
  return Number(decimalOf(microUp(exact)));
}

/** Without zeros at the end behind the point. */
function withoutZeros({ digits, scale }: Exact): Exact {
  let [left, places] = [digits, scale];
  while (places > 0 && left % 10n === 0n) {
    left /= 10n;
    places--;
  }
  return { digits: left, scale: places };
}

function digitsAt({ digits, scale }: Exact, wanted: number): bigint {
  return scale === wanted ? digits : digits * 10n ** BigInt(wanted - scale);
}

/** Cut to what is kept; digits before the point are never cut. */
function bounded(exact: Exact): Exact {
  const { digits, scale } = exact;
  if (digits < KEPT_BOUND && scale <= KEPT_SCALE) return exact;
  const excess = Math.max(String(digits).length - KEPT_DIGITS, scale - KEPT_SCALE);
  const cut = Math.min(excess, scale);
  if (cut <= 0) return exact;
  const divisor = 10n ** BigInt(cut);
  return { digits: (digits + divisor - 1n) / divisor, scale: scale - cut };
}

/** Returns it without the digits in which cutting may have added something. */
export function counted(exact: Exact): Exact {
  const { digits, scale } = exact;
  if (digits < COUNTED_BOUND) return exact;
  const cut = Math.min(String(digits).length - COUNTED_DIGITS, scale);
  if (cut <= 0) return exact;
  const divisor = 10n ** BigInt(cut);
  return { digits: (digits + divisor / 2n) / divisor, scale: scale - cut };
}
