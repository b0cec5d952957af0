/** The rules by which lines of a table are left out: not fitted, reference lines, phantoms. */
import { meansNotFitted } from '../not-fitted.ts';
import type { ColumnFacts } from './column-facts.ts';
import type { Roles } from './column-roles.ts';
import type { ImportDefinitionInput } from './import-definition.schema.ts';
import type { Structure } from './suggest-structure.ts';
import type { SuggestionNote } from './suggestion.ts';

type Exclusions = NonNullable<ImportDefinitionInput['exclude']>;

/** Lines that only show something that is not part of the product, in the words of CAD systems. */
const reference = /^(?:reference|referenz|référence|riferimento|referencia|reference only|ref)$/i;
const phantom = /^(?:phantom|phantombaugruppe|fantôme|fantasma|dummy)$/i;

const RULES_MAX = 20;

export function leftOutRules(
  roles: Roles,
  { structure }: Pick<Structure, 'structure'>,
): { exclude: Exclusions; warnings: SuggestionNote[] } {
  const exclude: Exclusions = [
    ...roles.all('notFitted').map(({ title }) => ({ column: title })),
    ...roles.all('fitted').map(({ title }) => ({ column: title, says: 'no' as const })),
  ];
  const value =
    roles.facts('value') ?? (roles.facts('references') === undefined ? undefined : roles.facts('name'));
  if (value !== undefined && (roles.facts('references') !== undefined || value.hasNotFittedValues)) {
    exclude.push({ column: value.title, says: 'notFitted' });
  }
  const flags = roles.table.filter(
    (column) =>
      column !== value &&
      (!roles.isTaken(column) || roles.all('revision').includes(column)) &&
      column.share(isFlag) === 1 &&
      column.texts.some(meansNotFitted),
  );
  exclude.push(...flags.map(({ title }) => ({ column: title, says: 'notFitted' as const })));
  const warnings: SuggestionNote[] = [];
  const kind = roles.facts('lineKind');
  if (kind !== undefined) {
    const references = wordsIn(kind, reference);
    if (references.length > 0) exclude.push({ column: kind.title, values: references });
    const phantoms = wordsIn(kind, phantom);
    if (phantoms.length > 0) {
      const message =
        structure === 'flat'
          ? `Lines whose ${kind.title} is ${phantoms.join(', ')} are left out: they are groups, and what they group stands in lines of its own.`
          : `Lines whose ${kind.title} is ${phantoms.join(', ')} become assemblies like others.`;
      warnings.push({ code: 'phantom_lines', message });
      if (structure === 'flat') exclude.push({ column: kind.title, values: phantoms });
    }
  }
  return { exclude: exclude.slice(0, RULES_MAX), warnings };
}

/** One short word or nothing, as a column of flags has them. */
function isFlag(text: string): boolean {
  return text.length <= 20;
}

function wordsIn(column: ColumnFacts, form: RegExp): string[] {
  return [...new Set(column.texts.filter((text) => form.test(text)))];
}
