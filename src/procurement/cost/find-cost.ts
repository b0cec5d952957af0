/** Finds what an item costs: its structure down to what is purchased, and the price of each purchased item at its whole quantity. */
import type { Tx } from '../../db/transaction.ts';
import { Slices } from '../../fairness/slices.ts';
import { amountAt, type Money } from '../../money/money.ts';
import type { Micro } from '../../quantity.ts';
import type { Offer, PriceBreak } from '../records/suppliers/supplier-part.ts';
import type { StructureBasis } from '../shortages/structure-below.ts';
import { findOffers } from '../supplier-parts/offer-items.ts';
import { purchasedNeeds } from './purchased-needs.ts';

/** Items whose supplier parts are read at once. */
const ITEMS_AT_ONCE = 1000;

export interface PricedItem {
  readonly id: string;
  readonly need: Micro;
  readonly offer: Offer & { readonly price: PriceBreak; readonly amount: Money };
  /** The cost of the need, at the price of the quantity that is ordered. */
  readonly amount: Money;
}

export interface UnpricedNeed {
  readonly id: string;
  readonly need: Micro;
  readonly reason: 'noSupplierPart' | 'noPrice';
}

export interface ItemCost {
  /** Amounts by currency, the largest first. */
  readonly priced: readonly PricedItem[];
  readonly unpriced: readonly UnpricedNeed[];
}

export interface CostBasis extends StructureBasis {
  quantity: Micro;
  /** The day of the prices. */
  day: string;
}

/** Throws `tree_too_large`, `cycle`, `quantity_out_of_range`. */
export async function findCost(
  tx: Tx,
  itemId: string,
  { quantity, day, ...basis }: CostBasis,
): Promise<ItemCost> {
  const slices = new Slices(tx.gone);
  const needs = await purchasedNeeds(tx, itemId, { ...basis, quantity }, slices);
  const priced: PricedItem[] = [];
  const unpriced: UnpricedNeed[] = [];
  for (let from = 0; from < needs.length; from += ITEMS_AT_ONCE) {
    const some = needs.slice(from, from + ITEMS_AT_ONCE);
    const offers = await findOffers(
      tx,
      some.map(({ id, need }) => ({ itemId: id, supplier: null, need })),
      day,
    );
    for (const [at, { id, need }] of some.entries()) {
      const offer = offers[at] ?? null;
      if (offer === null) unpriced.push({ id, need, reason: 'noSupplierPart' });
      else if (offer.price === null || offer.amount === null) unpriced.push({ id, need, reason: 'noPrice' });
      else {
        const { price, amount } = offer;
        priced.push({
          id,
          need,
          offer: { ...offer, price, amount },
          amount: amountAt(price.price, need, offer.factor),
        });
      }
    }
    if (slices.areDue) await slices.next();
  }
  return { priced: byAmount(priced), unpriced };
}

/** Sorts by currency, the largest amount first. Amounts are compared as doubles, which is fast and exact enough for an order. */
function byAmount(priced: readonly PricedItem[]): PricedItem[] {
  return priced
    .map((one) => ({ one, currency: one.offer.price.currency, amount: Number(one.amount) }))
    .sort((a, b) => (a.currency === b.currency ? b.amount - a.amount : a.currency < b.currency ? -1 : 1))
    .map(({ one }) => one);
}
