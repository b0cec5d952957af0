/** The promises of a line as the API shows and takes them. */
import { z } from 'zod';
import { Day } from '../../http/day.ts';
import type { Micro } from '../../quantity.ts';
import type { LinePromise } from './promises.ts';
import { amountOf } from './refusals.ts';
import { amount, givenQuantity } from './schemas/text.schema.ts';

const PROMISES_MAX = 50;

const day = Day.meta({ description: 'The promised day.', examples: ['2026-12-18'] });

export const shownPromises = z
  .array(
    z.strictObject({ on: day, quantity: amount('How much of the line, in the base unit of the item.', 6) }),
  )
  .describe(
    'What the supplier of a purchase line has promised, in parts by day; empty: nothing. Planning counts each part on its day, and the rest on the required date.',
  );

export const givenPromises = z
  .array(z.strictObject({ on: day, quantity: givenQuantity('How much, in the base unit of the item.') }))
  .max(PROMISES_MAX)
  .optional()
  .describe(
    `What the supplier of a purchase line has promised: up to ${PROMISES_MAX} parts, which are together not more than the quantity. A day that is named twice counts once, with both quantities. Empty: nothing. A change of the required date without this field removes the promises, because they were for the former date.`,
  );

/** Reads the promises of a call, by day. Throws `zero_quantity`, `quantity_out_of_range`. */
export function promisesGiven(given: z.output<typeof givenPromises>): LinePromise[] | undefined {
  if (given === undefined) return undefined;
  const byDay = new Map<string, Micro>();
  for (const [index, { on, quantity }] of given.entries())
    byDay.set(on, (byDay.get(on) ?? 0n) + amountOf(quantity, `promises/${index}/quantity`));
  return [...byDay].map(([on, quantity]) => ({ on, quantity })).toSorted((a, b) => (a.on < b.on ? -1 : 1));
}
