/** Completes a definition by the units in titles of columns: once for suggestions, files of the command line, the app and the service. */
import type { ImportDefinitionInput } from './import-definition.schema.ts';
import { hintOf, type PropertyHint } from './suggest-properties.ts';
import type { SuggestionNote } from './suggestion.ts';
import { converts, isTitleUnit, unitOfTitle, unitTextOfTitle } from './title-unit.ts';

type Properties = NonNullable<ImportDefinitionInput['properties']>;
type Source = Properties[string];

export interface WithUnits<Of> {
  definition: Of;
  /** A sentence for each column whose title names another unit than that of its property. */
  notes: SuggestionNote[];
}

/** Whether a property of the definition takes a column whose title may name a unit. */
export function namesUnits({ properties = {} }: Pick<ImportDefinitionInput, 'properties'>): boolean {
  return Object.values(properties).some((source) => isOfNumbers(source) && textOfUnit(source) !== null);
}

/** Returns the definition in which numbers of such columns have the unit of their title. Units that the definition names stay. */
export function withTitleUnits<Of extends Pick<ImportDefinitionInput, 'properties'>>(
  definition: Of,
  hints: readonly Pick<PropertyHint, 'key' | 'type' | 'unit'>[],
): WithUnits<Of> {
  const notes: SuggestionNote[] = [];
  const properties = { ...definition.properties };
  for (const [key, source] of Object.entries(properties)) {
    const hint = hints.find((one) => one.key === key);
    const text = isOfNumbers(source) ? textOfUnit(source) : null;
    if (hint?.type !== 'numeric' || hint.unit == null || text === null || text === hint.unit) continue;
    const column = columnOf(source);
    const note = noteOf(column, text, { key, unit: hint.unit });
    notes.push(note);
    if (note.code !== 'unit_unknown')
      properties[key] = { column, type: 'numeric', withUnit: true, unit: text };
  }
  return { definition: notes.length === 0 ? definition : { ...definition, properties }, notes };
}

function noteOf(column: string, text: string, { key, unit }: { key: string; unit: string }): SuggestionNote {
  const isKnown = isTitleUnit(text);
  const fits = converts(text, unit);
  // A letter is the symbol of a quantity as often as a unit: `Width (W)`.
  if (!isKnown || (fits === false && text.length === 1)) {
    const message = `"${column}": "${text}" is no unit that fits, so the numbers are read in ${unit}, the unit of ${key}.`;
    return { code: 'unit_unknown', message };
  }
  if (fits === false) {
    const message = `"${column}" is in ${text}, which does not convert to ${unit}, the unit of ${key}: its numbers are not written. Give the column another meaning, or correct the unit of the property.`;
    return { code: 'unit_unfit', message };
  }
  const message = `"${column}" is in ${text}: its numbers are converted to ${unit}, the unit of ${key}.`;
  return { code: 'unit_converted', message };
}

/** Factors that the definition names come before units that the service knows. */
function isOfNumbers(source: Source): boolean {
  if (typeof source === 'string') return true;
  return (
    source.units === undefined &&
    (source.type === undefined || source.type === 'text' || source.type === 'numeric')
  );
}

function textOfUnit(source: Source): string | null {
  const own = typeof source === 'string' ? undefined : source.unit;
  return own ?? unitTextOfTitle(columnOf(source));
}

function columnOf(source: Source): string {
  return typeof source === 'string' ? source : source.column;
}

/** Does the same for a suggestion, and names the columns that it leaves out because their unit does not convert. */
export function suggestedUnits<Of extends Pick<ImportDefinitionInput, 'properties'>>(
  definition: Of,
  titles: readonly string[],
  hints: readonly PropertyHint[],
): WithUnits<Of> {
  const read = withTitleUnits(definition, hints);
  return { ...read, notes: [...read.notes, ...unfitTitles(definition, titles, hints)] };
}

function unfitTitles(
  { properties = {} }: Pick<ImportDefinitionInput, 'properties'>,
  titles: readonly string[],
  hints: readonly PropertyHint[],
): SuggestionNote[] {
  return titles.flatMap((title) => {
    const inUnit = unitOfTitle(title);
    const hint = inUnit === null ? undefined : hintOf(inUnit.stem, hints);
    if (inUnit === null || hint?.type !== 'numeric' || hint.unit == null) return [];
    if (converts(inUnit.unit, hint.unit) !== false || Object.hasOwn(properties, hint.key)) return [];
    const message = `"${title}" is left out: ${inUnit.unit} does not convert to ${hint.unit}, the unit of ${hint.key}.`;
    return [{ code: 'unit_unfit' as const, message }];
  });
}
