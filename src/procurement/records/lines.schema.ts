/** Stock lines as the API shows and takes them (contract §4.5). */
import { z } from 'zod';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { ListOrder, ListQuery } from '../../http/list.ts';
import { readOnly } from '../../http/read-only.ts';
import { lineTypes } from '../../stock/entries/line-rules.ts';
import { StockLedgerEntry } from '../../stock/entries/stock.schema.ts';
import {
  ofNewPurchaseOrder,
  refusedSupplier,
  type SupplierGiven,
  SupplierName,
  supplierShown,
} from './suppliers.schema.ts';
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
} from './text.schema.ts';

export const LineTypeName = z
  .enum(lineTypes)
  .describe('What kind of order it is a line of.')
  .meta({ examples: ['purchaseOrder'] });

export const StockLine = z
  .object({
    id: idOf('The line, which is an entity too.'),
    number: numberText('Its number.', 'POL-000017'),
    type: LineTypeName,
    orderId: idOf('Its order, an entity too.'),
    orderNumber: numberText("Its order's number.", 'PO-000004'),
    supplier: supplierShown(
      'From whom its order is; null where nobody has said so, and of orders that are no purchase orders.',
    ),
    itemEntityId: idOf('What is ordered.'),
    itemNumber: numberText("The item's present number.", 'PRT-000042'),
    itemName: z
      .string()
      .describe("The item's present name.")
      .meta({ examples: ['Hex bolt M8'] }),
    locationEntityId: idOf('Where it goes to or comes from.'),
    locationNumber: numberText("The location's present number.", 'LOC-0003'),
    locationName: z
      .string()
      .describe("The location's present name.")
      .meta({ examples: ['Shelf A3'] }),
    requirementId: idOrNull('The material requirement that it is for.'),
    state: z
      .string()
      .describe(
        'Lifecycle state of the line: Draft, Ordered, Received, Closed, Cancelled, or for sales Draft, Reserved, Shipped, Closed, Cancelled.',
      )
      .meta({ examples: ['Ordered'] }),
    quantity: amount('What was ordered.', 10),
    receivedQty: amount('What has been received, from the ledger.', 4),
    shippedQty: amount('What has been shipped, from the ledger.', 0),
    reservedQty: amount('What it holds reserved, from the ledger.', 0),
    openQty: amount('What is still to be received or shipped; 0 when the line has come to its end.', 6),
    requiredBy: dateOrNull('When it is needed.'),
    createdAt: moment('When it was made.'),
  })
  .describe('A line of an order. Its quantities are computed from the ledger.')
  .meta({ id: 'StockLine' });
export type StockLine = z.output<typeof StockLine>;

const newLine = z.strictObject({
  type: LineTypeName,
  itemEntityId: EntityRef.describe('What is ordered: an entity of an item category.'),
  locationEntityId: EntityRef.describe('Where it goes to or comes from: an entity of a location category.'),
  quantity: givenQuantity('How much.'),
  orderId: EntityRef.nullish().describe(
    'An open order of the same type; a new one is opened where it is absent.',
  ),
  requirementId: EntityRef.nullish().describe(
    'The material requirement that a purchase or manufacturing line is for; its item must be the same.',
  ),
  requiredBy: givenDate('When it is needed.'),
  state: z
    .enum(['Draft', 'Ordered', 'Reserved'])
    .optional()
    .describe(
      '`Ordered` for purchase and manufacturing lines, `Reserved` for sales lines, each the default; `Draft` writes no ledger entry.',
    )
    .meta({ examples: ['Draft'] }),
  note: givenNote,
});
/** What a call that makes several lines says of each of them. */
export const LineOfNewOrder = newLine.pick({
  itemEntityId: true,
  locationEntityId: true,
  quantity: true,
  requirementId: true,
  requiredBy: true,
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
  .strictObject({ quantity: givenQuantity('How much.'), note: givenNote })
  .meta({ id: 'LineMovement' });

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
  'locationEntityId',
  'locationNumber',
  'locationName',
  'requirementId',
  'state',
  'createdAt',
] as const;
/** What every movement changes. */
const drifting = ['receivedQty', 'shippedQty', 'reservedQty', 'openQty'] as const;
export const StockLinePatch = z
  .strictObject({
    quantity: givenQuantity(
      'How much is wanted in all, not less than has been received or shipped.',
    ).optional(),
    requiredBy: givenDate('When it is needed; null: by no day.'),
    note: givenNote,
    ...readOnly(StockLine, [...untouched, ...drifting], { drifting }),
  })
  .meta({ id: 'StockLinePatch' });

/** A body may be left out: nothing in it is needed. */
export const LineEnd = z.strictObject({ note: givenNote }).optional().meta({ id: 'LineEnd' });

export const entries = z
  .array(StockLedgerEntry)
  .describe('The ledger entries that were written with it, in order.');

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
      '`created`: as they were made. `requiredBy`: by the day that they are needed; those without one come last.',
    ),
  order: ListOrder.describe(
    '`asc`: the oldest, or the day that comes first. `desc`: the newest, or the last day.',
  ),
  type: z.enum(lineTypes).optional().describe('Only lines of this type.'),
  itemEntityId: EntityRef.optional().describe('Only lines of this item.'),
  orderId: EntityRef.optional().describe('Only lines of this order.'),
  state: z.string().max(255).optional().describe('Only lines in the state of this name.'),
  open: z
    .enum(['true', 'false'])
    .default('false')
    .describe('Only lines that have not come to their end: neither Received, Shipped, Closed nor Cancelled.'),
  overdue: z
    .enum(['true', 'false'])
    .default('false')
    .describe('Only open lines whose day is past: they were needed before today (UTC).'),
  requirementId: EntityRef.optional().describe('Only lines for this requirement.'),
  requiredFrom: filterDay('Only lines that are needed on this day or later.'),
  requiredBefore: filterDay('Only lines that are needed before this day.'),
  supplier: SupplierName.optional().describe(
    'Only lines of orders from this supplier, capitals and spaces aside.',
  ),
});
export type LineQuery = z.output<typeof LineQuery>;
