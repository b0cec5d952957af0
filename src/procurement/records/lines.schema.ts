/** Stock lines as the API shows and takes them (contract §4.5). */
import { z } from 'zod';
import { OverDeliveryPercent } from '../../configuration/stock-settings/stock-settings.schema.ts';
import { EntityPicture, RevisionLabel } from '../../entities/entities.schema.ts';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { ListOrder, ListQuery } from '../../http/list.ts';
import { readOnly } from '../../http/read-only.ts';
import { baseUnitShown, givenUnit, unitNeeds } from '../../stock/entries/given-quantity.ts';
import { lineTypes } from '../../stock/entries/line-rules.ts';
import { HeldLots, LeavingLots } from '../../stock/entries/lot.schema.ts';
import { givenDay, StockLedgerEntry } from '../../stock/entries/stock.schema.ts';
import { givenPromises, shownPromises } from './given-promises.ts';
import {
  ofNewPurchaseOrder,
  refusedSupplier,
  type SupplierGiven,
  SupplierName,
  supplierShown,
} from './schemas/suppliers.schema.ts';
import { changedTerms, givenTerms, shownTerms } from './schemas/terms.schema.ts';
import {
  amount,
  dateOrNull,
  filterDay,
  givenDate,
  givenNote,
  givenQuantity,
  idOf,
  idOrNull,
  moment,
  numberText,
} from './schemas/text.schema.ts';

export const LineTypeName = z
  .enum(lineTypes)
  .describe('Type of its order.')
  .meta({ examples: ['purchaseOrder'] });

export const StockLine = z
  .object({
    id: idOf('The line, which is an entity too.'),
    number: numberText('Its number.', 'POL-000017'),
    type: LineTypeName,
    orderId: idOf('Its order, an entity too.'),
    orderNumber: numberText("Its order's number.", 'PO-000004'),
    supplier: supplierShown(
      'The supplier of its order; null if none is named, and for other kinds of orders.',
    ),
    itemEntityId: idOf('The item.'),
    itemNumber: numberText("The item's present number.", 'PRT-000042'),
    itemName: z
      .string()
      .describe("The item's present name.")
      .meta({ examples: ['Hex bolt M8'] }),
    itemPicture: EntityPicture,
    itemRevisionLabel: RevisionLabel.describe(
      'Label of the revision that a manufacturing line builds; before that is fixed, and for other lines, of the current revision of the item.',
    ),
    unit: baseUnitShown,
    locationEntityId: idOf('The location.'),
    locationNumber: numberText("The location's present number.", 'LOC-0003'),
    locationName: z
      .string()
      .describe("The location's present name.")
      .meta({ examples: ['Shelf A3'] }),
    requirementId: idOrNull('Its material requirement.'),
    state: z
      .string()
      .describe(
        'Lifecycle state of the line: Draft, Ordered, Received, Closed, Cancelled, or for sales Draft, Reserved, Shipped, Closed, Cancelled.',
      )
      .meta({ examples: ['Ordered'] }),
    quantity: amount('Ordered quantity, in the base unit of the item.', 10),
    enteredQuantity: amount(
      'The quantity as it was entered, in `enteredUnit`; null if it was entered in the base unit.',
      10,
    ).nullable(),
    enteredUnit: z
      .string()
      .nullable()
      .describe('The unit in which the quantity was entered. The line keeps its factor.')
      .meta({ examples: ['reel'] }),
    enteredOpenQty: amount(
      'The open quantity in that unit, rounded to 6 fractional digits. Receiving or shipping it leaves nothing open.',
      6,
    ).nullable(),
    ...shownTerms,
    receivedQty: amount('Received quantity, from the ledger.', 4),
    shippedQty: amount('Shipped quantity, from the ledger.', 0),
    returnedQty: amount('Quantity that went back to the supplier or came back from the customer.', 0),
    reservedQty: amount('Reserved quantity, from the ledger.', 0),
    openQty: amount('Quantity still to be received or shipped; 0 once the line has ended.', 6),
    forRequirement: amount('Quantity ordered for its requirement, received or not.', 10),
    free: amount(
      'Quantity ordered beyond that, received or not: it covers no requirement. 0 for sales lines.',
      0,
    ),
    overDeliveryPercent: OverDeliveryPercent.nullable().describe(
      'How much more than its quantity may be received, in percent; null: as much as the settings of stock say.',
    ),
    allowBackorder: z
      .boolean()
      .describe('Whether a sales line waits for stock that it could not reserve.')
      .meta({ examples: [false] }),
    requiredBy: dateOrNull('Required date.'),
    promises: shownPromises,
    itemRevision: z
      .int()
      .nullable()
      .describe(
        'Number of the revision of the item that a manufacturing line builds, fixed when it is ordered; null before, and for other lines.',
      )
      .meta({ examples: [1] }),
    createdAt: moment('When it was created.'),
  })
  .describe('A line of an order. Its quantities are computed from the ledger.')
  .meta({ id: 'StockLine' });
export type StockLine = z.output<typeof StockLine>;

