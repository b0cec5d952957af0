/** The value of a property and the form of dates, for everyone who writes them. */

/** Text and dates are strings. */
export type PropertyValue = string | number | boolean;

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
