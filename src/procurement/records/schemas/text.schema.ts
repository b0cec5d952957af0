/** Fields that lines, orders and requirements share. */
import { z } from 'zod';
import { SEARCH_RULE, searchText } from '../../../entities/search-text.ts';
import { Day } from '../../../http/day.ts';

export const exampleId = '0199d0f0-0000-7000-8000-000000000001';

export const idOf = (what: string) =>
  z
    .uuid()
    .describe(what)
    .meta({ examples: [exampleId] });
export const idOrNull = (what: string) =>
  z
    .uuid()
    .nullable()
    .describe(what)
    .meta({ examples: [exampleId] });
export const numberText = (what: string, example: string) =>
  z
    .string()
    .nullable()
    .describe(what)
    .meta({ examples: [example] });
export const amount = (what: string, example = 4) =>
  z
    .number()
    .describe(what)
    .meta({ examples: [example] });
export const moment = (what: string) =>
  z.iso
    .datetime()
    .describe(what)
    .meta({ examples: ['2026-11-20T09:30:00.000Z'] });

export const givenDate = (what: string) =>
  Day.nullish()
    .describe(what)
    .meta({ examples: ['2026-12-24'] });
/** A day that a list is narrowed by. */
export const filterDay = (what: string) =>
  Day.optional()
    .describe(what)
    .meta({ examples: ['2026-12-24'] });
export const dateOrNull = (what: string) =>
  z.iso
    .date()
    .nullable()
    .describe(what)
    .meta({ examples: ['2026-12-24'] });

export const givenQuantity = (what: string) =>
  z
    .number()
    .describe(`${what} Above 0, at most 9 integer and 6 fractional digits.`)
    .meta({ examples: [4] });
/** Text with the maximum length of a ledger note. */
export const givenNote = z
  .string()
  .max(2000)
  .nullish()
  .describe('The reason, stored in the ledger entry.')
  .meta({ examples: ['Delivery note 4711'] });

/** A text that a list is searched for. */
export const givenText = (what: string) => searchText(`${what} ${SEARCH_RULE}`, 'bolt');
