/** The types of properties, and their values as everyone reads and writes them. */
import { cleanText } from '../clean-text.ts';
import { exactNumber } from './exact-number.ts';

/** All but numbers and booleans are strings. */
export type PropertyValue = string | number | boolean;

interface TypeRules {
  /** The name that messages give to a JSON value of the type. */
  jsonForm: string;
  /** The name that messages give to a text that says such a value. */
  textForm: string;
  /** Whether a JSON value is of the type. */
  fits(value: unknown): boolean;
  /** The value that a text says; null if the text does not fit the type, and NaN if a number would lose digits. */
  fromText(text: string): PropertyValue | null;
}

/** Every type of a property. */
export const propertyTypes = {
  text: {
    jsonForm: 'a string',
    textForm: 'text',
    fits: (value) => typeof value === 'string',
    fromText: cleanText,
  },
  numeric: {
    jsonForm: 'a number',
    textForm: 'a number',
    fits: Number.isFinite,
    fromText: (text) => exactNumber(text.trim()),
  },
  date: {
    jsonForm: 'a date of the calendar as a string YYYY-MM-DD',
    textForm: 'a date in the form YYYY-MM-DD',
    fits: (value) => typeof value === 'string' && isDate(value),
    fromText: (text) => (isDate(text.trim()) ? text.trim() : null),
  },
  boolean: {
    jsonForm: 'true or false',
    textForm: '"true" or "false"',
    fits: (value) => typeof value === 'boolean',
    fromText: (text) => {
      const lower = text.trim().toLowerCase();
      return lower === 'true' ? true : lower === 'false' ? false : null;
    },
  },
  choice: {
    jsonForm: 'one of its choices as a string',
    textForm: 'one of its choices',
    fits: (value) => typeof value === 'string',
    fromText: (text) => cleanText(text).trim(),
  },
  url: {
    jsonForm: 'an address that begins with http:// or https:// as a string',
    textForm: 'an address that begins with http:// or https://',
    fits: (value) => typeof value === 'string' && isWebAddress(value),
    fromText: (text) => (isWebAddress(text.trim()) ? text.trim() : null),
  },
  reference: {
    jsonForm: 'an entity as a string: its id, or `guid:` and its GUID',
    textForm: 'the GUID of an entity',
    fits: (value) => typeof value === 'string' && referenceForm.test(value),
    fromText: referenceOf,
  },
} satisfies Record<string, TypeRules>;
export type PropertyType = keyof typeof propertyTypes;

const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/;

/** A date that the calendar has, from year 1 on, as YYYY-MM-DD. Counted by hand: a sync asks it a million times. */
export function isDate(text: string): boolean {
  const match = datePattern.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] as number;
  return day <= days;
}

const webAddressForm = /^https?:\/\/[^\s/?#]+\S*$/i;

/** Other schemes, such as `javascript:`, are never links. */
function isWebAddress(text: string): boolean {
  return webAddressForm.test(text) && URL.canParse(text);
}

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/** The normal form of `EntityRef` of the API. */
const referenceForm = new RegExp(`^(?:guid:)?${uuid}$`);
const sentReferenceForm = new RegExp(`^(?:guid:)?\\{?(${uuid})\\}?$`);

/** A connector knows entities by their GUIDs, so a bare one is that of an entity and not its id. */
function referenceOf(text: string): string | null {
  const guid = sentReferenceForm.exec(text.trim().toLowerCase())?.[1];
  return guid === undefined ? null : `guid:${guid}`;
}
