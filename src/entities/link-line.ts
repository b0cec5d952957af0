/**
 * Fields of a link beside its quantity: find number, reference designators, unit, note, and what a build needs to know: substitutes,
 * losses, phantom. Absent fields are not stored; null, blanks, 0, false and an empty list remove one.
 */

export const linkLimits = {
  findNumberCharsMax: 64,
  unitCharsMax: 32,
  noteCharsMax: 1024,
  designatorsMax: 2000,
  designatorCharsMax: 64,
  /** Characters of all designators of a link with their separators: pages and trees show them whole. */
  designatorCharsOfAllMax: 16_384,
  substitutesMax: 20,
  substituteRankMax: 1000,
  lossPercentMax: 1000,
} as const;

/** An item that may be used instead of the child: `ratio` of it replace one of the child. The lowest rank comes first. */
export interface Substitute {
  guid: string;
  rank: number;
  ratio: number;
}

/** The stored form: only what there is, designators sorted and each once. */
export interface LinkLine {
  findNumber?: string;
  referenceDesignators?: string[];
  unit?: string;
  note?: string;
  substitutes?: Substitute[];
  /** Quantity that is lost on top, in percent of the quantity, and for each order whatever its size. */
  lossPercent?: number;
  lossFixed?: number;
  /** The child is not kept in stock for this parent: its own components are needed instead. */
  phantom?: boolean;
}

/** The form of callers: null clears, what is absent stays as it is stored. */
export type SaidLine = { [Field in keyof LinkLine]?: LinkLine[Field] | null };

export const lineFields = [
  'findNumber',
  'referenceDesignators',
  'unit',
  'note',
  'substitutes',
  'lossPercent',
  'lossFixed',
  'phantom',
] as const;
export type LineField = (typeof lineFields)[number];

/** Returns what is stored after `said`; null if nothing is left. */
export function mergeLines(stored: LinkLine | null, said: SaidLine): LinkLine | null {
  const merged: LinkLine = {};
  for (const field of lineFields) {
    const value = said[field] === undefined ? stored?.[field] : said[field];
    const isEmpty = Array.isArray(value) ? value.length === 0 : !value;
    if (!isEmpty) Object.assign(merged, { [field]: value });
  }
  return Object.keys(merged).length === 0 ? null : merged;
}

/** A value of a field as changes show it. */
export type ShownValue = string | string[] | null;

function shownValue(line: LinkLine | null, field: LineField): ShownValue {
  const value = line?.[field];
  if (value === undefined) return null;
  if (field === 'substitutes')
    return (value as Substitute[]).map(({ guid, rank, ratio }) => `${rank}: ${ratio} × ${guid}`);
  return Array.isArray(value) ? (value as string[]) : String(value);
}

/** Fields that differ, in their order; absent is null. */
export function differingFields(
  one: LinkLine | null,
  other: LinkLine | null,
): { field: LineField; from: ShownValue; to: ShownValue }[] {
  return lineFields.flatMap((field) => {
    const [from, to] = [shownValue(one, field), shownValue(other, field)];
    return textOf(from) === textOf(to) ? [] : [{ field, from, to }];
  });
}

function textOf(value: string | string[] | null): string {
  return value === null ? '' : typeof value === 'string' ? `"${value}` : value.join('\u0000');
}

/** A link's line as the API shows it. */
export function showLine(line: LinkLine | null | undefined) {
  return {
    findNumber: line?.findNumber ?? null,
    referenceDesignators: line?.referenceDesignators ?? [],
    unit: line?.unit ?? null,
    note: line?.note ?? null,
    substitutes: line?.substitutes ?? [],
    lossPercent: line?.lossPercent ?? 0,
    lossFixed: line?.lossFixed ?? 0,
    phantom: line?.phantom ?? false,
  };
}

/** Returns substitutes in the order of their ranks; one that is named twice keeps its first rank. */
export function sortSubstitutes(substitutes: readonly Substitute[]): Substitute[] {
  const sorted = substitutes.toSorted((a, b) => a.rank - b.rank || (a.guid < b.guid ? -1 : 1));
  const distinct = new Map<string, Substitute>();
  for (const one of sorted) if (!distinct.has(one.guid)) distinct.set(one.guid, one);
  return [...distinct.values()];
}

/** Each once, R2 before R10: the order in which they were said is of no account, and no difference. */
export function sortDesignators(designators: Iterable<string>): string[] {
  return [...new Set(designators)].sort(compareDesignators);
}

/** Runs of digits by their value, all else by its code. */
function compareDesignators(a: string, b: string): number {
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const [endA, endB] = [endOfDigits(a, i), endOfDigits(b, j)];
    if (endA > i && endB > j) {
      const [one, other] = [withoutZeros(a.slice(i, endA)), withoutZeros(b.slice(j, endB))];
      if (one.length !== other.length) return one.length - other.length;
      if (one !== other) return one < other ? -1 : 1;
      [i, j] = [endA, endB];
      continue;
    }
    const [one, other] = [a.charCodeAt(i++), b.charCodeAt(j++)];
    if (one !== other) return one - other;
  }
  const rest = a.length - i - (b.length - j);
  return rest !== 0 ? rest : a < b ? -1 : a > b ? 1 : 0;
}

function endOfDigits(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 48 || code > 57) break;
  }
  return at;
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}

/** Normalises designators as `link_designator` does: capitals of A to Z. */
export function designatorKey(designator: string): string {
  return designator.trim().replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
}
