/** Orders as the API shows them (contract §4.5). */
import { z } from 'zod';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { ListOrder, ListQuery } from '../../http/list.ts';
import { oneLine } from '../../http/one-line.ts';
import { readOnly } from '../../http/read-only.ts';
import { Currency, shownMoney } from '../../money/money.ts';
import { costOfReceived } from '../../stock/entries/given-cost.schema.ts';
import { givenUnit } from '../../stock/entries/given-quantity.ts';
import { lineTypes } from '../../stock/entries/line-rules.ts';
import { ArrivingLots, LeavingLots } from '../../stock/entries/lot.schema.ts';
import { givenDay } from '../../stock/entries/stock.schema.ts';
import { LineOfNewOrder, LineTypeName, StockLine } from './lines.schema.ts';
import {
  refusedSupplier,
  type SupplierGiven,
  SupplierName,
  supplierShown,
} from './schemas/suppliers.schema.ts';
import {
  amount,
  filterDay,
  givenNote,
  givenQuantity,
  givenText,
  idOf,
  moment,
  numberText,
} from './schemas/text.schema.ts';

/** Lines that an order shows with itself. */
export const ORDER_LINES_MAX = 1000;

const count = (what: string) =>
  z
    .int()
    .describe(what)
    .meta({ examples: [3] });

const fields = {
  id: idOf('The order, which is an entity too.'),
  type: LineTypeName.describe('Type of the order.'),
  number: numberText('Its number.', 'PO-000004'),
  name: z
    .string()
    .describe('Its name.')
    .meta({ examples: ['Purchase order'] }),
  state: z
    .string()
    .describe('Its lifecycle state.')
    .meta({ examples: ['Open'] }),
  supplier: supplierShown('The supplier; null if none is named, and for other kinds of orders.'),
  customer: z
    .string()
    .nullable()
    .describe('The customer; null if none is named, and for other kinds of orders.')
    .meta({ examples: ['Rover Works AB'] }),
  ourReference: z
    .string()
    .nullable()
    .describe('Our reference, such as the person who orders.')
    .meta({ examples: ['A. Berg'] }),
  theirReference: z
    .string()
    .nullable()
    .describe('The reference of the supplier or customer, such as the number of its confirmation.')
    .meta({ examples: ['AB-2026-4711'] }),
  totals: z
    .object({
      lines: count('Number of lines.'),
      openLines: count('Number of lines with an open quantity.'),
      quantity: amount('Ordered quantity of its lines that are not cancelled.', 40),
      receivedQty: amount('Received quantity of its lines.', 10),
      shippedQty: amount('Shipped quantity of its lines.', 0),
      returnedQty: amount(
        'Quantity of its lines that went back to the supplier or came back from the customer.',
        0,
      ),
      reservedQty: amount('Reserved quantity of its lines.', 0),
      openQty: amount('Quantity of its lines still to be received or shipped.', 30),
      amounts: z
        .array(z.object({ currency: Currency, amount: shownMoney('The sum in this currency.', '123.4') }))
        .describe('What its lines cost that are not cancelled, by currency.'),
      unpricedLines: count('Number of purchase lines that are not cancelled and have no price.'),
    })
    .describe('Sums over its lines, from the ledger.'),
  createdAt: moment('When it was created.'),
};

export const Order = z.object(fields).describe('An order.').meta({ id: 'Order' });
export type Order = z.output<typeof Order>;

export const OrderWithLines = z
  .object({
    ...fields,
    lines: z
      .array(StockLine)
      .describe(`Its first ${ORDER_LINES_MAX} lines; all of them are at \`/stock/lines?orderId=\`.`),
  })
  .describe('An order with its lines.')
  .meta({ id: 'OrderWithLines' });

export type OrderWithLines = z.output<typeof OrderWithLines>;

/** Lines that one call makes or receives: each is a transaction's work of its own, and all are one. */
const CALL_LINES_MAX = 100;

const givenLines = z
  .array(LineOfNewOrder)
  .min(1)
  .max(CALL_LINES_MAX)
  .describe(`1 to ${CALL_LINES_MAX} lines.`);

const REFERENCE_CHARS_MAX = 255;
const givenReference = (what: string) =>
  oneLine(REFERENCE_CHARS_MAX)
    .nullish()
    .describe(what)
    .meta({ examples: ['AB-2026-4711'] });
const givenReferences = {
  ourReference: givenReference('Our reference; null: none.'),
  theirReference: givenReference('The reference of the supplier or customer; null: none.'),
};

export const ONLY_SALES = 'Only a sales order has a customer.';
const CUSTOMER_CHARS_MAX = 200;
const givenCustomer = (what: string) =>
  oneLine(CUSTOMER_CHARS_MAX)
    .nullish()
    .describe(what)
    .meta({ examples: ['Rover Works AB'] });

