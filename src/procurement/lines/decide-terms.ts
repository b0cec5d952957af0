/** Decides the terms of new purchase lines: those of a supplier part, or of a price that the call states. */
import { today } from '../../calendar/days.ts';
import type { Tx } from '../../db/transaction.ts';
import { fieldError } from '../../errors.ts';
import type { LineType } from '../../stock/entries/line-rules.ts';
import { invalidLine } from '../records/refusals.ts';
import { findParts, readParts, type UsablePart } from '../records/suppliers/find-offers.ts';
import { noTerms, priced, type Terms, termsByPart } from '../records/suppliers/purchase-terms.ts';
import { supplierKey } from '../records/suppliers/supplier-key.ts';
import type { WantedLine } from './drafts.ts';

/** A line with what its group has read of it. */
export interface Buying {
  wanted: WantedLine;
  itemId: string;
  /** The supplier of its order. */
  supplier: string | null;
}

/** Supplier parts by line: the one that the line names, or the first of its supplier for its item. Most groups read nothing. */
export async function readTermsParts(
  tx: Tx,
  buying: readonly Buying[],
): Promise<ReadonlyMap<WantedLine, UsablePart>> {
  const named = buying.filter(({ wanted }) => wanted.supplierPartId != null);
  const bySupplier = buying.filter(
    ({ wanted, supplier }) => wanted.supplierPartId === undefined && supplier !== null,
  );
  const [parts, found] = [
    await readParts(
      tx,
      named.map(({ wanted }) => wanted.supplierPartId as string),
    ),
    await findParts(tx, bySupplier),
  ];
  return new Map([
    ...named.flatMap(({ wanted }): [WantedLine, UsablePart][] => {
      const part = parts.get(wanted.supplierPartId as string);
      return part === undefined ? [] : [[wanted, part]];
    }),
    ...bySupplier.flatMap(({ wanted }, at): [WantedLine, UsablePart][] => {
      const part = found[at];
      return part == null ? [] : [[wanted, part]];
    }),
  ]);
}

/** Returns null for a line of which no supplier part and no price is known. Throws `supplier_part_not_found`, `validation_failed`. */
export function decideTerms(
  type: LineType,
  { wanted, itemId, supplier }: Buying,
  part: UsablePart | undefined,
): Terms | null {
  const { supplierPartId, price, currency, amount } = wanted;
  const isBought = type === 'purchaseOrder';
  if (!isBought && (supplierPartId != null || price != null || currency != null))
    throw invalidLine(
      price == null ? 'supplierPartId' : 'price',
      'Only a purchase line has a price and a supplier part.',
    );
  if ((price == null) !== (currency == null))
    throw invalidLine(price == null ? 'price' : 'currency', 'A price and its currency are stated together.');
  if (supplierPartId != null) requireFitting(part, { supplierPartId, itemId, supplier });
  if (!isBought || (part === undefined && price == null)) return null;
  const terms = part === undefined ? noTerms : termsByPart(part, amount, today());
  return price == null || currency == null ? terms : priced(terms, price, currency, amount);
}

function requireFitting(
  usable: UsablePart | undefined,
  { supplierPartId, itemId, supplier }: { supplierPartId: string; itemId: string; supplier: string | null },
): void {
  if (usable === undefined) {
    const message = `There is no supplier part ${supplierPartId} whose unit the item has.`;
    throw fieldError('supplier_part_not_found', '/supplierPartId', message);
  }
  const { part } = usable;
  if (part.itemId !== itemId)
    throw invalidLine('supplierPartId', `Supplier part ${part.sku} is for another item.`);
  if (supplier === null || usable.names?.includes(supplierKey(supplier)) !== true)
    throw invalidLine(
      'supplierPartId',
      `Supplier part ${part.sku} is of ${part.supplier}, the order is not.`,
    );
}
