/** Suppliers as the API shows and takes them (contract §4.5). */
import { z } from 'zod';
import { EntityRef } from '../../../entities/resolve-entity.ts';
import { isOneLine, NOT_ONE_LINE } from '../../../http/one-line.ts';
import { idOf } from './text.schema.ts';

/** Bounds names so that the key of each fits into an index. */
const NAME_CHARS_MAX = 200;

export const SupplierName = z
  .string()
  .max(NAME_CHARS_MAX)
  .regex(/\S/, { error: 'must not be blank' })
  // Blanks of any kind are one space in a name.
  .refine((name) => isOneLine(name.replaceAll(/\s+/gu, ' ')), { error: NOT_ONE_LINE })
  .meta({ examples: ['DigiKey'] });

/** Supplier as orders and lines show it. */
export const supplierShown = (what: string) =>
  z
    .string()
    .nullable()
    .describe(what)
    .meta({ examples: ['DigiKey'] });

/** Supplier of a new purchase order, for calls that create one. */
export const ofNewPurchaseOrder = SupplierName.nullish().describe(
  'The supplier of a purchase order that is created with it. An existing order keeps its own, which `PATCH /orders/{id}` changes.',
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

const ITEMS_MAX = 1000;

export const SupplierLookup = z
  .strictObject({
    itemEntityIds: z.array(EntityRef).min(1).max(ITEMS_MAX).describe(`The items, 1 to ${ITEMS_MAX}.`),
  })
  .meta({ id: 'SupplierLookup' });

export const LookedUpSuppliers = z
  .object({
    items: z.array(
      z.object({
        itemEntityId: idOf('The item.'),
        supplier: supplierShown(
          'The supplier of the supplier part that its planning prefers, or of its first active one, by rank; without one, the supplier from whom it was last ordered. Null if it never was.',
        ),
      }),
    ),
  })
  .meta({ id: 'LookedUpSuppliers' });
