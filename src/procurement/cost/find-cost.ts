/** Finds what an item costs: its structure down to what is purchased, and the price of each purchased item at its whole quantity. */
import type { Tx } from '../../db/transaction.ts';
import { accumulate, stepsByStart } from '../../entities/structure/accumulate.ts';
import { AppError } from '../../errors.ts';
import { Slices } from '../../fairness/slices.ts';
import { amountAt, type Money } from '../../money/money.ts';
import { add, type Exact, exactOf, type Micro, microUp, zero } from '../../quantity.ts';
import type { Offer, PriceBreak } from '../records/suppliers/supplier-part.ts';
import { itemOf, readStructureBelow, type StructureBasis } from '../shortages/structure-below.ts';
import { findOffers } from '../supplier-parts/offer-items.ts';
import { selectBought } from './cost.sql.ts';

/** Items whose supplier parts are read at once. */
const ITEMS_AT_ONCE = 1000;
/** Assemblies whose planning is read at once. */
const ASSEMBLIES_AT_ONCE = 5000;

export interface PricedItem {
  readonly id: string;
  readonly need: Micro;
  readonly offer: Offer & { readonly price: PriceBreak; readonly amount: Money };
  /** What the need costs, at the price of what is ordered. */
  readonly amount: Money;
}

export interface UnpricedNeed {
  readonly id: string;
  readonly need: Micro;
  readonly reason: 'noSupplierPart' | 'noPrice';
}

export interface ItemCost {
  /** By currency, the largest amount first. */
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

interface Needed {
  id: string;
  need: Micro;
}

/**
 * Returns how much of each purchased item is needed: of items without components, and of those whose planning says that they are bought. The
 * item itself is made if it has components.
 */
async function purchasedNeeds(
  tx: Tx,
  itemId: string,
  { quantity, ...basis }: StructureBasis & { quantity: Micro },
  slices: Slices,
): Promise<Needed[]> {
  const { steps, roles, nodeCount } = await readStructureBelow(tx, itemId, basis, slices);
  const children = await stepsByStart(steps, slices);
  const assemblies = [...children.keys()].filter((node) => node !== itemId && node === itemOf(node));
  const bought = await boughtAmong(tx, assemblies, slices);
  const sums = new Map<string, Exact>();
  let visited = 0;
  await accumulate(itemId, exactOf(quantity), children, slices, (node, amount) => {
    visited++;
    if (children.has(node) && !bought.has(node)) return amount;
    const id = itemOf(node);
    if (amount.digits > 0n && (id === itemId || isItem(roles.get(id))))
      sums.set(id, add(sums.get(id) ?? zero, amount));
    return zero;
  });
  // Released revisions of different times can contain each other.
  if (visited < nodeCount)
    throw new AppError(
      'cycle',
      'Released revisions below this revision contain each other. Calculate the cost of the present structure.',
    );
  const needs: Needed[] = [];
  for (const [id, amount] of sums) {
    if (slices.areDue) await slices.next();
    needs.push({ id, need: microUp(amount) });
  }
  return needs;
}

function isItem(role: string | undefined): boolean {
  return role === 'item' || role === 'itemAndLocation';
}

/** Returns the items among these whose planning says that they are bought. */
async function boughtAmong(tx: Tx, ids: readonly string[], slices: Slices): Promise<Set<string>> {
  const bought = new Set<string>();
  for (let from = 0; from < ids.length; from += ASSEMBLIES_AT_ONCE) {
    const some = ids.slice(from, from + ASSEMBLIES_AT_ONCE);
    for (const { id } of await tx.query<{ id: string }>(selectBought, [tx.workspaceId, some])) bought.add(id);
    if (slices.areDue) await slices.next();
  }
  return bought;
}

/** Sorts by currency, the largest amount first. Amounts are compared as doubles, which is fast and exact enough for an order. */
function byAmount(priced: readonly PricedItem[]): PricedItem[] {
  return priced
    .map((one) => ({ one, currency: one.offer.price.currency, amount: Number(one.amount) }))
    .sort((a, b) => (a.currency === b.currency ? b.amount - a.amount : a.currency < b.currency ? -1 : 1))
    .map(({ one }) => one);
}
