/** Property values arrive as strings and are stored typed (interface, Property value coercion). */
import { isCleanText } from '../../configuration/clean-text.ts';
import { numberInUnit } from '../../configuration/properties/convert-unit.ts';
import { faultOfValue, shortText, type ValueRules } from '../../configuration/properties/property-rules.ts';
import {
  type PropertyType,
  type PropertyValue,
  propertyTypes,
} from '../../configuration/properties/property-value.ts';
import type { SyncWarning } from './sync-result.ts';

/**
 * Typed values, ordered by key. As text alone: all elements of a chunk are held to its end, and whatever is held the
 * collector copies; few are asked for their values (`valuesOf`).
 */
export interface TypedProperties {
  keys: readonly string[];
  /** Canonical: equal values give equal text. */
  json: string;
  /** Keys whose values are to be removed, in order. */
  removed: readonly string[];
}

const nothingRemoved: readonly string[] = [];

/** The values, in the order of the keys. */
export function valuesOf({ keys, json }: TypedProperties): PropertyValue[] {
  const values = JSON.parse(json) as Record<string, PropertyValue>;
  return keys.map((key) => values[key] as PropertyValue);
}

/** Everything that elements with the same keys share. Most elements of a payload have the same keys. */
interface Shape {
  given: readonly string[];
  /** The defined keys in order, with their types and the beginning of their JSON members. */
  keys: readonly string[];
  types: readonly PropertyType[];
  /** The definitions that ask more of a value than its type; null for the others. */
  rules: readonly (Definition | null)[];
  members: readonly string[];
}

/** The part of a definition that decides what a text says. */
export type Definition = Omit<ValueRules, 'key'> & { readonly unit: string | null };

/** Coerces the properties of one element after another. */
export class PropertyCoercion {
  readonly #definitions: ReadonlyMap<string, Definition>;
  readonly #warningsMax: number;
  #shape: Shape = { given: [], keys: [], types: [], rules: [], members: [] };
  readonly #pieces: string[] = [];

  /** The first `warningsMax` values of an element that cannot be taken have a warning each; the rest are counted. */
  constructor(definitions: ReadonlyMap<string, Definition>, warningsMax: number) {
    this.#definitions = definitions;
    this.#warningsMax = warningsMax;
  }

  /**
   * Returns the typed values of the keys that the workspace defines. A value that its type cannot take is left out with a
   * warning, null removes the stored value, and a key without a definition is left out silently.
   */
  coerce(given: Readonly<Record<string, string | null>>, warnings: SyncWarning[]): TypedProperties {
    const { keys, types, rules, members } = this.#shapeOf(given);
    // Joined at the end: text that grows piece by piece is held as all of its pieces. The list is the same for all elements.
    const pieces = this.#pieces;
    let count = 0;
    let kept: string[] | null = null;
    let removed: string[] | null = null;
    let omitted = 0;
    for (let i = 0; i < keys.length; i++) {
      const [key, type] = [keys[i] as string, types[i] as PropertyType];
      const text = given[key];
      if (text === null || text === undefined) {
        kept ??= keys.slice(0, i);
        removed ??= [];
        removed.push(key);
        continue;
      }
      const rule = rules[i] as Definition | null;
      const value = propertyTypes[type].fromText(text) ?? (rule?.unit ? numberInUnit(text, rule.unit) : null);
      const fault =
        rule === null || value === null || Number.isNaN(value) ? null : faultOfValue({ key, ...rule }, value);
      if (value !== null && !Number.isNaN(value) && fault === null) {
        if (type === 'text' && !isCleanText(text)) omitted += this.#warn(warnings, textCleaned(key));
        pieces[count] = count === 0 ? '{' : ',';
        pieces[count + 1] = members[i] as string;
        pieces[count + 2] = jsonOf(value);
        count += 3;
        kept?.push(key);
        continue;
      }
      kept ??= keys.slice(0, i);
      const warning =
        fault !== null
          ? { code: fault.code, property: key, message: `${fault.message} It was not written.` }
          : value === null
            ? {
                code: `invalid_${type as Misfit}` as const,
                property: key,
                message: messageOf(type, key, text, rule?.unit ?? null),
              }
            : imprecise(key, text);
      omitted += this.#warn(warnings, warning);
    }
    if (omitted > 0) warnings.push(moreWarnings(omitted));
    if (count === 0) return { keys: kept ?? keys, json: '{}', removed: removed ?? nothingRemoved };
    pieces[count] = '}';
    pieces.length = count + 1;
    return { keys: kept ?? keys, json: pieces.join(''), removed: removed ?? nothingRemoved };
  }

  /** Returns 1 where the element has all the warnings that it may have, and 0 where the warning was added. */
  #warn(warnings: SyncWarning[], warning: SyncWarning): 0 | 1 {
    if (warnings.length >= this.#warningsMax) return 1;
    warnings.push(warning);
    return 0;
  }

  #shapeOf(properties: Readonly<Record<string, string | null>>): Shape {
    const given = Object.keys(properties);
    const known = this.#shape.given;
    if (areSame(given, known)) return this.#shape;
    const keys = given.filter((key) => this.#definitions.has(key)).sort();
    const types = keys.map((key) => this.#definitions.get(key)?.type as PropertyType);
    const rules = keys.map((key) => {
      const definition = this.#definitions.get(key);
      return definition?.pattern || definition?.choices || definition?.unit ? definition : null;
    });
    this.#shape = { given, keys, types, rules, members: keys.map((key) => `${JSON.stringify(key)}:`) };
    return this.#shape;
  }
}

function areSame(keys: readonly string[], others: readonly string[]): boolean {
  if (keys.length !== others.length) return false;
  for (let i = 0; i < keys.length; i++) if (keys[i] !== others[i]) return false;
  return true;
}

/** Every text fits the types `text` and `choice`; the choices are a rule of the definition. */
type Misfit = Exclude<PropertyType, 'text' | 'choice'>;

function messageOf(type: PropertyType, key: string, text: string, unit: string | null): string {
  const form = unit === null ? '' : `, with ${unit} or a unit that converts to it`;
  return `The value ${shortText(text)} of property ${JSON.stringify(key)} is not ${propertyTypes[type].textForm}${form}; it was not written.`;
}

function imprecise(key: string, text: string): SyncWarning {
  return {
    code: 'imprecise_numeric',
    property: key,
    message: `The value ${shortText(text)} of property ${JSON.stringify(key)} has more digits than a number can hold; it was not written.`,
  };
}

function textCleaned(key: string): SyncWarning {
  return {
    code: 'text_cleaned',
    property: key,
    message: `The value of property ${JSON.stringify(key)} contains characters that cannot be shown; it was written without them.`,
  };
}

function moreWarnings(count: number): SyncWarning {
  const values = count === 1 ? 'value does' : 'values do';
  const message = `${count} more ${values} not fit the property; none of them was written.`;
  return { code: 'more_warnings', message, count };
}

/** Canonical JSON of typed values that are ordered by key. */
export function propertiesJson(values: ReadonlyMap<string, PropertyValue>): string {
  let json = '';
  for (const [key, value] of values)
    json += `${json === '' ? '' : ','}${JSON.stringify(key)}:${jsonOf(value)}`;
  return `{${json}}`;
}

/** Characters that JSON escapes in a well-formed string. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is escaped
const escaped = /["\\\u0000-\u001f]/;

/** Most texts are their own JSON: to look costs a third of `JSON.stringify`. */
function jsonOf(value: PropertyValue): string {
  if (typeof value !== 'string') return String(value);
  return escaped.test(value) ? JSON.stringify(value) : `"${value}"`;
}
