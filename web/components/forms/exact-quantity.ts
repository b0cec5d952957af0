/**
 * Quantities as they are typed or pasted, in whichever field, and exact sums and products of them: six places, never a float on its way.
 *
 * Point and comma both stand before decimals, and nothing stands between thousands. Three digits behind a point or comma, and one to
 * three before it, may be either: 2,500 as the app prints it is 2500 and elsewhere 2.5; 1.125 is 1.125 and elsewhere 1125. Nobody can
 * know, so they are refused, with both ways to write it: 2500 or 2.5, 1125 or 1.1250. Nobody writes thousands behind a zero or behind
 * four digits: 0,125 and 1234.500 are decimals. Fields are filled in by `typedQuantity`, which writes nothing that would be refused.
 */
const form = /^[+\-−]?\d{0,9}(?:[.,]\d{1,6})?$/;
const twofold = /^[+\-−]?[1-9]\d{0,2}[.,]\d{3}$/;

/** What was typed, as a number; null while it is none, or could be two. */
export function readQuantity(text: string): number | null {
  const trimmed = text.trim();
  if (!form.test(trimmed) || !/\d/.test(trimmed) || twofold.test(trimmed)) return null;
  return withPoint(trimmed);
}

/** Why it is not read, and how to write it; null where it is. */
export function quantityFault(text: string): string | null {
  if (readQuantity(text) !== null) return null;
  return (
    twofoldFault(text) ??
    `“${text.trim()}” is no quantity: at most 9 digits, 6 decimal places, and nothing between thousands.`
  );
}

/** The same of any number, which may have more digits than a quantity: null where it can be read in one way only. */
export function twofoldFault(text: string): string | null {
  const trimmed = text.trim();
  if (!twofold.test(trimmed)) return null;
  const ways = `${trimmed.replace('−', '-').replace(/[.,]/, '')} or ${typedQuantity(withPoint(trimmed))}`;
  return `“${trimmed}” can be read in two ways: write ${ways}.`;
}

/** As it stands in a field to be typed over: what would have exactly three decimal places has four. */
export function typedQuantity(value: number): string {
  const text = String(value);
  return twofold.test(text) ? `${text}0` : text;
}

function withPoint(text: string): number {
  return Number(text.replace('−', '-').replace(',', '.'));
}

/** Exact sums and products of quantities: in millionths. */
export function toMillionths(value: number): bigint {
  return BigInt(Math.round(value * 1_000_000));
}

export function fromMillionths(value: bigint): number {
  return Number(value) / 1_000_000;
}

export function exactSum(values: readonly number[]): number {
  return fromMillionths(values.reduce((sum, value) => sum + toMillionths(value), 0n));
}

/** What is left of one when another is taken from it: 0.3 less 0.1 is 0.2. */
export function exactDifference(from: number, taken: number): number {
  return fromMillionths(toMillionths(from) - toMillionths(taken));
}

export function multiplyExactly(a: bigint, b: bigint): bigint {
  return (a * b) / 1_000_000n;
}
