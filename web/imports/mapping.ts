/** A mapping as a person edits it: one meaning for each column of a table. */
import { atNumber, NUMBERED_MAX } from '../../clients/readers/definition/numbered.ts';
import { columnsOf, numberedColumnsOf, plainName } from '../../clients/readers/table/header.ts';
import type { ImportMapping, PropertyDefinition } from '../client/operations.ts';

type Columns = NonNullable<ImportMapping['columns']>;
/** Level and key are asked for beside the table: their column may mean something else as well. */
type Field = Exclude<keyof Columns, 'key' | 'keyElse' | 'level' | 'levels' | 'identity'>;
/** `leaveOut`: lines that say yes in it are left out. Empty: nothing is made of it. */
export type Meaning = Field | `property:${string}` | 'leaveOut' | '';

export const fieldMeanings: readonly { value: Field | 'leaveOut'; label: string }[] = [
  { value: 'number', label: 'Number' },
  { value: 'name', label: 'Name' },
  { value: 'category', label: 'Category' },
  { value: 'guid', label: 'GUID' },
  { value: 'quantity', label: 'Quantity in the parent' },
  { value: 'parent', label: 'Number of the parent' },
  { value: 'findNumber', label: 'Position (find number)' },
  { value: 'references', label: 'Reference designators' },
  { value: 'unit', label: 'Unit' },
  { value: 'note', label: 'Note on this use' },
  { value: 'leaveOut', label: 'Lines with a yes are left out' },
];

const fields = fieldMeanings.map(({ value }) => value).filter((value) => value !== 'leaveOut');

/** As the readers compare the names of columns. */
export function isSame(column: string | readonly string[] | undefined, title: string): boolean {
  if (column === undefined) return false;
  const columns = typeof column === 'string' ? [column] : column;
  return columns.some((one) => plainName(one) === plainName(title));
}

export function meaningOf(mapping: ImportMapping, title: string): Meaning {
  const { columns = {}, properties = {}, exclude = [] } = mapping;
  const field = fields.find((one) => isSame(columns[one], title));
  if (field !== undefined) return field;
  const property = Object.entries(properties).find(([, source]) => isSame(columnOf(source), title));
  if (property !== undefined) return `property:${property[0]}`;
  return exclude.some(({ column }) => isSame(column, title)) ? 'leaveOut' : '';
}

/** The mapping with another meaning of one column. A meaning is given once: whoever had it loses it. */
export function withMeaning(
  mapping: ImportMapping,
  title: string,
  meaning: Meaning,
  definitions: readonly PropertyDefinition[],
): ImportMapping {
  const columns: Columns = { ...mapping.columns };
  for (const field of fields) if (isSame(columns[field], title) || field === meaning) delete columns[field];
  const property = meaning.startsWith('property:') ? meaning.slice('property:'.length) : null;
  const properties = Object.fromEntries(
    Object.entries(mapping.properties ?? {}).filter(
      ([key, source]) => key !== property && !isSame(columnOf(source), title),
    ),
  );
  const exclude = (mapping.exclude ?? []).filter(({ column }) => !isSame(column, title));
  if (property !== null) {
    const type = definitions.find(({ key }) => key === property)?.type ?? 'text';
    properties[property] = type === 'text' ? title : { column: title, type };
  } else if (meaning === 'leaveOut') exclude.push({ column: title });
  else if (meaning !== '') Object.assign(columns, { [meaning]: title });
  return { ...mapping, columns, properties, exclude, structure: structureOf(mapping, columns) };
}

/** A parent column says what the structure is; without it there is none by it. */
function structureOf({ structure = 'flat' }: ImportMapping, columns: Columns): ImportMapping['structure'] {
  if (columns.parent !== undefined) return structure === 'flat' ? 'parent' : structure;
  return structure === 'parent' ? 'flat' : structure;
}

/** A column that is not understood is named, never dropped in silence. */
export function unusedOf(mapping: ImportMapping, titles: readonly string[]): string[] {
  const numbered = numberedColumnsOf(mapping).flatMap((column) =>
    Array.from({ length: NUMBERED_MAX }, (_, at) => atNumber(column, at + 1)),
  );
  const used = new Set([...columnsOf(mapping), ...numbered].map(plainName));
  return titles.filter((title) => !used.has(plainName(title)));
}

/** The columns of a header, each once and without the blanks around it. */
export function titlesOf(header: readonly string[]): string[] {
  const titles = header.map((cell) => cell.replaceAll(/\s+/g, ' ').trim()).filter((title) => title !== '');
  return titles.filter((title, at) => titles.findIndex((one) => isSame(one, title)) === at);
}

function columnOf(source: string | { column: string }): string {
  return typeof source === 'string' ? source : source.column;
}