/** The customer of a sales order, and the references of both sides of an order. */
export interface References {
  customer: string | null;
  ours: string | null;
  theirs: string | null;
}

export const NewOrder = z
  .strictObject({
    type: LineTypeName,
    supplier: SupplierName.nullish().describe('The supplier; only for a purchase order.'),
    customer: givenCustomer('The customer; only for a sales order.'),
    ...givenReferences,
    lines: givenLines,
    note: givenNote,
  })
  .refine((order) => refusedSupplier(order) === null, {
    error: ({ input }) => refusedSupplier(input as SupplierGiven) ?? '',
    path: ['supplier'],
  })
  .refine(({ type, customer }) => customer == null || type === 'salesOrder', {
    error: ONLY_SALES,
    path: ['customer'],
  })
  .meta({ id: 'NewOrder' });
export type NewOrder = z.output<typeof NewOrder>;

const untouched = ['id', 'type', 'number', 'name', 'state', 'createdAt'] as const;
/** Fields that movements and calls of the lines change. */
const drifting = ['totals', 'lines'] as const;
export const OrderPatch = z
  .strictObject({
    supplier: SupplierName.nullish().describe('The supplier; null: none.'),
    customer: givenCustomer('The customer of a sales order; null: none.'),
    ...givenReferences,
    ...readOnly(OrderWithLines, [...untouched, ...drifting], { drifting }),
  })
  .meta({ id: 'OrderPatch' });

export const NewOrderLines = z
  .strictObject({ lines: givenLines, note: givenNote })
  .meta({ id: 'NewOrderLines' });
export type NewOrderLines = z.output<typeof NewOrderLines>;

export const AddedLines = z
  .object({
    lines: z.array(StockLine).describe('The added lines, in the order of the request.'),
  })
  .meta({ id: 'AddedLines' });
export type AddedLines = z.output<typeof AddedLines>;

/** A call that can be tried. */
export const triedOrder = z
  .boolean()
  .default(false)
  .describe('Answer with the order as it would be, or with the refusal, and write nothing.')
  .meta({ examples: [false] });

/** Which lines of an order, and how much of each. */
const delivered = <Shape extends z.ZodRawShape>(of: string, all: string, more: Shape) =>
  z.strictObject({
    lines: z
      .array(z.strictObject({ lineId: z.uuid(), quantity: givenQuantity(of), ...givenUnit, ...more }))
      .min(1)
      .max(CALL_LINES_MAX)
      .optional()
      .describe(all),
    note: givenNote,
    effectiveOn: givenDay,
    dryRun: triedOrder,
  });

export const OrderReceipt = delivered('How much came.', 'The received lines; by default everything open.', {
  locationEntityId: EntityRef.optional().describe(
    'Where the goods are put; by default the location of the line. A line that is put into several locations is listed once for each.',
  ),
  lots: ArrivingLots,
  unitCost: costOfReceived,
})
  .extend({
    consume: z
      .enum(['proportional', 'none'])
      .nullish()
      .describe(
        'How lines of a manufacturing order take their components, as `consume` of `POST /stock/lines/{id}/receipts`; by default as the category of each line says.',
      )
      .meta({ examples: ['proportional'] }),
  })
  .meta({ id: 'OrderReceipt' });

export const OrderShipment = delivered(
  'How much went out.',
  'The shipped lines; by default everything open.',
  { lots: LeavingLots },
).meta({ id: 'OrderShipment' });
export type OrderDelivery = z.output<typeof OrderReceipt> | z.output<typeof OrderShipment>;

export const OrderParams = z.strictObject({ id: EntityRef.meta({ description: 'The order.' }) });

export const OrderQuery = ListQuery.extend({
  order: ListOrder,
  type: z.enum(lineTypes).optional().describe('Only orders of this type.'),
  state: z.string().max(255).optional().describe('Only orders in the state of this name.'),
  supplier: SupplierName.optional().describe('Only orders from this supplier, ignoring case and spaces.'),
  customer: oneLine(CUSTOMER_CHARS_MAX)
    .optional()
    .describe('Only sales orders for this customer, ignoring case and spaces. Not together with `supplier`.'),
  open: z
    .enum(['true', 'false'])
    .default('false')
    .describe('Only orders with an open line: neither Received, Shipped, Closed nor Cancelled.'),
  overdue: z
    .enum(['true', 'false'])
    .default('false')
    .describe('Only orders with an overdue open line: required before today (UTC).'),
  requiredFrom: filterDay('Only orders with an open line that is required on this date or later.'),
  requiredBefore: filterDay('Only orders with an open line that is required before this date.'),
  q: givenText('Only orders with this text in their number or name.'),
}).refine(({ supplier, customer }) => supplier === undefined || customer === undefined, {
  message: 'An order has a supplier or a customer, and not both.',
  path: ['customer'],
});
export type OrderQuery = z.output<typeof OrderQuery>;
