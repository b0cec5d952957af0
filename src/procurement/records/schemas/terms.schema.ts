/** Supplier part and price of a purchase line, as the API shows and takes them. */
import { z } from 'zod';
import { Currency, givenPrice, shownMoney } from '../../../money/money.ts';
import { amount, idOrNull } from './text.schema.ts';

export const shownTerms = {
  supplierPartId: idOrNull('The supplier part by which a purchase line was made.'),
  sku: z
    .string()
    .nullable()
    .describe("The supplier's number, as it was then.")
    .meta({ examples: ['NW-80-PU'] }),
  packs: amount('The quantity in packs; null without a supplier part.', 5).nullable(),
  packQuantity: amount('How much was in a pack then, in `priceUnit`.', 2).nullable(),
  price: shownMoney('The price of one `priceUnit`; null if none is known.', '0.0123').nullable(),
  priceUnit: z
    .string()
    .nullable()
    .describe('The unit of the price and the pack; null: the base unit of the item.')
    .meta({ examples: ['reel'] }),
  currency: Currency.nullable(),
  amount: shownMoney('What the quantity costs; null if no price is known.', '0.123').nullable(),
};

/** Fields of a new line. */
export const givenTerms = {
  supplierPartId: z
    .uuid()
    .nullish()
    .describe(
      "The supplier part of a purchase line; by default the first active one of the order's supplier for the item. Null: none.",
    )
    .meta({ examples: ['0199d0f0-0000-7000-8000-000000000001'] }),
  price: givenPrice(
    'The price of one unit of the supplier part, or of the base unit; by default that of the supplier part at this quantity.',
  ).nullish(),
  currency: Currency.nullish().describe('The currency of the price.'),
};

/** Fields of a change. */
export const changedTerms = {
  price: givenPrice('The price of one `priceUnit` of a purchase line.')
    .nullish()
    .describe('The price of one `priceUnit` of a purchase line; null: none.'),
  currency: Currency.nullish().describe('The currency of the price.'),
};
