/** Units of an item as the API shows and takes them (contract §4.11). */
import { z } from 'zod';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { readOnly } from '../../http/read-only.ts';
import { unitName } from '../entries/given-quantity.ts';

const ITEM_UNITS_MAX = 50;
const FACTOR_MAX = 999_999_999_999;

const example = '0199d0f0-0000-7000-8000-000000000001';
const whole = (what: string, value: number) =>
  z
    .int()
    .min(1)
    .max(FACTOR_MAX)
    .meta({ description: what, examples: [value] });

const baseUnit = unitName.nullable().meta({
  description:
    'The unit in which stock of the item is kept and quantities are meant that name no unit: a UCUM code such as `mm`, a common name such as `pcs`, or any other name. Null: none.',
  examples: ['pcs'],
});

const ItemUnit = z.strictObject({
  unit: unitName.meta({ description: 'Its name.', examples: ['reel'] }),
  numerator: whole('`numerator` / `denominator` base units are one of it.', 4000),
  denominator: whole('See `numerator`.', 1).default(1),
});

const units = z
  .array(ItemUnit)
  .max(ITEM_UNITS_MAX)
  .meta({ description: `Other units of the item, at most ${ITEM_UNITS_MAX}, with exact factors.` });

export const ItemUnits = z
  .object({
    itemEntityId: z.uuid().meta({ description: 'The item.', examples: [example] }),
    itemNumber: z
      .string()
      .nullable()
      .meta({ description: "The item's present number.", examples: ['PRT-000017'] }),
    itemName: z.string().meta({ description: "The item's present name.", examples: ['Resistor 10 kΩ'] }),
    baseUnit,
    units,
    measured: z.array(z.string()).meta({
      description:
        'Common units of the dimension of the base unit. They need no factor; neither do other UCUM codes of the dimension.',
      examples: [['{piece}', 'pair', 'dozen']],
    }),
    conversions: z
      .array(
        ItemUnit.omit({ denominator: true }).extend({
          denominator: z.int().meta({ description: 'See `numerator`.', examples: [1] }),
        }),
      )
      .meta({
        description:
          'The factors of `units` and of `measured`, exact: for showing what a quantity is in the base unit before it is sent.',
      }),
    isFixed: z.boolean().meta({
      description:
        'Whether the base unit can no longer change, because the item has ledger entries, order lines or requirements.',
      examples: [false],
    }),
  })
  .meta({ id: 'ItemUnits', description: 'The units of an item.' });
export type ItemUnits = z.output<typeof ItemUnits>;

const shownFields = ['itemEntityId', 'itemNumber', 'itemName', 'measured', 'conversions', 'isFixed'] as const;
export const NewItemUnits = z
  .strictObject({
    baseUnit,
    units: units.default([]),
    ...readOnly(ItemUnits, shownFields, { drifting: ['measured', 'conversions', 'isFixed'] }),
  })
  .meta({ id: 'NewItemUnits' });
export type NewItemUnits = z.output<typeof NewItemUnits>;

export const ItemUnitsParams = z.strictObject({
  itemEntityId: EntityRef.meta({ description: 'The item.' }),
});
