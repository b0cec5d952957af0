/** Typed property values of a request against the workspace's definitions. */
import { charsOf, cleanText, isCleanText } from '../configuration/clean-text.ts';
import type {
  PropertyConfiguration,
  WorkspaceConfiguration,
} from '../configuration/current/workspace-configuration.ts';
import { faultOfValue } from '../configuration/properties/property-rules.ts';
import { type PropertyValue, propertyTypes } from '../configuration/properties/property-value.ts';
import { AppError, type FieldError } from '../errors.ts';
import { pointerOf } from '../http/json-pointer.ts';

/** Bytes of the properties of an entity. */
export interface PropertyLimits {
  readonly PROPERTY_VALUE_CHARS_MAX: number;
  readonly PROPERTIES_MAX: number;
  readonly PROPERTIES_BYTES_MAX: number;
}

const FINDINGS_MAX = 100;

/**
 * The values by key; null says that the value is to be removed. Throws `unknown_property` where any key has
 * no definition, `validation_failed` where a value has another type than its definition, each with pointers.
 */
export function checkProperties(
  given: Readonly<Record<string, unknown>>,
  { properties }: Pick<WorkspaceConfiguration, 'properties'>,
  limits: PropertyLimits,
): Map<string, PropertyValue | null> {
  const values = new Map<string, PropertyValue | null>();
  const found: FieldError[] = [];
  for (const [key, value] of Object.entries(given)) {
    const definition = properties.get(key);
    const fault = definition === undefined ? unknown(key) : faultOf(definition, value, limits);
    if (fault !== null) found.push({ pointer: pointerOf(['properties', key]), ...fault });
    else values.set(key, typeof value === 'string' ? cleanText(value) : (value as PropertyValue | null));
  }
  const first = found.find((error) => error.code === 'unknown_property') ?? found[0];
  if (first !== undefined) {
    throw new AppError(first.code === 'unknown_property' ? 'unknown_property' : 'validation_failed', {
      detail: `The properties are not valid. ${first.message}`,
      errors: found.slice(0, FINDINGS_MAX),
    });
  }
  return values;
}

type Values = ReadonlyMap<string, PropertyValue>;

/**
 * Refuses a change after which the properties of an entity would be too many or too large. Properties that were so before may change as
 * long as they do not grow. Throws `validation_failed`.
 */
export function requirePropertyRoom(before: Values, after: Values, limits: PropertyLimits): void {
  const { PROPERTIES_MAX, PROPERTIES_BYTES_MAX } = limits;
  if (after.size > PROPERTIES_MAX && after.size > before.size) {
    throw noRoom(`An entity carries at most ${PROPERTIES_MAX} properties; it would have ${after.size}.`);
  }
  const bytes = bytesOf(after);
  if (bytes > PROPERTIES_BYTES_MAX && bytes > bytesOf(before)) {
    throw noRoom(
      `All properties of an entity have at most ${PROPERTIES_BYTES_MAX} bytes as JSON; it would have ${bytes}.`,
    );
  }
}

/** Measures the JSON value by value, so that no text of them all is made. */
function bytesOf(values: Values): number {
  let bytes = 2;
  for (const [key, value] of values)
    bytes += Buffer.byteLength(JSON.stringify(key)) + Buffer.byteLength(JSON.stringify(value)) + 2;
  return bytes;
}

function noRoom(message: string): AppError {
  return new AppError('validation_failed', {
    detail: message,
    errors: [{ pointer: '/properties', code: 'too_big', message }],
  });
}

function unknown(key: string): Omit<FieldError, 'pointer'> {
  return {
    code: 'unknown_property',
    message: `The workspace defines no property "${key.slice(0, 100).toWellFormed()}".`,
  };
}

function faultOf(
  definition: PropertyConfiguration,
  value: unknown,
  limits: PropertyLimits,
): Omit<FieldError, 'pointer'> | null {
  if (value === null) return null;
  const { key, type } = definition;
  const { fits, jsonForm } = propertyTypes[type];
  if (!fits(value))
    return { code: `invalid_${type}`, message: `Property "${key}" takes ${jsonForm}, or null.` };
  const charsMax = limits.PROPERTY_VALUE_CHARS_MAX;
  if (typeof value === 'string' && charsOf(value, charsMax) > charsMax) {
    const message = `The value of property "${key}" has more than ${charsMax} characters.`;
    return { code: 'too_big', message };
  }
  if (typeof value === 'string' && !isCleanText(value)) {
    const message = `The value of property "${key}" contains control characters, or characters that change the direction of text.`;
    return { code: 'invalid_text', message };
  }
  return faultOfValue(definition, value as PropertyValue);
}
