/** Proposes what to order for needs: the supplier part, whole packs, and the price at that quantity. */
import { today } from '../../calendar/days.ts';
import type { Tx } from '../../db/transaction.ts';
import { moneyText } from '../../money/money.ts';
import type { Micro } from '../../quantity.ts';
import { numberOf } from '../../quantity.ts';
import { findParts, type WantedOffer } from '../records/suppliers/find-offers.ts';
import { type Offer, offerOf } from '../records/suppliers/supplier-part.ts';
import type { Offers } from './supplier-parts.schema.ts';

export type ShownOffer = Omit<Offers['items'][number], 'itemEntityId'>;

/** Returns an offer for each need, at the prices of the day; null for an item without a supplier part. */
export async function findOffers(
  tx: Tx,
  needs: readonly (WantedOffer & { need: Micro })[],
  day = today(),
): Promise<(Offer | null)[]> {
  const found = await findParts(tx, needs);
  return needs.map(({ need }, at) => {
    const usable = found[at];
    return usable == null ? null : offerOf(usable.part, usable.factor, need, day);
  });
}

/** Shows an offer; without one, the need itself. */
export function showOffer(offer: Offer | null, need: Micro): ShownOffer {
  return {
    supplierPartId: offer?.part.id ?? null,
    supplierId: offer?.part.supplierId ?? null,
    supplier: offer?.part.supplier ?? null,
    sku: offer?.part.sku ?? null,
    quantity: numberOf(offer?.quantity ?? need),
    unit: offer?.part.unit ?? null,
    packs: offer === null ? null : Number(offer.packs),
    packQuantity: offer === null ? null : numberOf(offer.part.packQuantity),
    price: offer?.price == null ? null : moneyText(offer.price.price),
    currency: offer?.price?.currency ?? null,
    amount: offer?.amount == null ? null : moneyText(offer.amount),
    leadTimeDays: offer?.leadTimeDays ?? null,
  };
}
