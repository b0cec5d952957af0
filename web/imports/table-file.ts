/** Tables as they come out of a file, and what their columns mean. */
import type { PropertyDefinition } from '../client/operations.ts';

export interface TableFile {
  name: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

/** Rows of one file that are mapped here; a larger one is sent as NDJSON by a connector. */
export const TABLE_ROWS_MAX = 200_000;

/** What a column is taken for: a field of an element, a property, or nothing. */
export type Meaning =
  | 'guid'
  | 'number'
  | 'name'
  | 'categoryKey'
  | 'parentGuid'
  | 'parentNumber'
  | 'quantity'
  | `property:${string}`
  | '';

export const fieldMeanings: readonly { value: Meaning; label: string }[] = [
  { value: 'number', label: 'Number' },
  { value: 'name', label: 'Name' },
  { value: 'categoryKey', label: 'Category' },
  { value: 'guid', label: 'GUID' },
  { value: 'parentNumber', label: 'Number of the parent' },
  { value: 'parentGuid', label: 'GUID of the parent' },
  { value: 'quantity', label: 'Quantity in the parent' },
];

const known: Readonly<Record<string, Meaning>> = {
  guid: 'guid',
  eguid: 'guid',
  objectguid: 'guid',
  number: 'number',
  partnumber: 'number',
  partno: 'number',
  pn: 'number',
  itemnumber: 'number',
  name: 'name',
  description: 'name',
  title: 'name',
  category: 'categoryKey',
  categorykey: 'categoryKey',
  type: 'categoryKey',
  parentguid: 'parentGuid',
  parent: 'parentNumber',
  parentnumber: 'parentNumber',
  assembly: 'parentNumber',
  usedin: 'parentNumber',
  quantity: 'quantity',
  qty: 'quantity',
  qtyper: 'quantity',
};

const bare = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** What each column most likely means; each meaning is given once. */
export function guessMeanings(
  head: readonly string[],
  definitions: readonly PropertyDefinition[],
): Meaning[] {
  const taken = new Set<Meaning>();
  return head.map((title) => {
    const plain = bare(title);
    const property = definitions.find(({ key, name }) => bare(key) === plain || bare(name) === plain);
    const meaning: Meaning = known[plain] ?? (property === undefined ? '' : `property:${property.key}`);
    if (meaning === '' || taken.has(meaning)) return '';
    taken.add(meaning);
    return meaning;
  });
}

export interface MappedRow {
  guid: string;
  number: string;
  name: string;
  categoryKey: string;
  parentGuid: string;
  parentNumber: string;
  quantity: string;
  properties: Record<string, string>;
}

/** The rows with their values in place; a row in which nothing stands is left out. */
export function mapRows(
  { rows }: TableFile,
  meanings: readonly Meaning[],
  defaultCategory: string,
): MappedRow[] {
  return rows.flatMap((cells) => {
    if (cells.every((cell) => cell.trim() === '')) return [];
    const row: MappedRow = {
      guid: '',
      number: '',
      name: '',
      categoryKey: '',
      parentGuid: '',
      parentNumber: '',
      quantity: '',
      properties: {},
    };
    for (const [at, meaning] of meanings.entries()) {
      const value = (cells[at] ?? '').trim();
      if (meaning === '' || value === '') continue;
      if (meaning.startsWith('property:')) row.properties[meaning.slice('property:'.length)] = value;
      else row[meaning as keyof Omit<MappedRow, 'properties'>] = value;
    }
    if (row.categoryKey === '') row.categoryKey = defaultCategory;
    return [row];
  });
}

/** Numbers whose entities must be known before the rows can be sent: those without a GUID, and parents. */
export function numbersToLookUp(rows: readonly MappedRow[]): string[] {
  const numbers = rows.flatMap(({ guid, number, parentNumber }) => [
    ...(guid === '' ? [number] : []),
    parentNumber,
  ]);
  return [...new Set(numbers)].filter((number) => number !== '');
}

/**
 * The rows as elements of a sync, one a line. An entity without a GUID keeps that of its number; one that nobody
 * knows yet gets a new one.
 */
export function toNdjson(
  rows: readonly MappedRow[],
  guidOfNumber: ReadonlyMap<string, string>,
  newGuid: () => string,
): string {
  const given = new Map(guidOfNumber);
  const guidOf = (number: string) => {
    const found = given.get(number) ?? newGuid();
    if (number !== '') given.set(number, found);
    return found;
  };
  for (const { guid, number } of rows)
    if (guid !== '' && number !== '' && !given.has(number)) given.set(number, guid);
  return rows
    .map((row) => {
      const parentGuid =
        row.parentGuid !== '' ? row.parentGuid : row.parentNumber !== '' ? guidOf(row.parentNumber) : null;
      const quantity = Number(row.quantity.replace(',', '.'));
      return JSON.stringify({
        guid: row.guid === '' ? guidOf(row.number) : row.guid,
        number: row.number,
        name: row.name,
        categoryKey: row.categoryKey,
        parentGuid,
        ...(row.quantity === '' || parentGuid === null
          ? {}
          : { quantity: Number.isFinite(quantity) ? quantity : row.quantity }),
        properties: row.properties,
      });
    })
    .join('\n');
}
