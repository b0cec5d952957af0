/** The planning of items and the reorder list, as the API shows and takes them (contract §4.13). */
import { z } from 'zod';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { ListQuery } from '../../http/list.ts';
import { readOnly } from '../../http/read-only.ts';
import { Currency, shownMoney } from '../../money/money.ts';
import { ConvertedAmount, intoCurrency } from '../rates/exchange-rates.schema.ts';
import { OrderWithLines } from '../records/orders.schema.ts';
import { SupplierName } from '../records/schemas/suppliers.schema.ts';
import {
  amount,
  exampleId,
  givenDate,
  givenNote,
  idOf,
  idOrNull,
  numberText,
} from '../records/schemas/text.schema.ts';
import { offerFields } from '../supplier-parts/supplier-parts.schema.ts';
import { leadTimeDays } from '../suppliers/supplier.schema.ts';

export const policies = ['none', 'demand', 'reorderPoint', 'minMax'] as const;

const quantity = (what: string, example: number) =>
  z
    .number()
    .describe(`${what} At most 9 integer and 6 fractional digits.`)
    .meta({ examples: [example] });

const fields = {
  policy: z.enum(policies).meta({
    description:
      '`none`: not on the list. `demand`: reordered when open demand exceeds what is available and on its way. `reorderPoint`: when less than `reorderPoint` would be left, up to it. `minMax`: the same, up to `maximum`.',
    examples: ['reorderPoint'],
  }),
  reorderPoint: quantity('The reorder point, in the base unit, 0 or more.', 100),
  maximum: quantity(
    'What `minMax` orders up to, above `reorderPoint`; null for other policies.',
    500,
  ).nullable(),
  safety: quantity('A safety stock that no demand uses, 0 or more.', 0),
  minimum: quantity('The least that is ordered or made at once; null: none.', 50).nullable(),
  multiple: quantity('What a lot is a multiple of; null: none.', 10).nullable(),
  makeOrBuy: z.enum(['make', 'buy']).meta({
    description: 'Whether a manufacturing order or a purchase order is proposed.',
    examples: ['buy'],
  }),
  leadTimeDays: leadTimeDays.describe(
    'Days from the order to the receipt; null: those of the supplier part.',
  ),
  supplierPartId: idOrNull('The supplier part to order by; null: the first active one, by rank.'),
  locationEntityId: idOrNull('Where what is ordered is received; null: an order says so.'),
};

export const ItemPlanning = z
  .object({
    itemEntityId: idOf('The item.'),
    itemNumber: numberText("The item's present number.", 'PRT-000042'),
    itemName: z.string().meta({ description: "The item's present name.", examples: ['Resistor 10 kΩ'] }),
    ...fields,
  })
  .describe('How an item is reordered.')
  .meta({ id: 'ItemPlanning' });
export type ItemPlanning = z.output<typeof ItemPlanning>;

export const NewItemPlanning = z
  .strictObject({
    ...fields,
    reorderPoint: fields.reorderPoint.default(0),
    maximum: fields.maximum.default(null),
    safety: fields.safety.default(0),
    minimum: fields.minimum.default(null),
    multiple: fields.multiple.default(null),
    makeOrBuy: fields.makeOrBuy.default('buy'),
    leadTimeDays: fields.leadTimeDays.default(null),
    supplierPartId: z
      .uuid()
      .nullable()
      .default(null)
      .meta({
        description: 'The supplier part to order by; null: the first active one, by rank.',
        examples: [exampleId],
      }),
    locationEntityId: EntityRef.nullable()
      .default(null)
      .describe('Where what is ordered is received; null: an order says so.'),
    ...readOnly(ItemPlanning, ['itemEntityId', 'itemNumber', 'itemName'], {
      drifting: ['itemNumber', 'itemName'],
    }),
  })
  .meta({ id: 'NewItemPlanning' });
export type NewItemPlanning = z.output<typeof NewItemPlanning>;

