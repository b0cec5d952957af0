/** A point in time as callers send it: RFC 3339 with any offset. */
import { z } from 'zod';

const EARLIEST = Date.parse('1900-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** Years that PostgreSQL and every client agree on: RFC 3339 has a year 0000, and PostgreSQL has none. */
export const Instant = z.iso
  // What is none is told that alone.
  .datetime({ offset: true, abort: true })
  .refine((text) => Date.parse(text) >= EARLIEST && Date.parse(text) <= LATEST, {
    error: 'Must lie between the years 1900 and 9999',
  });
