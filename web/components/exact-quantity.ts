/** Quantities as they are typed, and exact sums and products of them: six places, never a float on its way. */
const form = /^[+\-−]?\d{0,9}(?:[.,]\d{1,6})?$/;

/** What was typed, as a number; null while it is none. */
export function readQuantity(text: string): number | null {
  const trimmed = text.trim();
  if (!form.test(trimmed) || !/\d/.test(trimmed)) return null;
  return Number(trimmed.replace('−', '-').replace(',', '.'));
}

/** Exact sums and products of quantities: in millionths. */
export function toMillionths(value: number): bigint {
  return BigInt(Math.round(value * 1_000_000));
}

export function fromMillionths(value: bigint): number {
  return Number(value) / 1_000_000;
}

/** What is left of one when another is taken from it: 0.3 less 0.1 is 0.2. */
export function exactDifference(from: number, taken: number): number {
  return fromMillionths(toMillionths(from) - toMillionths(taken));
}

export function multiplyExactly(a: bigint, b: bigint): bigint {
  return (a * b) / 1_000_000n;
}
