/** Reads numbers from text without losing digits unnoticed. */

const numericPattern = /^[+-]?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;
/** A double keeps as many decimal digits of any number. */
const SAFE_DIGITS = 15;
const DIGITS_MAX = 101;

/** The number that the text says; null where it says none, and NaN where a double cannot hold all of its digits. */
export function exactNumber(text: string): number | null {
  const match = numericPattern.exec(text);
  if (match === null) return null;
  const [, integer = '', fraction = '', exponent] = match;
  if (integer === '' && fraction === '') return null;
  const value = Number(text);
  if (!Number.isFinite(value)) return null;
  const isShort = integer.length + fraction.length <= SAFE_DIGITS && exponent === undefined;
  if (isShort || keepsDigits(value, integer + fraction, integer.length + Number(exponent ?? 0)))
    return value === 0 ? 0 : value;
  return Number.NaN;
}

/** Whether the value has exactly these digits, the point of which stands behind so many of them, or rounds to no fewer. */
function keepsDigits(value: number, given: string, point: number): boolean {
  const digits = given.replace(/^0+/, '');
  const significant = digits.replace(/(?<!0)0+$/, '');
  if (significant === '') return true;
  if (value === 0 || significant.length >= DIGITS_MAX) return false;
  // The first significant digit stands at this power of ten.
  const power = point - (given.length - digits.length) - 1;
  return (
    Math.abs(value).toExponential(significant.length - 1) ===
    `${pointed(significant)}e${power < 0 ? '' : '+'}${power}`
  );
}

const pointed = (digits: string) => (digits.length === 1 ? digits : `${digits[0]}.${digits.slice(1)}`);
