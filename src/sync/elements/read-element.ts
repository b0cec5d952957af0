/**
 * Checks one element of a payload against the rules (interface, Sync entity) and the limits. Written
 * out by hand: it runs once for each of a million elements, where a schema library costs ten times as much.
 */
import type { Config } from '../../config.ts';
import { cleanName, cleanNumber, isCleanName, isCleanNumber } from '../../configuration/clean-text.ts';
import { NIL_GUID, normaliseGuid } from '../../db/ids.ts';
import type { LineField } from '../../entities/links/link-line.ts';
import { showValue } from '../../json/show-value.ts';
import { type MicroDouble, microDoubleOf } from '../../quantity.ts';
import { misspelledFields } from './near-misses.ts';
import {
  cleaned,
  hasChildrenFault,
  kindOf,
  levelFault,
  levelWarning,
  missingOr,
  nilGuid,
  propertiesFault,
  textFault,
  textsOf,
} from './read-fields.ts';
import { type SyncWarning, supplierPartRefused } from './sync-result.ts';

export interface ElementLimits {
  numberCharsMax: number;
  nameCharsMax: number;
  propertyValueCharsMax: number;
  propertiesMax: number;
  /** All properties of an entity, as JSON. */
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
  /** The quantity of the link to the parent. */
  quantityMicros: MicroDouble;
  /** Other fields of that link, as they were sent. */
  line: RawLine | null;
  /** SHA-256 of its picture, in lower case; null takes the picture away, undefined leaves it. */
  picture: string | null | undefined;
  /** GUID of the location that it lies in; null takes it out, undefined leaves its place. */
  parentLocation: string | null | undefined;
  /** The supplier parts that it states, as they were sent; null where there are none. */
  supplierParts: readonly unknown[] | null;
  /** The values by key; null removes a value. */
  properties: Record<string, string | null>;
  /** Warnings of reading the element, and of the program that read it out of a file; null where there are none. */
  warnings: readonly SyncWarning[] | null;
  /** Fields whose names are nearly right and that were not taken; null where there are none. */
  misspelled: readonly string[] | null;
  /** It says that it has no children: for batches that say the structure exactly. */
  isEmptied: boolean;
}

export interface ElementFault {
  guid: string | null;
  message: string;
}

/** The element, or what is wrong with it and the name of the field. `text` is the JSON that `value` was parsed from. */
export function readElement(
  index: number,
  value: unknown,
  text: string,
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
      message: missingOr('guid', given, 'a GUID such as 640cbdbd-2802-5342-bce7-847585152777'),
    };
  }
  if (guid === NIL_GUID) return { guid: null, message: nilGuid('guid') };
  const fault =
    textFault('number', given, limits.numberCharsMax) ??
    textFault('name', given, limits.nameCharsMax) ??
    textFault('categoryKey', given, 255) ??
    levelFault(given.level) ??
    hasChildrenFault(given.hasChildren) ??
    propertiesFault(given.properties, limits);
  if (fault !== null) return { guid, message: fault };

  const parentGuid = guidIn('parentGuid', given);
  if (isGuidFault(parentGuid)) return { guid, message: parentGuid.fault };
  const parentLocation = guidIn('parentLocation', given);
  if (isGuidFault(parentLocation)) return { guid, message: parentLocation.fault };
  let quantityMicros: MicroDouble = 1_000_000;
  if (given.quantity !== undefined && given.quantity !== null) {
    const micros = microDoubleOf(given.quantity);
    if (micros === null) {
      return {
        guid,
        message: `"quantity" must be a number above 0 with at most 9 integer and 6 fractional digits, not ${showValue(given.quantity)}.`,
      };
    }
    quantityMicros = micros;
  }
  const warnings: SyncWarning[] = [];
  const number = cleanNumber(given.number as string);
  if (!isCleanNumber(given.number as string)) warnings.push(cleaned('number', given.number));
  let name = cleanName(given.name as string);
  if (!isCleanName(given.name as string)) warnings.push(cleaned('name', given.name));
  if (name === '') {
    if (number === '') return { guid, message: '"name" is empty, and so is "number".' };
    name = number;
    warnings.push({
      code: 'empty_name',
      property: 'name',
      message: '"name" is empty; the number was taken as the name.',
    });
  }
  const level = levelWarning(given.level, parentGuid ?? null);
  if (level !== null) warnings.push(level);
  const picture = pictureOf(given.picture, warnings);
  const supplierParts = supplierPartsOf(given.supplierParts, warnings);
  const ofSource = sourceWarningsOf(given, limits);
  if (ofSource !== null) warnings.push(...ofSource);
  return {
    index,
    guid,
    number,
    name,
    categoryKey: given.categoryKey as string,
    parentGuid: parentGuid ?? null,
    quantityMicros,
    line: rawLineOf(given),
    picture,
    parentLocation,
    supplierParts,
    properties: textsOf(given.properties, text),
    warnings: warnings.length === 0 ? null : warnings,
    misspelled: misspelledFields(given),
    isEmptied: given.hasChildren === false,
  };
}