const newLine = z.strictObject({
  type: LineTypeName,
  itemEntityId: EntityRef.describe('The item: an entity of an item category.'),
  locationEntityId: EntityRef.describe('The location: an entity of a location category.'),
  quantity: givenQuantity('How much.'),
  ...givenUnit,
  orderId: EntityRef.nullish().describe('An open order of the same type; by default a new one is created.'),
  requirementId: EntityRef.nullish().describe(
    'The material requirement of a purchase or manufacturing line; its item must be the same.',
  ),
  requiredBy: givenDate('Required date.'),
  ...givenTerms,
  overDeliveryPercent: OverDeliveryPercent.nullish().describe(
    'How much more than its quantity may be received of a purchase line, in percent; by default as much as the settings of stock say.',
  ),
  allowBackorder: z
    .boolean()
    .optional()
    .describe(
      'Whether a sales line reserves what is available if that is less than its quantity: the rest is demand, and is reserved later. By default it is refused.',
    )
    .meta({ examples: [false] }),
  state: z
    .enum(['Draft', 'Ordered', 'Reserved'])
    .optional()
    .describe(
      '`Ordered` for purchase and manufacturing lines, `Reserved` for sales lines, each the default; `Draft` writes no ledger entry.',
    )
    .meta({ examples: ['Draft'] }),
  note: givenNote,
});
/** A line in a call that creates several lines. */
export const LineOfNewOrder = newLine.pick({
  itemEntityId: true,
  locationEntityId: true,
  quantity: true,
  unit: true,
  rounding: true,
  requirementId: true,
  requiredBy: true,
  supplierPartId: true,
  price: true,
  currency: true,
  overDeliveryPercent: true,
  allowBackorder: true,
  state: true,
});

export const NewStockLine = newLine
  .extend({ supplier: ofNewPurchaseOrder })
  .refine((line) => refusedSupplier(line) === null, {
    error: ({ input }) => refusedSupplier(input as SupplierGiven) ?? '',
    path: ['supplier'],
  })
  .meta({ id: 'NewStockLine' });
export type NewStockLine = z.output<typeof NewStockLine>;

export const LineMovement = z
  .strictObject({ quantity: givenQuantity('How much.'), ...givenUnit, note: givenNote })
  .meta({ id: 'LineMovement' });

export const LineReservation = LineMovement.extend({ lots: HeldLots }).meta({ id: 'LineReservation' });

export const LineShipment = LineMovement.extend({ lots: LeavingLots, effectiveOn: givenDay }).meta({
  id: 'LineShipment',
});
export type LineShipment = z.output<typeof LineShipment>;

const untouched = [
  'id',
  'number',
  'type',
  'orderId',
  'orderNumber',
  'supplier',
  'itemEntityId',
  'itemNumber',
  'itemName',
  'itemPicture',
  'itemRevisionLabel',
  'locationEntityId',
  'locationNumber',
  'locationName',
  'requirementId',
  'state',
  'enteredQuantity',
  'enteredUnit',
  'itemRevision',
  'supplierPartId',
  'sku',
  'packQuantity',
  'priceUnit',
  'allowBackorder',
  'createdAt',
] as const;
/** Fields that every movement changes. */
const drifting = [
  'enteredOpenQty',
  'packs',
  'amount',
  'receivedQty',
  'shippedQty',
  'returnedQty',
  'reservedQty',
  'openQty',
  'forRequirement',
  'free',
] as const;
export const StockLinePatch = z
  .strictObject({
    quantity: givenQuantity(
      'How much is wanted in all, not less than has been received or shipped.',
    ).optional(),
    ...givenUnit,
    requiredBy: givenDate('Required date; null: none.'),
    promises: givenPromises,
    ...changedTerms,
    overDeliveryPercent: OverDeliveryPercent.nullish().describe(
      'How much more than its quantity may be received, in percent; null: as much as the settings of stock say.',
    ),
    note: givenNote,
    ...readOnly(StockLine, [...untouched, ...drifting], { drifting }),
  })
  .refine(({ quantity, unit }) => quantity !== undefined || unit == null, unitNeeds('quantity'))
  .meta({ id: 'StockLinePatch' });

/** A body may be left out: nothing in it is needed. */
export const LineEnd = z
  .strictObject({
    note: givenNote,
    unused: z
      .enum(['waive', 'return', 'scrap'])
      .optional()
      .describe(
        'What happens to components of a manufacturing line that were issued beyond what was built: `return` puts them back to where they were issued from, `scrap` writes them off there, `waive` (the default) leaves them issued.',
      )
      .meta({ examples: ['return'] }),
  })
  .optional()
  .meta({ id: 'LineEnd' });

export const entries = z.array(StockLedgerEntry).describe('The ledger entries written with it, in order.');

export const LineMoved = z.object({ line: StockLine, entries }).meta({ id: 'LineMoved' });
export type LineMoved = z.output<typeof LineMoved>;

export const LineParams = z.strictObject({
  id: EntityRef.meta({ description: 'The line.' }),
});

export const LineQuery = ListQuery.extend({
  sort: z
    .enum(['created', 'requiredBy'])
    .default('created')
    .describe(
      '`created`: in order of creation. `requiredBy`: by required date; lines without one come last.',
    ),
  order: ListOrder.describe('`asc`: oldest or earliest date first. `desc`: newest or latest date first.'),
  type: z.enum(lineTypes).optional().describe('Only lines of this type.'),
  itemEntityId: EntityRef.optional().describe('Only lines of this item.'),
  orderId: EntityRef.optional().describe('Only lines of this order.'),
  state: z.string().max(255).optional().describe('Only lines in the state of this name.'),
  open: z
    .enum(['true', 'false'])
    .default('false')
    .describe('Only lines that have not ended: neither Received, Shipped, Closed nor Cancelled.'),
  overdue: z
    .enum(['true', 'false'])
    .default('false')
    .describe('Only open lines that are overdue: required before today (UTC).'),
  requirementId: EntityRef.optional().describe('Only lines for this requirement.'),
  requiredFrom: filterDay('Only lines required on this date or later.'),
  requiredBefore: filterDay('Only lines required before this date.'),
  supplier: SupplierName.optional().describe(
    'Only lines of orders from this supplier, ignoring case and spaces.',
  ),
});
export type LineQuery = z.output<typeof LineQuery>;
