/** Schemas of a property that is added up over a structure (contract §4.14). */
import { z } from 'zod';
import { amount, idOf, numberText } from '../records/schemas/text.schema.ts';
import { CostQuery } from './cost.schema.ts';

/** Items of one answer. */
export const ROLLUP_ITEMS_MAX = 500;

const name = z.string().meta({ description: "The item's present name.", examples: ['Bearing block'] });
const value = (description: string, example: number) => z.number().meta({ description, examples: [example] });

const item = {
  itemEntityId: idOf('The item.'),
  itemNumber: numberText("The item's present number.", 'PRT-000042'),
  itemName: name,
  quantity: amount('How much of it is contained, in its base unit, without losses.', 24),
};

export const Rollup = z
  .object({
    itemEntityId: item.itemEntityId,
    itemNumber: item.itemNumber,
    itemName: name,
    property: z.string().meta({ description: 'The key of the property.', examples: ['Mass'] }),
    propertyName: z.string().meta({ description: 'The name of the property.', examples: ['Mass'] }),
    unit: z
      .string()
      .nullable()
      .meta({ description: 'The unit of the property; null: none.', examples: ['kg'] }),
    quantity: amount('The quantity that is made.', 1),
    revision: z
      .int()
      .nullable()
      .meta({
        description: 'The revision whose structure was added up; null: the present one.',
        examples: [2],
      }),
    total: value('The sum of all items with a value; null if none has one.', 12.4).nullable(),
    perUnit: value('The same for one of the item, rounded to 15 digits.', 12.4).nullable(),
    stated: value('The value that the item has itself; null: none.', 12.5).nullable(),
    itemCount: z.int().meta({ description: 'The number of items with a value.', examples: [34] }),
    items: z
      .array(
        z.object({
          ...item,
          value: value('The value of one base unit.', 0.05),
          amount: value('The value of the quantity.', 1.2),
        }),
      )
      .describe(`Items with a value, at most ${ROLLUP_ITEMS_MAX}, the largest amount first.`),
    unknownCount: z.int().meta({ description: 'The number of items without a value.', examples: [2] }),
    unknown: z
      .array(z.object(item))
      .describe(
        `Items without a value, at most ${ROLLUP_ITEMS_MAX}: they are in no total. The total is complete if there are none.`,
      ),
  })
  .meta({ id: 'Rollup', description: 'A numeric property added up over a structure.' });
export type Rollup = z.output<typeof Rollup>;

const { quantity, revision } = CostQuery.shape;

export const RollupQuery = z.strictObject({
  property: z
    .string()
    .min(1)
    .max(255)
    .describe('The key of a property of the type numeric.')
    .meta({ examples: ['Mass'] }),
  quantity,
  revision,
});
