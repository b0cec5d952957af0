/** The types of properties, and their values as everyone reads and writes them. */
import { cleanText } from '../clean-text.ts';
import { exactNumber } from './exact-number.ts';

/** Text and dates are strings. */
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
