/** Adds up the totals of the pages of a list of variances, by how the own cost of the arrivals is known. */
import type { VarianceTotal } from './generated/types.ts';

/** Returns one total for each kind, in the order of the pages. */
export function sumVariances(totals: Iterable<VarianceTotal>): VarianceTotal[] {
  const sums = new Map<VarianceTotal['kind'], VarianceTotal>();
  for (const one of totals) {
    const before = sums.get(one.kind);
    sums.set(one.kind, before === undefined ? one : added(before, one));
  }
  return [...sums.values()];
}

function added(one: VarianceTotal, other: VarianceTotal): VarianceTotal {
  const known = [one.variance, other.variance].filter((variance) => variance !== null);
  return {
    kind: one.kind,
    arrivals: one.arrivals + other.arrivals,
    variance: known.length === 0 ? null : textOf(known.reduce((sum, text) => sum + microOf(text), 0n)),
    unknownArrivals: one.unknownArrivals + other.unknownArrivals,
  };
}

/** Reads an exact decimal with at most 6 fractional digits, in millionths. */
function microOf(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(6, '0'));
}

function textOf(micro: bigint): string {
  const digits = String(micro < 0n ? -micro : micro).padStart(7, '0');
  const text = `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
  return micro < 0n ? `-${text}` : text;
}