interface GuidFault {
  fault: string;
}

/** Returns undefined where the element does not have the field. */
function guidIn(
  field: 'parentGuid' | 'parentLocation',
  element: Record<string, unknown>,
): string | null | undefined | GuidFault {
  const given = element[field];
  if (given === undefined || given === null) return given;
  const guid = typeof given === 'string' ? normaliseGuid(given) : null;
  if (guid === null) return { fault: `"${field}" must be a GUID or null, not ${showValue(given)}.` };
  return guid === NIL_GUID ? { fault: nilGuid(field) } : guid;
}

function isGuidFault(read: string | null | undefined | GuidFault): read is GuidFault {
  return typeof read === 'object' && read !== null;
}

const sha256 = /^[0-9a-f]{64}$/;

/** Leaves the picture as it is where the value is no hash, with a warning. */
function pictureOf(given: unknown, warnings: SyncWarning[]): string | null | undefined {
  if (given === undefined || given === null) return given;
  const hash = typeof given === 'string' ? given.trim().toLowerCase() : '';
  if (sha256.test(hash)) return hash;
  warnings.push({
    code: 'invalid_picture',
    property: 'picture',
    message: `"picture" must be the SHA-256 of an uploaded picture, as 64 hexadecimal digits, not ${showValue(given)}; it was not taken.`,
  });
  return undefined;
}

/** Supplier parts that one element may state. */
export const SUPPLIER_PARTS_MAX = 20;

/** Each is checked when it is taken, by the rules for supplier parts. */
function supplierPartsOf(given: unknown, warnings: SyncWarning[]): readonly unknown[] | null {
  if (given === undefined || given === null) return null;
  if (!Array.isArray(given)) {
    const message = `"supplierParts" must be an array of objects, not ${kindOf(given)}; it was not taken.`;
    warnings.push(supplierPartRefused(message));
    return null;
  }
  if (given.length > SUPPLIER_PARTS_MAX) {
    const message = `"supplierParts" has ${given.length} entries: the first ${SUPPLIER_PARTS_MAX} were taken.`;
    warnings.push(supplierPartRefused(message));
  }
  return given.length === 0 ? null : given.slice(0, SUPPLIER_PARTS_MAX);
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

/** Fields of an element's link beside the quantity, as they were sent. */
export type RawLine = Record<LineField, unknown>;

/** Returns null where the element has none of these fields, as most elements do. */
function rawLineOf({
  findNumber,
  referenceDesignators,
  unit,
  note,
  substitutes,
  lossPercent,
  lossFixed,
  phantom,
}: Record<string, unknown>): RawLine | null {
  if (
    findNumber === undefined &&
    referenceDesignators === undefined &&
    unit === undefined &&
    note === undefined &&
    substitutes === undefined &&
    lossPercent === undefined &&
    lossFixed === undefined &&
    phantom === undefined
  )
    return null;
  return { findNumber, referenceDesignators, unit, note, substitutes, lossPercent, lossFixed, phantom };
}

export function isFault(read: SyncElement | ElementFault): read is ElementFault {
  return 'message' in read;
}
