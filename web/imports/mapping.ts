/** Edits a mapping as a person sees it: one meaning for each column of a table. */

import { sourceOf } from '../../clients/readers/definition/suggest-properties.ts';
import type { SupplierField } from '../../clients/readers/definition/supplier-parts.ts';
import { distinctTitles, plainName } from '../../clients/readers/table/header.ts';
import type { ImportMapping, PropertyDefinition } from '../client/operations.ts';
import { supplierFieldsOf, withoutSupplierColumn, withSupplierField } from './supplier-columns.ts';

type Columns = NonNullable<ImportMapping['columns']>;
/** Level and key are set beside the table: their column may mean something else as well. */
type Field = Exclude<keyof Columns, 'key' | 'keyElse' | 'level' | 'levels' | 'identity'>;
/** `leaveOut`: lines with a yes are left out. `fitted`: lines with a no are left out. Empty: the column is ignored. */
export type Meaning = Field | `property:${string}` | `supplier:${SupplierField}` | 'leaveOut' | 'fitted' | '';

export const fieldMeanings: readonly { value: Field | 'leaveOut' | 'fitted'; label: string }[] = [
  { value: 'number', label: 'Number' },
  { value: 'name', label: 'Name' },
  { value: 'category', label: 'Category' },
  { value: 'guid', label: 'GUID' },
  { value: 'picture', label: 'Picture (SHA-256)' },
  { value: 'parentLocation', label: 'Location that it lies in' },
  { value: 'quantity', label: 'Quantity per parent' },
  { value: 'parent', label: 'Number or row of the parent' },
  { value: 'row', label: 'Row that parents are named by' },
  { value: 'findNumber', label: 'Position (find number)' },
  { value: 'references', label: 'Reference designators' },
  { value: 'unit', label: 'Unit' },
  { value: 'note', label: 'Note on this line' },
  { value: 'substitutes', label: 'Substitutes' },
  { value: 'lossPercent', label: 'Loss in percent' },
  { value: 'lossFixed', label: 'Fixed loss of each order' },
  { value: 'phantom', label: 'Phantom (a yes or a no)' },
  { value: 'parentName', label: 'Name of the parent' },
  { value: 'leaveOut', label: 'Not fitted (a yes skips the row)' },
  { value: 'fitted', label: 'Fitted (a no skips the row)' },
];

const fields = fieldMeanings
  .map(({ value }) => value)
  .filter((value) => value !== 'leaveOut' && value !== 'fitted');

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
  const [supplierField] = supplierFieldsOf(mapping, title);
  if (supplierField !== undefined) return `supplier:${supplierField}`;
  const rule = exclude.find(({ column }) => isSame(column, title));
  return rule === undefined ? '' : rule.says === 'no' ? 'fitted' : 'leaveOut';
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
    const definition = definitions.find(({ key }) => key === property);
    properties[property] = definition === undefined ? title : sourceOf(title, definition);
  } else if (meaning === 'leaveOut') exclude.push({ column: title });
  else if (meaning === 'fitted') exclude.push({ column: title, says: 'no' });
  else if (meaning !== '' && !isOfSupplier(meaning)) Object.assign(columns, { [meaning]: title });
  const changed = { ...mapping, columns, properties, exclude, structure: structureOf(mapping, columns) };
  // A number that tells parts apart may be that of their manufacturer as well.
  const isOther = meaning === '' || isOfSupplier(meaningOf(mapping, title));
  const open = isOther || isOfSupplier(meaning) ? withoutSupplierColumn(changed, title) : changed;
  return isOfSupplier(meaning)
    ? withSupplierField(open, title, meaning.slice('supplier:'.length) as SupplierField)
    : open;
}

function isOfSupplier(meaning: Meaning): meaning is `supplier:${SupplierField}` {
  return meaning.startsWith('supplier:');
}

/** A parent column says what the structure is; without it there is none by it. */
function structureOf({ structure = 'flat' }: ImportMapping, columns: Columns): ImportMapping['structure'] {
  if (columns.parent !== undefined) return structure === 'flat' ? 'parent' : structure;
  return structure === 'parent' ? 'flat' : structure;
}

/** The columns of a header; the second of one title is "Title (2)", as in definitions. */
export function titlesOf(header: readonly string[]): string[] {
  return distinctTitles(header).filter((title) => title !== '');
}

function columnOf(source: string | { column: string }): string {
  return typeof source === 'string' ? source : source.column;
}
