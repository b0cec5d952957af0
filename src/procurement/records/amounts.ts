/** Compares quantities, as `least` and `greatest` do in SQL. */
import type { Micro } from '../../quantity.ts';

export function least(a: Micro, b: Micro): Micro {
  return a < b ? a : b;
}

export function greatest(a: Micro, b: Micro): Micro {
  return a > b ? a : b;
}

export function atLeastZero(value: Micro): Micro {
  return greatest(value, 0n);
}
