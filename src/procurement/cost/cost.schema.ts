/** Schemas of the cost of an item (contract §4.14). */
import { z } from 'zod';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { Currency, shownMoney } from '../../money/money.ts';
import { conversionFields, intoCurrency } from '../rates/exchange-rates.schema.ts';
import { amount, filterDay, idOf, numberText } from '../records/schemas/text.schema.ts';

/** Items of one answer; a table in CSV has all. */
export const ITEMS_SHOWN_MAX = 500;

const name = (what: string) => z.string().meta({ description: what, examples: ['Bearing block'] });

export const costReasons = ['noSupplierPart', 'noPrice'] as const;

export const CostItem = z
  .object({
    itemEntityId: idOf('The item.'),
    itemNumber: numberText("The item's present number.", 'PRT-000042'),
    itemName: name("The item's present name."),
    quantity: amount('How much of it is needed, in its base unit, losses included.', 240),
    supplierPartId: idOf('The supplier part that it is priced by: the first active one, by rank.'),
    supplier: z.string().meta({ description: 'The name of the supplier.', examples: ['DigiKey'] }),
    sku: z.string().meta({ description: "The supplier's number.", examples: ['311-10.0KHRCT-ND'] }),
    price: shownMoney(
      'The price of one `priceUnit`, of the price break that the ordered quantity reaches.',
      '0.0123',
    ),
    priceUnit: z
      .string()
      .nullable()
      .meta({ description: 'The unit of the price; null: the base unit of the item.', examples: ['reel'] }),
    currency: Currency,
    amount: shownMoney('What the needed quantity costs.', '2.952'),
    orderQuantity: amount(
      'The needed quantity rounded up to minimum, packs and multiple, in the base unit.',
      300,
    ),
    packs: z.number().meta({ description: 'The number of packs of it.', examples: [3] }),
    orderAmount: shownMoney('What the ordered quantity costs.', '3.69'),
  })
  .meta({ id: 'CostItem', description: 'A purchased item of a structure, and what it costs.' });
export type CostItem = z.output<typeof CostItem>;

export const UnpricedItem = z
  .object({
    itemEntityId: idOf('The item.'),
    itemNumber: numberText("The item's present number.", 'PRT-000042'),
    itemName: name("The item's present name."),
    quantity: amount('How much of it is needed, in its base unit, losses included.', 240),
    reason: z.enum(costReasons).meta({
      description:
        '`noSupplierPart`: it has no active supplier part in a unit that it knows. `noPrice`: its first supplier part has no price for the quantity on that day.',
      examples: ['noPrice'],
    }),
  })
  .meta({ id: 'UnpricedItem', description: 'A purchased item whose cost is not known. It is in no total.' });
export type UnpricedItem = z.output<typeof UnpricedItem>;

export const Cost = z
  .object({
    itemEntityId: idOf('The item whose cost this is.'),
    itemNumber: numberText("The item's present number.", 'ASM-000007'),
    itemName: name("The item's present name."),
    quantity: amount('The quantity that is made.', 10),
    at: z.iso.date().meta({ description: 'The day of the prices.', examples: ['2026-12-01'] }),
    revision: z
      .int()
      .nullable()
      .meta({
        description: 'The revision whose structure was priced; null: the present one.',
        examples: [2],
      }),
    totals: z
      .array(
        z.object({
          currency: Currency,
          amount: shownMoney('What the needed quantities cost.', '118.4'),
          perUnit: shownMoney('The same for one of the item, rounded to a millionth.', '11.84'),
          orderAmount: shownMoney(
            'What the ordered quantities cost: whole packs, minimum and multiple.',
            '131.25',
          ),
        }),
      )
      .describe('The totals by currency. They are exact sums; items without a price are in none of them.'),
    converted: z
      .object({
        ...conversionFields,
        amount: shownMoney(
          'What the needed quantities cost; null if no price is known in it.',
          '109.3',
        ).nullable(),
        perUnit: shownMoney('The same for one of the item, rounded to a millionth.', '10.93').nullable(),
        orderAmount: shownMoney('What the ordered quantities cost.', '121.15').nullable(),
      })
      .nullable()
      .describe('The totals in the currency that was asked for, at the rates of the day; null if none was.'),
    itemCount: z.int().meta({ description: 'The number of items with a price.', examples: [34] }),
    items: z
      .array(CostItem)
      .describe(`Items with a price, at most ${ITEMS_SHOWN_MAX}: by currency, the largest amount first.`),
    unknownCount: z.int().meta({ description: 'The number of items without a price.', examples: [2] }),
    unknown: z
      .array(UnpricedItem)
      .describe(
        `Items without a price, at most ${ITEMS_SHOWN_MAX}. The totals are complete if there are none.`,
      ),
  })
  .meta({ id: 'Cost', description: 'What an item costs, by the prices of what is purchased for it.' });
export type Cost = z.output<typeof Cost>;

export const CostParams = z.strictObject({ id: EntityRef.describe('The item.') });

export const CostQuery = z.strictObject({
  quantity: z.coerce
    .number()
    .default(1)
    .describe('The quantity that is made: above 0, at most 9 integer and 6 fractional digits.')
    .meta({ examples: [10] }),
  at: filterDay('The day of the prices and of the exchange rates. By default today (UTC).'),
  currency: intoCurrency,
  revision: z.coerce
    .number()
    .int()
    .min(1)
    .max(2 ** 31 - 1)
    .optional()
    .describe(
      'A revision of the item, for the cost of its structure then, at the prices of the day. Below a released revision, assemblies are in the revisions with which it was released; others are as they are now. By default the present structure.',
    )
    .meta({ examples: [1] }),
});
