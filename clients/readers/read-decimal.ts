/** Numbers as people and tools write them. A text that is not surely a number is none: never 0, never a guess. */

export type DecimalSign = '.' | ',';

/** `unambiguous`: nothing says which sign is the decimal one, so only texts with one possible meaning are numbers. */
export type DecimalRule = DecimalSign | 'unambiguous';

/** At most 9 digits before and 6 behind the sign: the service keeps these exactly. */
const INTEGER_DIGITS = 9;
const FRACTION_DIGITS = 6;

/** Characters of a number with its unit; a longer text is none. It bounds the work on a text that looks like a number for long. */
const NUMBER_CHARACTERS_MAX = 500;

export interface Amount {
  value: number;
  /** The text behind the number: `kg`, `Stk`. Empty where there is none. */
  unit: string;
}

/**
 * `1.250,75` (with `,`), `$2,000.00`, `0.3 kg`, `2.000000`, `-4`, `1/2`, `1 1/2`, `½`. Null where the text is not one number:
 * two decimal signs, groups that are not of three, digits in the unit.
 */
export function readDecimal(text: string, rule: DecimalRule): Amount | null {
  if (text.trim().length > NUMBER_CHARACTERS_MAX) return null;
  const fraction = readFraction(text);
  if (fraction !== null) return fraction;
  const plain = text.normalize('NFKC').replaceAll('\u2212', '-').trim();
  const found = /^([$€£¥]?\s*)([-+]?)([\d.,'\s\u2019]*\d)(?:[eE]([-+]?\d{1,2}))?\s*(\D*[23]?)$/.exec(plain);
  if (found === null || !isUnit(found[5] ?? '')) return null;
  const [, , minus = '', figures = '', exponent, unit = ''] = found;
  const sign = rule === 'unambiguous' ? onlySign(figures) : rule;
  if (sign === null) return null;
  const grouped = sign === '.' ? ',' : '.';
  const [whole = '', decimals = '', ...rest] = figures.split(sign);
  if (rest.length > 0 || /\D/.test(decimals)) return null;
  const digits = ungrouped(whole, grouped);
  if (digits === null || (digits === '' && decimals === '')) return null;
  const value = Number(`${minus}${digits === '' ? '0' : digits}.${decimals || '0'}e${exponent ?? '0'}`);
  return Number.isFinite(value) ? { value, unit: unit.trim() } : null;
}

/** A unit begins with a letter or a sign of a unit: `-Jan` and `+ spare` are none. Squares and cubes end in a digit. */
function isUnit(text: string): boolean {
  return (
    text === '' ||
    (/^[\p{L}\p{Sc}%‰°"'″′()[\]#]/u.test(text) &&
      (!/\d/.test(text) || /^(?:[kcdmµμ]?m|in|ft|yd)[23]$/i.test(text)))
  );
}

/** `1,000` and `1.000`: one group of three behind one to three digits, of which the first is not 0. */
const twoReadings = /^[1-9]\d{0,2}([.,])\d{3}$/;

/** Both readings of a number that can be two; null where it has one. */
export function bothReadings(text: string): [thousands: number, decimals: number] | null {
  const figures = /(?<![\d.,])[\d.,]*\d/.exec(text.trim())?.[0] ?? '';
  if (!twoReadings.test(figures)) return null;
  return [Number(figures.replace(/[.,]/, '')), Number(figures.replace(',', '.'))];
}

/** The decimal sign that the figures show by themselves; null where they can be read in two ways. */
export function onlySign(figures: string): DecimalSign | null {
  if (twoReadings.test(figures)) return null;
  const signs = figures.match(/[.,]/g) ?? [];
  const [first] = signs;
  if (first === undefined) return '.';
  const last = signs.at(-1) as DecimalSign;
  // The last of two different signs is the decimal one; a sign that stands several times groups.
  if (signs.some((sign) => sign !== last)) return last;
  if (signs.length > 1) return last === '.' ? ',' : '.';
  return last;
}

const halves: Readonly<Record<string, string>> = {
  '½': '1/2',
  '¼': '1/4',
  '¾': '3/4',
  '⅓': '1/3',
  '⅔': '2/3',
  '⅛': '1/8',
  '⅜': '3/8',
  '⅝': '5/8',
  '⅞': '7/8',
  '⅕': '1/5',
};

/** `1/2`, `½`, `1 1/2`, `1½`, each with a unit behind it or without; null for anything else. */
function readFraction(text: string): Amount | null {
  if (!/[/⁄½¼¾⅓⅔⅛⅜⅝⅞⅕]/.test(text)) return null;
  const plain = text.replace(/[½¼¾⅓⅔⅛⅜⅝⅞⅕]/, (sign) => ` ${halves[sign]}`).trim();
  const found = /^(?:(\d{1,9})\s+)?(\d{1,6})\s*[/⁄]\s*(\d{1,6})\s*([^\d]*)$/.exec(plain);
  if (found === null) return null;
  const [, whole = '0', above, below, unit = ''] = found;
  if (Number(below) === 0 || !isUnit(unit)) return null;
  return { value: roundQuantity(Number(whole) + Number(above) / Number(below)), unit: unit.trim() };
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
