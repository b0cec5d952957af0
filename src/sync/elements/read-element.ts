/**
 * Checks one element of a payload against the rules (interface, Sync entity) and the limits. Written
 * out by hand: it runs once for each of a million elements, where a schema library costs ten times as much.
 */
import type { Config } from '../../config.ts';
import { normaliseGuid } from '../../db/ids.ts';
import type { LineField } from '../../entities/link-line.ts';
import { type MicroDouble, microDoubleOf } from '../../quantity.ts';
import type { SyncWarning } from './sync-result.ts';

export interface ElementLimits {
  numberCharsMax: number;
  nameCharsMax: number;
  propertyValueCharsMax: number;
  propertiesMax: number;
  /** Of all properties of an entity, as JSON. */
  propertiesBytesMax: number;
  /** Values of one element that cannot be read, each named in a warning of its own; the rest are counted. */
  warningsMax: number;
}

export function elementLimits(config: Config): ElementLimits {
  return {
    numberCharsMax: config.ENTITY_NUMBER_CHARS_MAX,
    nameCharsMax: config.ENTITY_NAME_CHARS_MAX,
    propertyValueCharsMax: config.PROPERTY_VALUE_CHARS_MAX,
    propertiesMax: config.PROPERTIES_MAX,
    propertiesBytesMax: config.PROPERTIES_BYTES_MAX,
    warningsMax: config.SYNC_ELEMENT_WARNINGS_MAX,
  };
}

export interface SyncElement {
  index: number;
  guid: string;
  number: string;
  name: string;
  categoryKey: string;
  parentGuid: string | null;
  /** Of the link to the parent. */
  quantityMicros: MicroDouble;
  /** What else it says of that link, as it was sent. */
  line: RawLine | null;
  properties: Record<string, string>;
  /** What whoever read it out of a file says of it; null where nothing. */
  sourceWarnings: readonly SyncWarning[] | null;
  /** It says that it has no children: for batches that say the structure exactly. */
  isEmptied: boolean;
}

export interface ElementFault {
  guid: string | null;
  message: string;
}

const levelMax = 1_000_000;

/** The element, or what is wrong with it and the name of the field. */
export function readElement(
  index: number,
  value: unknown,
  limits: ElementLimits,
): SyncElement | ElementFault {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { guid: null, message: `The element must be an object, not ${kindOf(value)}.` };
  }
  const given = value as Record<string, unknown>;
  const guid = typeof given.guid === 'string' ? normaliseGuid(given.guid) : null;
  if (guid === null) {
    return {
      guid: null,
      message: missingOr('guid', given.guid, 'a GUID such as 640cbdbd-2802-5342-bce7-847585152777'),
    };
  }
  const fault =
    textFault('number', given.number, limits.numberCharsMax) ??
    textFault('name', given.name, limits.nameCharsMax) ??
    textFault('categoryKey', given.categoryKey, 255) ??
    levelFault(given.level) ??
    hasChildrenFault(given.hasChildren) ??
    propertiesFault(given.properties, limits);
  if (fault !== null) return { guid, message: fault };

  let parentGuid: string | null = null;
  if (given.parentGuid !== undefined && given.parentGuid !== null) {
    parentGuid = typeof given.parentGuid === 'string' ? normaliseGuid(given.parentGuid) : null;
    if (parentGuid === null)
      return { guid, message: `"parentGuid" must be a GUID or null, not ${show(given.parentGuid)}.` };
  }
  let quantityMicros: MicroDouble = 1_000_000;
  if (given.quantity !== undefined && given.quantity !== null) {
    const micros = microDoubleOf(given.quantity);
    if (micros === null) {
      return {
        guid,
        message: `"quantity" must be a number above 0 with at most 9 integer and 6 fractional digits, not ${show(given.quantity)}.`,
      };
    }
    quantityMicros = micros;
  }
  return {
    index,
    guid,
    number: given.number as string,
    name: given.name as string,
    categoryKey: given.categoryKey as string,
    parentGuid,
    quantityMicros,
    line: rawLineOf(given),
    properties: (given.properties ?? {}) as Record<string, string>,
    sourceWarnings: sourceWarningsOf(given, limits),
    isEmptied: given.hasChildren === false,
  };
}

const SOURCE_MESSAGE_CHARS_MAX = 1000;
const COUNT_MAX = 1_000_000_000;

