/** Suppliers as the API shows and takes them (contract §4.5). */
import { z } from 'zod';

/** So that the key of any name fits into an index. */
const NAME_CHARS_MAX = 200;

export const SupplierName = z
  .string()
  .max(NAME_CHARS_MAX)
  .regex(/\S/, { error: 'must not be blank' })
  .meta({ examples: ['DigiKey'] });

/** As orders and their lines show it. */
export const supplierShown = (what: string) =>
  z
    .string()
    .nullable()
    .describe(what)
    .meta({ examples: ['DigiKey'] });

/** Of calls that open an order where none is named. */
export const ofNewPurchaseOrder = SupplierName.nullish().describe(
  'From whom it is ordered: of a purchase order that is opened with it. One that is there keeps its own, which `PATCH /orders/{id}` changes.',
);

export interface SupplierGiven {
  /** Absent: a purchase order. */
  type?: string;
  orderId?: unknown;
  supplier?: unknown;
}

/** Why an order of that kind takes no supplier; null where it does. */
export function refusedSupplier({ type = 'purchaseOrder', orderId, supplier }: SupplierGiven): string | null {
  if (supplier == null) return null;
  if (type !== 'purchaseOrder') return 'Only a purchase order has a supplier.';
  if (orderId == null) return null;
  return 'An order that is there keeps its supplier: leave it out, or change it with PATCH /orders/{id}.';
}

export const Supplier = z
  .object({
    name: z
      .string()
      .describe('As its newest order writes it.')
      .meta({ examples: ['DigiKey'] }),
  })
  .describe('From whom orders are.')
  .meta({ id: 'Supplier' });
export type Supplier = z.output<typeof Supplier>;
