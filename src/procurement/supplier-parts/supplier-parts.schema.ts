/** Supplier parts as the API shows and takes them (contract §4.12). */
import { z } from 'zod';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { ListQuery } from '../../http/list.ts';
import { oneLine } from '../../http/one-line.ts';
import { readOnly } from '../../http/read-only.ts';
import { Currency, givenPrice, shownMoney } from '../../money/money.ts';
import { unitName } from '../../stock/entries/given-quantity.ts';
import { SupplierName } from '../records/schemas/suppliers.schema.ts';
import {
  amount,
  exampleId,
  givenText,
  idOf,
  idOrNull,
  moment,
  numberText,
} from '../records/schemas/text.schema.ts';
import { leadTimeDays } from '../suppliers/supplier.schema.ts';

/** Price breaks of one supplier part, those of the future and the past included. */
const PRICES_MAX = 100;
/** Supplier parts of one item. */
export const PARTS_OF_ITEM_MAX = 100;
const NAME_CHARS_MAX = 255;

const quantity = (what: string, example: number) =>
  z
    .number()
    .describe(`${what} Above 0, at most 9 integer and 6 fractional digits.`)
    .meta({ examples: [example] });
const name = (what: string, example: string) =>
  oneLine(NAME_CHARS_MAX).meta({ description: what, examples: [example] });

const Price = z.strictObject({
  from: quantity('The quantity from which the price applies, in `unit`.', 100),
  price: givenPrice('The price of one `unit`.'),
  currency: Currency,
  validFrom: z.iso
    .date()
    .nullable()
    .default(null)
    .meta({
      description:
        'The first day of the price list. The prices with the latest day that is not in the future apply; earlier ones are history. Null: always.',
      examples: ['2026-12-01'],
    }),
  source: z
    .string()
    .max(NAME_CHARS_MAX)
    .nullable()
    .default(null)
    .meta({ description: 'Where the price comes from, such as an offer.', examples: ['Offer 4711'] }),
});

const fields = {
  sku: name("The supplier's number for it.", '311-10.0KHRCT-ND'),
  manufacturer: name('The manufacturer.', 'Yageo').nullable(),
  mpn: name("The manufacturer's number.", 'RC0603FR-0710KL').nullable(),
  unit: unitName.nullable().meta({
    description:
      'The unit in which the supplier sells it: one of the units of the item. Quantities and prices of the supplier part are in this unit. Null: the base unit of the item.',
    examples: ['reel'],
  }),
  packQuantity: quantity('How much is in a pack. Whole packs are ordered.', 100),
  minimum: quantity('The least that is ordered at once.', 100)
    .nullable()
    .describe('The least that is ordered at once, in `unit`; null: none.'),
  multiple: quantity('What an order is a multiple of.', 100)
    .nullable()
    .describe(
      'What an order is a multiple of, in `unit`: itself a multiple of `packQuantity`. Null: any number of packs.',
    ),
  leadTimeDays: leadTimeDays.describe(
    'Days from the order to the receipt; null: the lead time of the supplier.',
  ),
  rank: z
    .int()
    .min(1)
    .max(1000)
    .meta({
      description: 'Its place among the supplier parts of the item: 1 is proposed first.',
      examples: [1],
    }),
  status: z
    .enum(['active', 'inactive'])
    .meta({ description: '`inactive`: no longer proposed.', examples: ['active'] }),
  prices: z
    .array(Price)
    .max(PRICES_MAX)
    .meta({
      description: `Price breaks, at most ${PRICES_MAX}, each with its own quantity, currency and day.`,
    }),
};

export const SupplierPartShown = z
  .object({
    id: idOf('The supplier part.'),
    itemEntityId: idOf('The item.'),
    itemNumber: numberText("The item's present number.", 'PRT-000042'),
    itemName: z.string().meta({ description: "The item's present name.", examples: ['Resistor 10 kΩ'] }),
    supplierId: idOf('The supplier.'),
    supplier: z.string().meta({ description: "The supplier's present name.", examples: ['DigiKey'] }),
    ...fields,
    createdAt: moment('When it was created.'),
  })
  .meta({
    id: 'SupplierPart',
    description: 'An item as a supplier sells it: number, packs, lead time and prices.',
  });
export type SupplierPartShown = z.output<typeof SupplierPartShown>;

