/**
 * Fields of a link beside its quantity: find number, reference designators, unit, note, and what a build needs to know: substitutes,
 * losses, phantom. Absent fields are not stored; null, blanks, 0, false and an empty list remove one.
 *
 * A child may stand in several lines of its parent, told apart by their find numbers. It still has one link, whose quantity is the sum of
 * the lines: that is enough for everything that walks over a structure, and for payloads without find numbers. `lines` holds the lines, each
 * with its own quantity and fields. The database merges what is said with what is stored (`merge_link_line`): one rule for all writers.
 */

export const linkLimits = {
  findNumberCharsMax: 64,
  unitCharsMax: 32,
  noteCharsMax: 1024,
  designatorsMax: 2000,
  designatorCharsMax: 64,
  /** Characters of all designators of a link with their separators: pages and trees show them whole. */
  designatorCharsOfAllMax: 16_384,
  /** Lines of one child in one parent. */
  linesMax: 100,
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

/** The fields of one line in stored form: only what there is, designators sorted and each once. */
export interface LineFields {
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

/** Describes one of several lines of a child in one parent. */
export interface PartLine extends LineFields {
  quantity: number;
}

/** The stored form of a link's fields: those of its only line, or `lines` and nothing else. */
export interface LinkLine extends LineFields {
  /** At least two, in the order of their find numbers, which are distinct. */
  lines?: PartLine[];
}

/** The form of callers: null clears, what is absent stays as it is stored. */
export type SaidFields = { [Field in keyof LineFields]?: LineFields[Field] | null };
export type SaidPart = SaidFields & { quantity: number };
export type SaidLine = SaidFields & { lines?: SaidPart[] };

/** A link without its ends. */
export interface LinkContent {
  /** numeric(15, 6) as text, or a number. */
  quantity: string | number;
  line: LinkLine | null;
}

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
/** The fields that changes name: the quantity of a line is one of them where a child has several lines. */
export const changedFields = [...lineFields, 'quantity'] as const;
export type ChangedField = (typeof changedFields)[number];

/** Returns the lines of a link: nearly always one. */
export function linesOf({ quantity, line }: LinkContent): PartLine[] {
  return line?.lines ?? [{ ...line, quantity: Number(quantity) }];
}

/** Whether the designators of all lines of a link keep the limits together. */
export function designatorsFit(link: LinkContent): boolean {
  const all = linesOf(link).flatMap(({ referenceDesignators = [] }) => referenceDesignators);
  const chars = all.reduce((sum, one) => sum + one.length + 1, 0);
  return all.length <= linkLimits.designatorsMax && chars <= linkLimits.designatorCharsOfAllMax;
}

/** Tells the lines of one child in one parent apart. */
export function lineKey({ findNumber }: SaidFields): string {
  return findNumber ?? '';
}

/** Returns what is said of a link by its lines: of a single line its fields, of several all of them in order. */
export function saidOfLines(lines: readonly SaidPart[]): SaidLine {
  const [only, ...others] = lines;
  if (only === undefined || others.length > 0)
    return { lines: lines.toSorted((a, b) => compareDesignators(lineKey(a), lineKey(b))) };
  const { quantity: _, ...fields } = only;
  return fields;
}

/** A value of a field as changes show it. */
export type ShownValue = string | string[] | null;

function shownValue(line: LineFields | null, field: LineField): ShownValue {
  const value = line?.[field];
  if (value === undefined) return null;
  if (field === 'substitutes')
    return (value as Substitute[]).map(({ guid, rank, ratio }) => `${rank}: ${ratio} × ${guid}`);
  return Array.isArray(value) ? (value as string[]) : String(value);
}

export interface LineChange {
  /** Find number of the line where the child has several lines before or after; empty for a line without. */
  line?: string;
  field: ChangedField;
  from: ShownValue;
  to: ShownValue;
}

/**
 * Returns the fields that differ, in their order; absent is null. Of a link with several lines each line is compared with the line of the
 * same find number, its quantity too; the quantity of a link with one line is not among the fields.
 */
export function differingFields(one: LinkContent | null, other: LinkContent | null): LineChange[] {
  if (one?.line?.lines === undefined && other?.line?.lines === undefined)
    return differingIn(one?.line ?? null, other?.line ?? null);
  const [before, after] = [one, other].map(
    (link) => new Map((link === null ? [] : linesOf(link)).map((line) => [lineKey(line), line])),
  ) as [Map<string, PartLine>, Map<string, PartLine>];
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort(compareDesignators);
  return keys.flatMap((line): LineChange[] => {
    const [from, to] = [before.get(line) ?? null, after.get(line) ?? null];
    const changes: LineChange[] = differingIn(from, to);
    if (from?.quantity !== to?.quantity)
      changes.unshift({ field: 'quantity', from: quantityText(from), to: quantityText(to) });
    return changes.map((change) => ({ line, ...change }));
  });
}

function quantityText(line: PartLine | null): string | null {
  return line === null ? null : String(line.quantity);
}

function differingIn(
  one: LineFields | null,
  other: LineFields | null,
): { field: LineField; from: ShownValue; to: ShownValue }[] {
  return lineFields.flatMap((field) => {
    const [from, to] = [shownValue(one, field), shownValue(other, field)];
    return textOf(from) === textOf(to) ? [] : [{ field, from, to }];
  });
}

function textOf(value: string | string[] | null): string {
  return value === null ? '' : typeof value === 'string' ? `"${value}` : value.join('\u0000');
}

/** Shows the fields of a link. Of several lines the first speaks for the link, with the designators of all. */
export function showLine(line: LinkLine | null | undefined) {
  const lines = line?.lines;
  const [first] = lines ?? [];
  if (lines === undefined || first === undefined) return showFields(line);
  return {
    ...showFields(first),
    referenceDesignators: sortDesignators(lines.flatMap((one) => one.referenceDesignators ?? [])),
    unit: lines.every(({ unit }) => unit === first.unit) ? (first.unit ?? null) : null,
    lines: lines.map((one) => ({ quantity: one.quantity, ...showFields(one) })),
  };
}

function showFields(line: LineFields | null | undefined) {
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
