/** The value of stock as the interface shows and takes it (contract §4.17). */
import { z } from 'zod';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { ListQuery } from '../../http/list.ts';
import { Currency, shownMoney } from '../../money/money.ts';
import { unitCostGiven } from '../entries/given-cost.schema.ts';
import { baseUnitShown } from '../entries/given-quantity.ts';
import { Moment } from '../entries/stock.schema.ts';

const scope = {
  at: Moment.optional().meta({
    description: 'The value at the end of that millisecond; by default now.',
    examples: ['2026-11-01T00:00:00Z'],
  }),
  below: EntityRef.optional().meta({
    description: 'Only stock at this location and at all that lie in it.',
  }),
};

export const ValueQuery = ListQuery.extend({
  ...scope,
  item: EntityRef.optional().meta({ description: 'Only this item. Cannot be combined with `below`.' }),
});
export const ValueExportQuery = ValueQuery.omit({ limit: true, cursor: true });
export const ValueTotalQuery = z.strictObject(scope);

const quantity = (what: string, value: number) => z.number().meta({ description: what, examples: [value] });

const figures = {
  currency: Currency.describe('The currency in which the workspace values its stock.'),
  value: shownMoney(
    'What the stock is worth whose cost is known; null if there is stock and none of its cost is known.',
    '125.4',
  ).nullable(),
};

export const StockValue = z
  .object({
    itemEntityId: z.uuid(),
    itemNumber: z
      .string()
      .nullable()
      .meta({ examples: ['PRT-000017'] }),
    itemName: z.string().meta({ examples: ['Hex bolt M8'] }),
    unit: baseUnitShown,
    onHand: quantity('On Hand over all locations that are looked at.', 120),
    unknownQuantity: quantity('The part of On Hand whose cost is unknown. It is in no value.', 20),
    ...figures,
    unitValue: shownMoney(
      'The value of a base unit whose cost is known, rounded to a millionth.',
      '1.254',
    ).nullable(),
    standardCost: shownMoney('The standard cost of a base unit; null: the item has none.', '1.25').nullable(),
  })
  .meta({ id: 'StockValue', description: 'What the stock of an item is worth.' });
export type StockValue = z.output<typeof StockValue>;

export const StockValueTotal = z
  .object({
    ...figures,
    method: z.enum(['fifo', 'average']).meta({ examples: ['fifo'] }),
    at: z.iso.datetime().meta({ examples: ['2026-11-20T09:30:00.000Z'] }),
    items: z.int().meta({ description: 'Items with stock.', examples: [840] }),
    unknownItems: z.int().meta({
      description: 'Items with stock whose cost is unknown, at least in part.',
      examples: [3],
    }),
  })
  .meta({ id: 'StockValueTotal', description: 'What all stock is worth. Unknown costs are in no sum.' });
export type StockValueTotal = z.output<typeof StockValueTotal>;

export const CostLayer = z
  .object({
    locationEntityId: z.uuid(),
    locationNumber: z.string().nullable(),
    locationName: z.string(),
    layer: z.int().meta({
      description: 'Its number at the location; 0: the average of all layers whose cost is known.',
      examples: [7],
    }),
    since: z.iso
      .datetime()
      .nullable()
      .meta({
        description: 'When the goods came into the workspace, also before a transfer; null for an average.',
        examples: ['2026-11-20T09:30:00.000Z'],
      }),
    quantity: quantity('What is left of it.', 40),
    cost: shownMoney('What that cost; null if it is unknown.', '50.16').nullable(),
    standardCost: shownMoney(
      'The standard cost of a base unit at which it came in; null: at its own cost, or an average.',
      '1.25',
    ).nullable(),
    currency: figures.currency,
    price: z
      .object({ amount: shownMoney('The price as it was stated.', '1.35'), currency: Currency })
      .nullable()
      .meta({
        description: 'The price of the unit in which the goods were ordered; null if none was stated.',
      }),
    lineId: z.uuid().nullable().meta({ description: 'The order line that brought it.' }),
  })
  .meta({ id: 'CostLayer', description: 'A quantity at a location with the same cost and age.' });
export type CostLayer = z.output<typeof CostLayer>;

export const NewRevaluation = z
  .strictObject({
    locationEntityId: EntityRef.optional().meta({ description: 'Only the stock at this location.' }),
    layer: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'Only this layer of the location.', examples: [7] }),
    unitCost: unitCostGiven('a base unit').describe('What a base unit costs.'),
    note: z
      .string()
      .max(2000)
      .nullish()
      .meta({ description: 'The reason.', examples: ['Invoice 4711'] }),
  })
  .refine(({ layer, locationEntityId }) => layer === undefined || locationEntityId !== undefined, {
    error: 'needs `locationEntityId`: layers are numbered at their location',
    path: ['layer'],
  })
  .meta({ id: 'NewRevaluation' });
export type NewRevaluation = z.output<typeof NewRevaluation>;

export const Revalued = z
  .object({
    currency: figures.currency,
    quantity: quantity('How much was revalued.', 40),
    valueBefore: shownMoney(
      'What it was worth, as far as that was known; null if nothing of it was.',
      '50.16',
    ).nullable(),
    valueAfter: shownMoney('What it is worth.', '54'),
    unknownBefore: quantity('How much of it had no known cost.', 0),
    layers: z.int().meta({ description: 'How many layers have another cost.', examples: [2] }),
  })
  .meta({ id: 'Revalued' });
export type Revalued = z.output<typeof Revalued>;