export const NewSupplierPart = z
  .strictObject({
    itemEntityId: EntityRef.describe('The item.'),
    supplierId: z.uuid().meta({ description: 'The supplier.', examples: [exampleId] }),
    ...fields,
    manufacturer: fields.manufacturer.default(null),
    mpn: fields.mpn.default(null),
    unit: fields.unit.default(null),
    packQuantity: fields.packQuantity.default(1),
    minimum: fields.minimum.default(null),
    multiple: fields.multiple.default(null),
    leadTimeDays: fields.leadTimeDays.default(null),
    rank: fields.rank.default(1),
    status: fields.status.default('active'),
    prices: fields.prices.default([]),
  })
  .meta({ id: 'NewSupplierPart' });
export type NewSupplierPart = z.output<typeof NewSupplierPart>;
/** The facts of a supplier part, without its item and supplier. */
export type PartFacts = Omit<NewSupplierPart, 'itemEntityId' | 'supplierId'>;

export const SupplierPartPatch = z
  .strictObject({
    ...z.object(fields).partial().shape,
    ...readOnly(
      SupplierPartShown,
      ['id', 'itemEntityId', 'itemNumber', 'itemName', 'supplierId', 'supplier', 'createdAt'],
      { drifting: ['itemNumber', 'itemName', 'supplier'] },
    ),
  })
  .meta({ id: 'SupplierPartPatch' });

/** A supplier part as an element of an import states it. What it does not state stays as it is. */
export const ImportedPart = z
  .strictObject({
    supplier: SupplierName,
    sku: fields.sku.nullish(),
    manufacturer: fields.manufacturer.optional(),
    mpn: fields.mpn.optional(),
    packQuantity: fields.packQuantity.nullish(),
    minimum: fields.minimum.optional(),
    multiple: fields.multiple.optional(),
    leadTimeDays: fields.leadTimeDays.optional(),
    rank: fields.rank.nullish(),
    prices: z
      .array(
        Price.extend({
          from: Price.shape.from.default(1),
          currency: Currency.nullish(),
        }),
      )
      .max(PRICES_MAX)
      .nullish(),
  })
  .refine(({ sku, mpn }) => (sku ?? mpn) != null, { error: 'It has neither "sku" nor "mpn".' });
export type ImportedPart = z.output<typeof ImportedPart>;

export const SupplierPartParams = z.strictObject({
  id: z.uuid().meta({ description: 'The supplier part.' }),
});

export const SupplierPartQuery = ListQuery.extend({
  itemEntityId: EntityRef.optional().describe('Only supplier parts of this item.'),
  supplierId: z.uuid().optional().meta({ description: 'Only supplier parts of this supplier.' }),
  q: givenText('Only supplier parts that have this text in their SKU or MPN.'),
});
export type SupplierPartQuery = z.output<typeof SupplierPartQuery>;

const ITEMS_MAX = 500;

export const OfferRequest = z
  .strictObject({
    lines: z
      .array(
        z.strictObject({
          itemEntityId: EntityRef.describe('The item.'),
          quantity: quantity('How much is needed, in the base unit of the item.', 250),
          supplier: z
            .string()
            .max(200)
            .nullish()
            .meta({ description: 'The name of the only supplier; by default any.', examples: ['DigiKey'] }),
        }),
      )
      .min(1)
      .max(ITEMS_MAX)
      .describe(`The items, 1 to ${ITEMS_MAX}.`),
  })
  .meta({ id: 'OfferRequest' });

export const offerFields = {
  supplierPartId: idOrNull(
    'The supplier part that the planning of the item prefers, or its first active one, by rank; null if there is none.',
  ),
  supplierId: idOrNull('Its supplier.'),
  supplier: z
    .string()
    .nullable()
    .meta({ description: 'The name of the supplier.', examples: ['DigiKey'] }),
  sku: z
    .string()
    .nullable()
    .meta({ description: "The supplier's number.", examples: ['311-10.0KHRCT-ND'] }),
  quantity: amount('How much to order, in the base unit of the item: the need, rounded up to packs.', 300),
  unit: z
    .string()
    .nullable()
    .meta({ description: 'The unit of the price; null: the base unit.', examples: ['reel'] }),
  packs: z
    .number()
    .nullable()
    .meta({ description: 'The number of packs.', examples: [3] }),
  packQuantity: amount('How much is in a pack, in `unit`.', 100).nullable(),
  price: shownMoney('The price of one `unit` at that quantity.', '0.0123').nullable(),
  currency: Currency.nullable(),
  amount: shownMoney('What the quantity costs.', '3.69')
    .nullable()
    .describe('What the quantity costs, as text; null if no price applies. A missing price is never 0.'),
  leadTimeDays,
};

export const Offers = z
  .object({
    items: z
      .array(z.object({ itemEntityId: idOf('The item.'), ...offerFields }))
      .describe('An offer for each item, in the order of the request.'),
  })
  .meta({ id: 'Offers' });
export type Offers = z.output<typeof Offers>;
