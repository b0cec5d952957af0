/** Standard costs of items as the interface shows and takes them (contract §4.17). */
import { z } from 'zod';
import { Currency, givenPrice, shownMoney } from '../../money/money.ts';
import { Revalued } from './value.schema.ts';

const currency = Currency.describe('The currency in which the workspace values its stock.');
const moment = (what: string) =>
  z.iso.datetime().meta({ description: what, examples: ['2026-11-20T09:30:00.000Z'] });

export const NewStandardCost = z
  .strictObject({
    cost: givenPrice('What a base unit costs, in the currency in which stock is valued.')
      .nullable()
      .describe(
        'What a base unit costs, in the currency in which stock is valued; null: the item has no standard cost from now on.',
      ),
    note: z
      .string()
      .max(2000)
      .nullish()
      .meta({ description: 'The reason.', examples: ['Standard of 2027'] }),
  })
  .meta({ id: 'NewStandardCost' });
export type NewStandardCost = z.output<typeof NewStandardCost>;

const fields = {
  id: z.uuid(),
  cost: shownMoney('What a base unit costs; null: from then on the item had none.', '1.25').nullable(),
  currency,
  note: z
    .string()
    .nullable()
    .meta({ examples: ['Standard of 2027'] }),
  from: moment('Since when it is in force: until the next.'),
};

export const StandardCost = z.object(fields).meta({
  id: 'StandardCost',
  description: 'A standard cost of an item, in force until the next of it.',
});
export type StandardCost = z.output<typeof StandardCost>;

export const StandardCostSet = z
  .object({
    ...fields,
    revalued: Revalued.nullable().describe('What was on hand; null if nothing was, or if it was removed.'),
  })
  .meta({ id: 'StandardCostSet' });
export type StandardCostSet = z.output<typeof StandardCostSet>;

const kind = z
  .enum(['priced', 'unpriced', 'returned', 'built'])
  .meta({ description: 'How its own cost is known.', examples: ['priced'] });

export const CostVariance = z
  .object({
    entryId: z.uuid().meta({ description: 'The entry of the ledger that brought the goods.' }),
    recordedAt: moment('When it was recorded.'),
    locationEntityId: z.uuid(),
    locationNumber: z.string().nullable(),
    locationName: z.string(),
    layer: z.int().meta({ description: 'The number of the layer at the location.', examples: [7] }),
    kind,
    quantity: z.number().meta({ description: 'How much arrived.', examples: [40] }),
    standardCost: shownMoney('The standard cost of a base unit at which it came in.', '1.25'),
    cost: shownMoney('What it came in at: the standard cost of the quantity.', '50'),
    paid: shownMoney('What it would have cost without a standard; null if that is unknown.', '54').nullable(),
    variance: shownMoney('What was paid less the standard; null if it is unknown.', '4').nullable(),
    currency,
    price: z
      .object({ amount: shownMoney('The price as it was stated.', '1.35'), currency: Currency })
      .nullable()
      .meta({ description: 'The price as it was stated; null if none was.' }),
    lineId: z.uuid().nullable().meta({ description: 'The order line that brought it.' }),
  })
  .meta({
    id: 'CostVariance',
    description: 'The difference between what goods cost and their standard cost.',
  });
export type CostVariance = z.output<typeof CostVariance>;

export const VarianceTotal = z
  .object({
    kind,
    arrivals: z.int().meta({ description: 'Number of arrivals.', examples: [12] }),
    variance: shownMoney('The sum of the variances that are known; null if none is.', '4').nullable(),
    unknownArrivals: z.int().meta({
      description: 'Number of arrivals whose variance is unknown: they are in no sum.',
      examples: [0],
    }),
  })
  .meta({ id: 'VarianceTotal' });
export type VarianceTotal = z.output<typeof VarianceTotal>;
