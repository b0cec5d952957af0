/** Sums, differences and rounding of exact decimals: quantities along paths, before they become stock. */
import type { Exact } from '../entities/exact-product.ts';
import { decimalOf, type Micro } from '../quantity.ts';

export const zero: Exact = { digits: 0n, scale: 0 };

export function add(a: Exact, b: Exact): Exact {
  const scale = Math.max(a.scale, b.scale);
  return { digits: digitsAt(a, scale) + digitsAt(b, scale), scale };
}

/** What of `a` is left when `b` is taken from it; never below zero. */
export function remainder(a: Exact, b: Exact): Exact {
  const scale = Math.max(a.scale, b.scale);
  const digits = digitsAt(a, scale) - digitsAt(b, scale);
  return digits > 0n ? { digits, scale } : zero;
}

export function times(a: Exact, b: Exact): Exact {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale };
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
export function microUp({ digits, scale }: Exact): Micro {
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
