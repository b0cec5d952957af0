/** A day of the calendar as callers give it. */
import { z } from 'zod';

/** PostgreSQL's calendar begins with year 1. */
export const Day = z.iso
  .date({ abort: true })
  .refine((text) => !text.startsWith('0000'), { error: 'must be from year 0001 on' });