export const PlanningParams = z.strictObject({
  itemEntityId: EntityRef.meta({ description: 'The item.' }),
});

export const ReorderProposal = z
  .object({
    itemEntityId: idOf('The item.'),
    itemNumber: numberText("The item's present number.", 'PRT-000042'),
    itemName: z.string().meta({ description: "The item's present name.", examples: ['Resistor 10 kΩ'] }),
    policy: fields.policy,
    makeOrBuy: fields.makeOrBuy,
    availableQty: amount('On hand and not reserved, at all locations.', 40),
    comingQty: amount('Open quantity of purchase and manufacturing lines.', 20),
    draftQty: amount('Quantity of drafts of such lines: it counts as if it were ordered.', 0),
    demandQty: amount('Open demand: requirements and sales lines, without what is reserved for them.', 30),
    projectedQty: amount('availableQty + comingQty + draftQty − demandQty − the safety stock.', 30),
    reorderPoint: amount('The point below which it is.', 100),
    missingQty: amount('What is missing, up to the reorder point or the maximum.', 70),
    ...offerFields,
    quantity: amount('The proposed quantity, in the base unit: in lots and packs.', 100),
    receivedOn: z.iso
      .date()
      .nullable()
      .meta({
        description: 'The day on which it would be received if it is ordered today (UTC).',
        examples: ['2026-12-11'],
      }),
    locationEntityId: fields.locationEntityId,
    isPartial: z.boolean().meta({
      description: 'Whether only the newest 500 lines or requirements were looked at.',
      examples: [false],
    }),
  })
  .describe('An item below its point, and what to order.')
  .meta({ id: 'ReorderProposal' });
export type ReorderProposal = z.output<typeof ReorderProposal>;

export const ReorderTotal = z
  .object({
    supplier: z
      .string()
      .nullable()
      .meta({ description: 'The supplier; null: none is known, or it is made.', examples: ['DigiKey'] }),
    items: z.int().meta({ description: 'Number of items.', examples: [4] }),
    amounts: z
      .array(z.object({ currency: Currency, amount: shownMoney('The sum in this currency.') }))
      .meta({ description: 'What they cost, by currency.' }),
    converted: ConvertedAmount.nullable().meta({
      description:
        'The same in the currency that was asked for, at the rates of today (UTC); null if none was.',
    }),
    unpricedItems: z.int().meta({ description: 'Number of items to buy without a price.', examples: [0] }),
  })
  .meta({ id: 'ReorderTotal' });
export type ReorderTotal = z.output<typeof ReorderTotal>;

export const ReorderQuery = ListQuery.extend({
  supplier: SupplierName.optional().describe('Only items that are proposed from this supplier.'),
  currency: intoCurrency,
});
export type ReorderQuery = z.output<typeof ReorderQuery>;

/** Number of items that one call orders. */
const ITEMS_MAX = 500;

export const ReorderOrders = z
  .strictObject({
    lines: z
      .array(
        z.strictObject({
          itemEntityId: EntityRef.describe('The item.'),
          quantity: quantity(
            'How much to order, in the base unit, above 0; by default what is proposed.',
            100,
          ).optional(),
        }),
      )
      .min(1)
      .max(ITEMS_MAX)
      .describe(`The items, 1 to ${ITEMS_MAX}.`),
    locationEntityId: EntityRef.nullish().describe(
      'Where items are received whose planning names no location.',
    ),
    state: z
      .enum(['Draft', 'Ordered'])
      .default('Draft')
      .describe('State of the lines. Draft lines write no ledger entry.')
      .meta({ examples: ['Draft'] }),
    requiredBy: givenDate('Required date of the lines; by default the day on which they would be received.'),
    note: givenNote,
  })
  .meta({ id: 'ReorderOrders' });
export type ReorderOrders = z.output<typeof ReorderOrders>;

export const Reordered = z
  .object({
    orders: z
      .array(OrderWithLines)
      .describe('The created orders: one for each supplier, and one for what is made.'),
  })
  .meta({ id: 'Reordered' });
