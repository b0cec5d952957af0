/** Adds to a suggested definition what the remaining columns say: properties of the workspace, and who sells the part. */
import type { ImportDefinitionInput } from './import-definition.schema.ts';
import { type PropertyHint, propertiesOf } from './suggest-properties.ts';
import { supplierPartsOf } from './suggest-supplier-parts.ts';
import type { Suggestion, SuggestionNote } from './suggestion.ts';
import { suggestedUnits } from './title-units.ts';
import { unusedColumns } from './unused-columns.ts';

/** Returns the definition with its properties and supplier parts, the columns of which it makes nothing, and the units of titles. */
export function completeDefinition(
  definition: ImportDefinitionInput,
  titles: readonly string[],
  hints: readonly PropertyHint[],
): Pick<Suggestion, 'definition' | 'unused'> & { notes: SuggestionNote[] } {
  const rules = definition.categories?.rules ?? [];
  const used = new Set([
    ...Object.values(definition.columns ?? {}).flat(),
    ...(definition.exclude ?? []).map(({ column }) => column),
    ...rules.map(({ column }) => column),
  ]);
  // A column that only tells parts apart may be a property as well.
  const identity = new Set(definition.columns?.identity);
  const shared = new Set([definition.columns?.key ?? [], definition.columns?.keyElse ?? []].flat());
  const free = titles.filter(
    (title) => !used.has(title) || identity.has(title) || isExtra(title, shared, definition),
  );
  const supplierParts = supplierPartsOf(titles, hints);
  const properties = propertiesOf(free, hints);
  const { definition: read, notes } = suggestedUnits({ ...definition, properties }, free, hints);
  const complete = { ...read, ...(supplierParts.length === 0 ? {} : { supplierParts }) };
  return { definition: complete, unused: unusedColumns(complete, titles), notes };
}

/** A column of a key of several columns, which is neither number nor name. */
function isExtra(
  title: string,
  shared: ReadonlySet<string>,
  { columns = {} }: ImportDefinitionInput,
): boolean {
  return shared.has(title) && columns.number !== title && columns.name !== title;
}
