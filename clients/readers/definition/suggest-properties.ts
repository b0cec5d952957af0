/** Decides which columns become which properties, by the properties that the workspace defines. */
import { bareTitle } from './column-titles.ts';
import type { ImportDefinitionInput } from './import-definition.schema.ts';
import { NUMBER_SIGN } from './numbered.ts';
import { converts, unitOfTitle } from './title-unit.ts';

export interface PropertyHint {
  key: string;
  name: string;
  /** Columns of choices and addresses are texts. */
  type: ReadType | 'choice' | 'url';
  /** The unit of its values; null or absent for none. */
  unit?: string | null;
}
type ReadType = 'text' | 'numeric' | 'date' | 'boolean' | 'reference';
type Source = string | { column: string; type: ReadType; withUnit?: true; unit?: string };

export function propertiesOf(
  titles: readonly string[],
  hints: readonly PropertyHint[],
): NonNullable<ImportDefinitionInput['properties']> {
  const hits = titles.flatMap((title) => {
    const hint = hintOf(title, hints);
    return hint === undefined ? [] : [{ title, hint }];
  });
  const taken = new Set(hits.map(({ hint }) => hint));
  // A title with a unit, such as `Mass (g)`, is the property Mass, where the unit converts to that of the property.
  for (const title of titles) {
    const inUnit = unitOfTitle(title);
    const hint = inUnit === null ? undefined : hintOf(inUnit.stem, hints);
    if (inUnit === null || hint?.type !== 'numeric' || hint.unit == null || taken.has(hint)) continue;
    if (hintOf(title, hints) !== undefined || converts(inUnit.unit, hint.unit) === false) continue;
    taken.add(hint);
    hits.push({ title, hint });
  }
  // Several numbered columns may fit one property: the first of them is taken.
  for (const title of titles) {
    const plain = /^(.*\D)1$/s.exec(title)?.[1]?.replace(/(?<![\s_#.-])[\s_#.-]+$/, '');
    const hint = plain === undefined ? undefined : hintOf(plain, hints);
    if (hint === undefined || taken.has(hint) || hintOf(title, hints) !== undefined) continue;
    taken.add(hint);
    hits.push({ title, hint });
  }
  const found = new Map(hits.map(({ title, hint }) => [hint.key, sourceOf(title, hint)] as const));
  return Object.fromEntries(joinNumbered(found));
}

/** A column as the source of a property. A number keeps its unit where the property has one, to which the service converts it. */
export function sourceOf(column: string, { type, unit }: Pick<PropertyHint, 'type' | 'unit'>): Source {
  if (type === 'numeric')
    return unit === undefined || unit === null ? { column, type } : { column, type, withUnit: true };
  return type === 'date' || type === 'boolean' || type === 'reference' ? { column, type } : column;
}

/** `Supplier 1` and `Supplier 2` as `Supplier {n}`: the next file has one more, or one fewer. */
function joinNumbered(found: ReadonlyMap<string, Source>): Map<string, Source> {
  const joined = [...found].map(([key, source]) => {
    const column = sourceColumn(source);
    const [, stem, n] = /^(.*\D)(\d{1,2})$/s.exec(column) ?? [];
    if (stem === undefined || n === undefined || !key.endsWith(n)) return { key, source, name: key };
    const numbered = `${key.slice(0, -n.length)}${NUMBER_SIGN}`;
    const wide = `${stem}${NUMBER_SIGN}`;
    return {
      key,
      source,
      name: numbered,
      wide: typeof source === 'string' ? wide : { ...source, column: wide },
    };
  });
  return new Map(
    joined.map(({ key, source, name, wide }) => {
      const siblings = joined.filter((one) => one.name === name && sameSource(one.wide, wide));
      return wide !== undefined && siblings.length > 1 ? [name, wide] : [key, source];
    }),
  );
}

function sameSource(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

export function hintOf(title: string | undefined, hints: readonly PropertyHint[]): PropertyHint | undefined {
  if (title === undefined) return undefined;
  const plain = bareTitle(title);
  return hints.find(({ key, name }) => bareTitle(key) === plain || bareTitle(name) === plain);
}

function sourceColumn(source: string | { column: string }): string {
  return typeof source === 'string' ? source : source.column;
}
