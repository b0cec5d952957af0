/** Property values arrive as strings and are stored typed (interface, Property value coercion). */
import type { PropertyType } from '../../configuration/properties/property-definition.schema.ts';
import { isDate, type PropertyValue } from '../../configuration/properties/property-value.ts';
import { keepShape } from '../../process/keep-shape.ts';
import type { SyncWarning } from './sync-result.ts';

const numericPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

/**
 * Typed values, ordered by key. As text alone: all elements of a chunk are held to its end, and whatever is held the
 * collector copies; few are asked for their values (`valuesOf`).
 */
export interface TypedProperties {
  keys: readonly string[];
  /** Canonical: equal values give equal text. */
  json: string;
}

/** The values, in the order of the keys. */
export function valuesOf({ keys, json }: TypedProperties): PropertyValue[] {
  const values = JSON.parse(json) as Record<string, PropertyValue>;
  return keys.map((key) => values[key] as PropertyValue);
}

/** What elements with the same keys have in common: most of a payload have the same. */
interface Shape {
  given: readonly string[];
  /** Those that the workspace defines, in order, and beside them their types and how they begin a member. */
  keys: readonly string[];
  types: readonly PropertyType[];
  members: readonly string[];
}

/** Coerces the properties of one element after another. */
export class PropertyCoercion {
  readonly #definitions: ReadonlyMap<string, { type: PropertyType }>;
  readonly #warningsMax: number;
  #shape: Shape = { given: [], keys: [], types: [], members: [] };
  readonly #pieces: string[] = [];

  /** Of the values of one element that cannot be taken, the first `warningsMax` are worded and the rest counted. */
  constructor(definitions: ReadonlyMap<string, { type: PropertyType }>, warningsMax: number) {
    this.#definitions = definitions;
    this.#warningsMax = warningsMax;
  }

  /**
   * The typed values of the keys that the workspace defines. A value that its type cannot take is left out with a
   * warning; a key without a definition is left out silently.
   */
  coerce(given: Readonly<Record<string, string>>, warnings: SyncWarning[]): TypedProperties {
    const { keys, types, members } = this.#shapeOf(given);
    // Joined at the end: text that grows piece by piece is held as all of its pieces. The list is the same for all elements.
    const pieces = this.#pieces;
    let count = 0;
    let kept: string[] | null = null;
    let omitted = 0;
    for (let i = 0; i < keys.length; i++) {
      const [key, type] = [keys[i] as string, types[i] as PropertyType];
      const text = given[key] as string;
      const value = coerceValue(type, text);
      if (value !== null) {
        pieces[count] = count === 0 ? '{' : ',';
        pieces[count + 1] = members[i] as string;
        pieces[count + 2] = jsonOf(value);
        count += 3;
        kept?.push(key);
        continue;
      }
      kept ??= keys.slice(0, i);
      if (warnings.length < this.#warningsMax)
        warnings.push({ ...refusal[type as 'numeric'], property: key, message: messageOf(type, key, text) });
      else omitted++;
    }
    if (omitted > 0) warnings.push(moreWarnings(omitted));
    if (count === 0) return { keys: kept ?? keys, json: '{}' };
    pieces[count] = '}';
    pieces.length = count + 1;
    return { keys: kept ?? keys, json: pieces.join('') };
  }

  #shapeOf(properties: Readonly<Record<string, string>>): Shape {
    const given = Object.keys(properties);
    const known = this.#shape.given;
    if (areSame(given, known)) return this.#shape;
    const keys = given.filter((key) => this.#definitions.has(key)).sort();
    const types = keys.map((key) => this.#definitions.get(key)?.type as PropertyType);
    this.#shape = { given, keys, types, members: keys.map((key) => `${JSON.stringify(key)}:`) };
    return this.#shape;
  }
}

function areSame(keys: readonly string[], others: readonly string[]): boolean {
  if (keys.length !== others.length) return false;
  for (let i = 0; i < keys.length; i++) if (keys[i] !== others[i]) return false;
  return true;
}

keepShape(new PropertyCoercion(new Map(), 0));

const refusal = {
  numeric: { code: 'invalid_numeric' },
  date: { code: 'invalid_date' },
  boolean: { code: 'invalid_boolean' },
} as const;

const wanted = {
  text: 'text',
  numeric: 'a number',
  date: 'a date in the form YYYY-MM-DD',
  boolean: '"true" or "false"',
} as const;

function messageOf(type: PropertyType, key: string, text: string): string {
  const shown = text.length > 60 ? `${text.slice(0, 60)}…`.toWellFormed() : text;
  return `The value ${JSON.stringify(shown)} of property ${JSON.stringify(key)} is not ${wanted[type]}; it was not written.`;
}

function moreWarnings(count: number): SyncWarning {
  const values = count === 1 ? 'value does' : 'values do';
  const message = `${count} more ${values} not fit the type of the property; none of them was written.`;
  return { code: 'more_warnings', message, count };
}

/** The typed value, or null when the text does not fit the type. */
function coerceValue(type: PropertyType, text: string): PropertyValue | null {
  switch (type) {
    case 'text':
      return text;
    case 'numeric':
      return toNumber(text.trim());
    case 'date':
      return isDate(text) ? text : null;
    case 'boolean': {
      const lower = text.toLowerCase();
      return lower === 'true' ? true : lower === 'false' ? false : null;
    }
  }
}

function toNumber(text: string): number | null {
  if (!numericPattern.test(text)) return null;
  const value = Number(text);
  if (!Number.isFinite(value)) return null;
  return value === 0 ? 0 : value;
}

/** Canonical JSON of typed values that are ordered by key. */
export function propertiesJson(values: ReadonlyMap<string, PropertyValue>): string {
  let json = '';
  for (const [key, value] of values)
    json += `${json === '' ? '' : ','}${JSON.stringify(key)}:${jsonOf(value)}`;
  return `{${json}}`;
}

/** What a JSON string escapes of a text that is well formed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is escaped
const escaped = /["\\\u0000-\u001f]/;

/** Most texts are their own JSON: to look costs a third of `JSON.stringify`. */
function jsonOf(value: PropertyValue): string {
  if (typeof value !== 'string') return String(value);
  return escaped.test(value) ? JSON.stringify(value) : `"${value}"`;
}
