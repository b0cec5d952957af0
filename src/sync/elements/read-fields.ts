/** Checks and reads single fields of an element: what is wrong with each, in words, and what is taken of it. */
import { charsOf } from '../../configuration/clean-text.ts';
import { showValue } from '../../json/show-value.ts';
import { misspelledFields, nearestField } from './near-misses.ts';
import type { SyncWarning } from './sync-result.ts';

const levelMax = 1_000_000;

export function textFault(field: string, given: Record<string, unknown>, charsMax: number): string | null {
  const value = given[field];
  if (typeof value !== 'string') return missingOr(field, given, 'a string');
  return isFine(value, charsMax) ? null : illFormed(`"${field}"`, value, charsMax);
}

function isFine(text: string, charsMax: number): boolean {
  return charsOf(text, charsMax) <= charsMax && !text.includes('\u0000') && text.isWellFormed();
}

/** Says what is wrong with a text. */
function illFormed(what: string, text: string, charsMax: number): string {
  const chars = charsOf(text, charsMax);
  if (chars > charsMax) return `${what} has ${chars} characters; at most ${charsMax} are allowed.`;
  if (text.includes('\u0000')) return `${what} contains the character U+0000, which cannot be stored.`;
  return `${what} contains a lone surrogate, which is not a character.`;
}

export function levelFault(level: unknown): string | null {
  if (level === undefined || level === null) return null;
  if (typeof level === 'number' && Number.isInteger(level) && level >= 0 && level <= levelMax) return null;
  return `"level" must be a whole number from 0, not ${showValue(level)}.`;
}

/**
 * A value that is no truth value would be taken as absent, and with `structure=exact` an assembly would keep what
 * it was to lose.
 */
export function hasChildrenFault(hasChildren: unknown): string | null {
  if (hasChildren === undefined || hasChildren === null || typeof hasChildren === 'boolean') return null;
  return `"hasChildren" must be true or false, not ${showValue(hasChildren)}.`;
}

export function propertiesFault(
  properties: unknown,
  limits: { propertiesMax: number; propertyValueCharsMax: number },
): string | null {
  if (properties === undefined || properties === null) return null;
  if (typeof properties !== 'object' || Array.isArray(properties)) {
    return `"properties" must be an object of texts, numbers, truth values and nulls, not ${kindOf(properties)}.`;
  }
  const keys = Object.keys(properties);
  if (keys.length > limits.propertiesMax) {
    return `"properties" has ${keys.length} entries; at most ${limits.propertiesMax} are allowed.`;
  }
  for (const key of keys) {
    const value: unknown = (properties as Record<string, unknown>)[key];
    if (typeof value !== 'string') {
      if (value === null || typeof value !== 'object') continue;
      return `"properties" must hold texts, numbers, truth values and nulls; ${showValue(key)} holds ${showValue(value)}.`;
    }
    if (isFine(value, limits.propertyValueCharsMax)) continue;
    return illFormed(`The value of property ${showValue(key)}`, value, limits.propertyValueCharsMax);
  }
  return null;
}

export function missingOr(field: string, given: Record<string, unknown>, wanted: string): string {
  const value = given[field];
  if (value !== undefined) return `"${field}" must be ${wanted}, not ${showValue(value)}.`;
  const near = misspelledFields(given)?.find((name) => nearestField(name) === field);
  const proposal = near === undefined ? '' : ` Send ${showValue(near)} as "${field}".`;
  return `"${field}" is missing.${proposal}`;
}

export function nilGuid(field: string): string {
  return `"${field}" is the nil GUID, which identifies nothing.`;
}

export function cleaned(field: string, value: unknown): SyncWarning {
  return {
    code: 'text_cleaned',
    property: field,
    message: `"${field}" contains characters that cannot be shown (${showValue(value)}); it was written without them.`,
  };
}

/** A level of 0 is topmost, and every other level is below a parent. */
export function levelWarning(level: unknown, parentGuid: string | null): SyncWarning | null {
  if (typeof level !== 'number' || (level === 0) === (parentGuid === null)) return null;
  const message =
    level === 0
      ? '"level" is 0, which is topmost, but "parentGuid" names a parent; the parent was taken.'
      : `"level" is ${level}, which is below a parent, but "parentGuid" names none; the element was taken as topmost.`;
  return { code: 'level_mismatch', property: 'level', message };
}

/** The properties with numbers and truth values as the texts that were sent, so that no digit is lost. */
export function textsOf(properties: unknown, text: string): Record<string, string | null> {
  const given = (properties ?? noProperties) as Record<string, unknown>;
  for (const key in given) {
    const value = given[key];
    if (typeof value === 'string' || value === null) continue;
    return (JSON.parse(text, asText) as { properties: Record<string, string | null> }).properties;
  }
  return given as Record<string, string | null>;
}

const noProperties = Object.freeze({});

/** A reviver: the TypeScript library does not know its third parameter yet. */
function asText(this: unknown, _: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? (context?.source ?? String(value)) : value;
}

export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