/** The first that have the form, with what can be stored of their texts; null where none has. Of what is no element too. */
export function sourceWarningsOf(
  element: unknown,
  { warningsMax }: ElementLimits,
): readonly SyncWarning[] | null {
  if (typeof element !== 'object' || element === null || !('sourceWarnings' in element)) return null;
  const { sourceWarnings: given } = element;
  if (!Array.isArray(given)) return null;
  const warnings = given.slice(0, warningsMax).flatMap((one: unknown): SyncWarning[] => {
    if (typeof one !== 'object' || one === null) return [];
    const { message, property, count } = one as Record<string, unknown>;
    if (typeof message !== 'string' || message === '') return [];
    const isCounted = Number.isInteger(count) && Number(count) > 1 && Number(count) <= COUNT_MAX;
    return [
      {
        code: 'source_warning',
        message: storable(message, SOURCE_MESSAGE_CHARS_MAX),
        ...(typeof property === 'string' ? { property: storable(property, 255) } : {}),
        ...(isCounted ? { count: Number(count) } : {}),
      },
    ];
  });
  return warnings.length === 0 ? null : warnings;
}

function storable(text: string, charsMax: number): string {
  return text.slice(0, charsMax).replaceAll('\u0000', '').toWellFormed();
}

/** What an element says of its link beside the quantity, as it was sent. */
export type RawLine = Record<LineField, unknown>;

/** Null where it has none of these fields, as most. */
function rawLineOf({
  findNumber,
  referenceDesignators,
  unit,
  note,
}: Record<string, unknown>): RawLine | null {
  if (
    findNumber === undefined &&
    referenceDesignators === undefined &&
    unit === undefined &&
    note === undefined
  )
    return null;
  return { findNumber, referenceDesignators, unit, note };
}

export function isFault(read: SyncElement | ElementFault): read is ElementFault {
  return 'message' in read;
}

function textFault(field: string, value: unknown, charsMax: number): string | null {
  if (typeof value !== 'string') return missingOr(field, value, 'a string');
  return isFine(value, charsMax) ? null : illFormed(`"${field}"`, value, charsMax);
}

function isFine(text: string, charsMax: number): boolean {
  return text.length <= charsMax && !text.includes('\u0000') && text.isWellFormed();
}

/** What is wrong with a text that is not fine. */
function illFormed(what: string, text: string, charsMax: number): string {
  if (text.length > charsMax)
    return `${what} has ${text.length} characters; at most ${charsMax} are allowed.`;
  if (text.includes('\u0000')) return `${what} contains the character U+0000, which cannot be stored.`;
  return `${what} contains a lone surrogate, which is not a character.`;
}

function levelFault(level: unknown): string | null {
  if (level === undefined || level === null) return null;
  if (typeof level === 'number' && Number.isInteger(level) && level >= 0 && level <= levelMax) return null;
  return `"level" must be a whole number from 0, not ${show(level)}.`;
}

/** What is no truth value would be taken for absent: with `structure=exact` an assembly would keep what it was to lose. */
function hasChildrenFault(hasChildren: unknown): string | null {
  if (hasChildren === undefined || hasChildren === null || typeof hasChildren === 'boolean') return null;
  return `"hasChildren" must be true or false, not ${show(hasChildren)}.`;
}

function propertiesFault(properties: unknown, limits: ElementLimits): string | null {
  if (properties === undefined || properties === null) return null;
  if (typeof properties !== 'object' || Array.isArray(properties)) {
    return `"properties" must be an object of strings, not ${kindOf(properties)}.`;
  }
  const keys = Object.keys(properties);
  if (keys.length > limits.propertiesMax) {
    return `"properties" has ${keys.length} entries; at most ${limits.propertiesMax} are allowed.`;
  }
  for (const key of keys) {
    const value: unknown = (properties as Record<string, unknown>)[key];
    if (typeof value !== 'string')
      return `"properties" must hold strings; ${show(key)} holds ${show(value)}.`;
    if (isFine(value, limits.propertyValueCharsMax)) continue;
    return illFormed(`The value of property ${show(key)}`, value, limits.propertyValueCharsMax);
  }
  return null;
}

function missingOr(field: string, value: unknown, wanted: string): string {
  return value === undefined ? `"${field}" is missing.` : `"${field}" must be ${wanted}, not ${show(value)}.`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** The value as JSON, short enough for a message and safe to print. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return shown.toWellFormed();
}
