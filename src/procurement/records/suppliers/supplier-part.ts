/** A supplier part: how much of it is ordered for a need, and at which price. */

import { amountAt, type Money, moneyOf } from '../../../money/money.ts';
import { decimalOf, type Micro, microOfDecimal, numberOf } from '../../../quantity.ts';
import { amountIn } from '../../../stock/entries/given-quantity.ts';
import type { Rational } from '../../../units/rational.ts';

export interface PriceBreak {
  /** The quantity from which the price applies, in the unit of the supplier part. */
  readonly from: Micro;
  readonly price: Money;
  readonly currency: string;
  /** The first day; null: always. */
  readonly validFrom: string | null;
  readonly source: string | null;
}

export interface SupplierPart {
  readonly id: string;
  readonly itemId: string;
  readonly itemNumber: string | null;
  readonly itemName: string;
  readonly supplierId: string;
  readonly supplier: string;
  /** The currency and lead time of the supplier. */
  readonly supplierCurrency: string | null;
  readonly supplierLeadTimeDays: number | null;
  readonly isSupplierActive: boolean;
  readonly sku: string;
  readonly manufacturer: string | null;
  readonly mpn: string | null;
  /** The unit of all its quantities and prices; null: the base unit of the item. */
  readonly unit: string | null;
  readonly packQuantity: Micro;
  readonly minimum: Micro | null;
  readonly multiple: Micro | null;
  readonly leadTimeDays: number | null;
  readonly rank: number;
  readonly status: 'active' | 'inactive';
  readonly prices: readonly PriceBreak[];
  readonly version: number;
  readonly createdAt: Date;
}

export interface SupplierPartRow {
  id: string;
  item_id: string;
  item_number: string | null;
  item_name: string | null;
  supplier_id: string;
  supplier: string;
  supplier_currency: string | null;
  supplier_lead_time_days: number | null;
  supplier_state: string;
  sku: string;
  manufacturer: string | null;
  mpn: string | null;
  unit: string | null;
  pack_quantity: string;
  minimum: string | null;
  multiple: string | null;
  lead_time_days: number | null;
  rank: number;
  status: 'active' | 'inactive';
  prices: StoredPrice[];
  version: number;
  created_at: Date;
}

interface StoredPrice {
  from: string;
  price: string;
  currency: string;
  validFrom: string | null;
  source: string | null;
}

export function supplierPartOfRow(row: SupplierPartRow): SupplierPart {
  return {
    id: row.id,
    itemId: row.item_id,
    itemNumber: row.item_number,
    itemName: row.item_name ?? '',
    supplierId: row.supplier_id,
    supplier: row.supplier,
    supplierCurrency: row.supplier_currency,
    supplierLeadTimeDays: row.supplier_lead_time_days,
    isSupplierActive: row.supplier_state === 'active',
    sku: row.sku,
    manufacturer: row.manufacturer,
    mpn: row.mpn,
    unit: row.unit,
    packQuantity: microOfDecimal(row.pack_quantity),
    minimum: row.minimum === null ? null : microOfDecimal(row.minimum),
    multiple: row.multiple === null ? null : microOfDecimal(row.multiple),
    leadTimeDays: row.lead_time_days,
    rank: row.rank,
    status: row.status,
    prices: row.prices.map((one) => ({
      ...one,
      from: microOfDecimal(one.from),
      price: moneyOf(one.price),
    })),
    version: row.version,
    createdAt: new Date(row.created_at),
  };
}

/** The JSON that is stored of price breaks. */
export function storedPrices(prices: readonly PriceBreak[]): string {
  const stored: StoredPrice[] = prices.map(({ from, price, ...rest }) => ({
    from: decimalOf(from),
    price: decimalOf(price),
    ...rest,
  }));
  return JSON.stringify(stored);
}

/**
 * Returns the price of a quantity in the unit of the supplier part; null if no price applies. The prices with the latest `validFrom` that is
 * not after the day apply, and of these the ones in the currency of the supplier, if there are any.
 */
export function priceOf(part: SupplierPart, quantity: Micro, day: string): PriceBreak | null {
  const known = part.prices.filter(({ validFrom }) => validFrom === null || validFrom <= day);
  const ofCurrency = known.filter(({ currency }) => currency === part.supplierCurrency);
  const some = ofCurrency.length > 0 ? ofCurrency : known;
  const latest = some.reduce(
    (last, { validFrom }) => (validFrom !== null && validFrom > last ? validFrom : last),
    '',
  );
  let best: PriceBreak | null = null;
  for (const one of some) {
    if ((one.validFrom ?? '') !== latest || one.from > quantity) continue;
    if (best === null || one.from > best.from) best = one;
  }
  return best;
}

/** The answer of a supplier part to a need: how much is ordered, in packs, and what it costs. */
export interface Offer {
  readonly part: SupplierPart;
  /** How many base units of the item the unit of the supplier part is. */
  readonly factor: Rational;
  /** In the base unit of the item. */
  readonly quantity: Micro;
  /** In the unit of the supplier part. */
  readonly unitQuantity: Micro;
  /** A whole number. */
  readonly packs: bigint;
  /** The price; null if none applies. */
  readonly price: PriceBreak | null;
  readonly amount: Money | null;
  readonly leadTimeDays: number | null;
}

/** Returns the offer for a need in base units: rounded up to the minimum, to packs and to the multiple. */
export function offerOf(part: SupplierPart, factor: Rational, need: Micro, day: string): Offer {
  const { numerator, denominator } = factor;
  const least = ceilOf(need * denominator, numerator);
  const wanted = part.minimum !== null && part.minimum > least ? part.minimum : least;
  // The multiple is one of the pack.
  const step = part.multiple ?? part.packQuantity;
  const unitQuantity = ceilOf(wanted, step) * step;
  const quantity = ceilOf(unitQuantity * numerator, denominator);
  const price = priceOf(part, unitQuantity, day);
  return {
    part,
    factor,
    quantity,
    unitQuantity,
    packs: unitQuantity / part.packQuantity,
    price,
    amount: price === null ? null : amountAt(price.price, quantity, factor),
    leadTimeDays: part.leadTimeDays ?? part.supplierLeadTimeDays,
  };
}

/** Packs of a quantity that somebody else has chosen: it need not be a whole number. */
export function packsOf(quantity: Micro, factor: Rational, packQuantity: Micro): number {
  return Number(numberOf((amountIn(quantity, factor) * 1_000_000n) / packQuantity));
}

function ceilOf(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
