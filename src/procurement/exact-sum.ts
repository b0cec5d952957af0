/**
 * Sums, products and rounding of decimals: quantities along paths, before they become stock. Exact as far as any
 * structure of things goes, and bounded: a product of a thousand quantities would otherwise have thousands of digits,
 * and each level would cost more than the one above it. 60 significant digits are kept, at most 120 of them behind
 * the point, rounded up; 40 of them count.
 */
import type { Exact } from '../entities/exact-product.ts';
import { decimalOf, type Micro } from '../quantity.ts';

const KEPT_DIGITS = 60;
const KEPT_SCALE = 120;
const COUNTED_DIGITS = 40;
/** More than this is no quantity of anything, and would leave too few digits behind the point. */
const AMOUNT_MAX_DIGITS = 24;

const KEPT_BOUND = 10n ** BigInt(KEPT_DIGITS);
const COUNTED_BOUND = 10n ** BigInt(COUNTED_DIGITS);

export const zero: Exact = { digits: 0n, scale: 0 };

export function add(a: Exact, b: Exact): Exact {
  const scale = Math.max(a.scale, b.scale);
  return bounded({ digits: digitsAt(a, scale) + digitsAt(b, scale), scale });
}

/** What of `a` is left when `b` is taken from it; never below zero. */
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

export function exactOf(micro: Micro): Exact {
  return { digits: micro, scale: 6 };
}

export function exactOfDecimal(decimal: string): Exact {
  const [whole = '0', fraction = ''] = decimal.split('.');
  const significant = fraction.replace(/0+$/, '');
  return { digits: BigInt(whole + significant), scale: significant.length };
}

/** Rounded up to whole millionths: a need is never rounded away. */
export function microUp(exact: Exact): Micro {
  const { digits, scale } = counted(exact);
  if (scale <= 6) return digits * 10n ** BigInt(6 - scale);
  const divisor = 10n ** BigInt(scale - 6);
  return (digits + divisor - 1n) / divisor;
}

/** The double nearest to it. */
export function numberOfExact(exact: Exact): number {
  return Number(decimalOf(microUp(exact)));
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

/** Without the digits in which cutting may have added something. */
function counted(exact: Exact): Exact {
  const { digits, scale } = exact;
  if (digits < COUNTED_BOUND) return exact;
  const cut = Math.min(String(digits).length - COUNTED_DIGITS, scale);
  if (cut <= 0) return exact;
  const divisor = 10n ** BigInt(cut);
  return { digits: (digits + divisor / 2n) / divisor, scale: scale - cut };
}
