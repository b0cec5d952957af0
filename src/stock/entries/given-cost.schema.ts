/** The cost of arriving goods, as calls state it. */
import { z } from 'zod';
import { Currency, givenPrice } from '../../money/money.ts';

/** `of` names what has the price. */
export const unitCostGiven = (of: string) =>
  z.strictObject({
    price: givenPrice(`The price of ${of}.`),
    currency: Currency.optional().describe('By default the currency in which stock is valued.'),
  });
export type UnitCostGiven = z.output<ReturnType<typeof unitCostGiven>>;

export const costOfAdded = unitCostGiven('one unit of the quantity')
  .nullish()
  .describe('The cost of stock that is added, where the workspace keeps costs.');

export const costOfReceived = unitCostGiven('one unit of the quantity')
  .nullish()
  .describe(
    'The cost of what arrived of a purchase line, where the workspace keeps costs; by default what the line was ordered at.',
  );
