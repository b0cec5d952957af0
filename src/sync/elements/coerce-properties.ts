/** Property values arrive as strings and are stored typed (interface, Property value coercion). */
import type { PropertyType } from '../../configuration/properties/property-definition.schema.ts';
import { isDate, type PropertyValue } from '../../configuration/properties/property-value.ts';
import type { SyncWarning } from './sync-result.ts';

const numericPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

/**
 * The typed values of the keys that the workspace defines, ordered by key. A value that its type cannot take
 * is left out with a warning, of which the first `warningsMax` are worded and the rest counted in one more; a key
 * without a definition is left out silently. A Map, because keys such as `__proto__` are ordinary keys here.
 */
export function coerceProperties(
  given: Readonly<Record<string, string>>,
  definitions: ReadonlyMap<string, { type: PropertyType }>,
  warnings: SyncWarning[],
  warningsMax: number,
): Map<string, PropertyValue> {
  const keys = Object.keys(given);
  const values = new Map<string, PropertyValue>();
  let omitted = 0;
  if (keys.length > 1) keys.sort();
  for (const key of keys) {
    const type = definitions.get(key)?.type;
    if (type === undefined) continue;
    const text = given[key] as string;
    const value = coerceValue(type, text);
    if (value !== null) values.set(key, value);
    else if (warnings.length < warningsMax)
      warnings.push({ ...refusal[type as 'numeric'], property: key, message: messageOf(type, key, text) });
    else omitted++;
  }
  if (omitted > 0) warnings.push(moreWarnings(omitted));
  return values;
}

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

/** Canonical JSON of typed values: keys in order, so that equal values give equal text. */
export function propertiesJson(values: ReadonlyMap<string, PropertyValue>): string {
  let json = '{';
  for (const [key, value] of values) {
    json += `${json.length === 1 ? '' : ','}${JSON.stringify(key)}:${JSON.stringify(value)}`;
  }
  return `${json}}`;
}
