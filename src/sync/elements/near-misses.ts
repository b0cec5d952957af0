/** Finds names that are almost right: fields of an element and keys of categories. */
import { lineFields } from '../../entities/links/link-line.ts';

const fields = [
  'guid',
  'number',
  'name',
  'categoryKey',
  'parentGuid',
  'quantity',
  'level',
  'properties',
  ...lineFields,
  'picture',
  'parentLocation',
  'supplierParts',
  'hasChildren',
  'sourceWarnings',
] as const;
const known: ReadonlySet<string> = new Set(fields);

/** Names that other systems use for these fields. */
const otherNames: Readonly<Record<string, (typeof fields)[number]>> = {
  id: 'guid',
  uuid: 'guid',
  partnumber: 'number',
  partno: 'number',
  itemnumber: 'number',
  title: 'name',
  category: 'categoryKey',
  parent: 'parentGuid',
  parentid: 'parentGuid',
  parentuuid: 'parentGuid',
  parentlocationguid: 'parentLocation',
  parentlocationid: 'parentLocation',
  qty: 'quantity',
  quant: 'quantity',
  amount: 'quantity',
  count: 'quantity',
  suppliers: 'supplierParts',
  supplierpart: 'supplierParts',
  attributes: 'properties',
  props: 'properties',
  findno: 'findNumber',
  refdes: 'referenceDesignators',
  designators: 'referenceDesignators',
  designator: 'referenceDesignators',
  uom: 'unit',
  units: 'unit',
  remark: 'note',
  comment: 'note',
};

/** The nearest field by name. The cache is bounded, because callers choose the names. */
const remembered = new Map<string, string | null>();
const REMEMBERED_MAX = 1000;

/** Matches names that can be a typing error: others cannot be shown or are too long. */
const printable = /^[\x20-\x7e]{1,64}$/;

/** Names of the element that are nearly those of fields which it does not have; null where there are none, as nearly always. */
export function misspelledFields(element: Readonly<Record<string, unknown>>): string[] | null {
  let found: string[] | null = null;
  for (const name in element) {
    if (known.has(name)) continue;
    if (!printable.test(name)) continue;
    const field = nearestField(name);
    if (field === null || element[field] !== undefined) continue;
    found ??= [];
    found.push(name);
  }
  return found;
}

/** The field that is nearly called so; null where none is. */
export function nearestField(name: string): string | null {
  const before = remembered.get(name);
  if (before !== undefined) return before;
  const plain = plainOf(name);
  const field = Object.hasOwn(otherNames, plain) ? (otherNames[plain] as string) : nearest(name, fields);
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.set(name, field);
  return field;
}

/** Beyond these nothing is compared: texts that callers send, and names that the workspace has. */
const CHARS_MAX = 64;
const NAMES_MAX = 1000;

/** The name that differs least from the given one, by case, separators or a few letters; null where none is near. */
export function nearest(given: string, names: Iterable<string>): string | null {
  if (given.length > CHARS_MAX) return null;
  const plain = plainOf(given);
  if (plain === '') return null;
  let best: string | null = null;
  // About one letter of four may differ, and two at most.
  let bestDistance = Math.min(2, Math.round(plain.length / 4)) + 1;
  let looked = 0;
  for (const name of names) {
    if (looked++ === NAMES_MAX) break;
    const other = plainOf(name);
    const distance =
      Math.abs(other.length - plain.length) >= bestDistance ? bestDistance : distanceOf(plain, other);
    if (distance >= bestDistance) continue;
    best = name;
    bestDistance = distance;
  }
  return best;
}

const plainOf = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Letters to insert, delete, replace or swap with their neighbour (optimal string alignment). */
function distanceOf(a: string, b: string): number {
  let [before, last, row] = [
    [] as number[],
    Array.from({ length: b.length + 1 }, (_, i) => i),
    [] as number[],
  ];
  for (let i = 1; i <= a.length; i++) {
    row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + cost,
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] as number) + 1);
      row[j] = least;
    }
    [before, last] = [last, row];
  }
  return last[b.length] as number;
}

/** The misspelled fields that one import warns of. Callers choose the names. */
const MISSPELLED_MAX = 20;

/** Notes the first element, in the order of the payload, that has each of the names. */
export function noteMisspelled(noted: Map<string, number>, index: number, names: readonly string[]): void {
  for (const name of names) {
    const first = noted.get(name);
    if (first === undefined && noted.size >= MISSPELLED_MAX) return;
    if (first === undefined || index < first) noted.set(name, index);
  }
}
