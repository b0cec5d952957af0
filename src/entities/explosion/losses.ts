/** Says how much of a component is lost on the way into its parent. A fixed loss is added to a need (`explode.ts`), one in percent multiplies it. */
import { add, type Exact, exactOfDecimal, one, times, zero } from '../../quantity.ts';

/** Returns the quantity of a link with its loss in percent. */
export function withLoss(quantity: Exact, percent: Exact): Exact {
  if (percent.digits === 0n) return quantity;
  return times(quantity, add(one, { digits: percent.digits, scale: percent.scale + 2 }));
}

/** Converts a quantity or loss of a line: these have at most six fractional digits. */
export function exactOfNumber(value: number | undefined): Exact {
  if (value === undefined) return zero;
  // From 1e21 on, toFixed writes an exponent.
  return exactOfDecimal(value < 1e21 ? value.toFixed(6) : BigInt(value).toString());
}
