/** A point in time as callers send it: RFC 3339 with any offset. */
import { z } from 'zod';

const EARLIEST = Date.parse('1900-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** Offsets that PostgreSQL takes: RFC 3339 has longer ones. */
const OFFSET_HOURS_MAX = 15;

/** Years that PostgreSQL and every client agree on: RFC 3339 has a year 0000, and PostgreSQL has none. */
export const Instant = z.iso
  // What is none is told that alone.
  .datetime({ offset: true, abort: true })
  .refine((text) => Date.parse(text) >= EARLIEST && Date.parse(text) <= LATEST, {
    error: 'Must lie between the years 1900 and 9999',
  })
  .refine((text) => offsetHoursOf(text) <= OFFSET_HOURS_MAX, {
    error: `Must have an offset of less than ${OFFSET_HOURS_MAX + 1} hours`,
  });

function offsetHoursOf(text: string): number {
  return Number(/[+-](\d\d):?\d\d$/.exec(text)?.[1] ?? 0);
}
