/** The terms of a purchase line: supplier part, pack, price and currency of the moment in which it was made or changed. */

import { amountAt, type Money, moneyOf, moneyText } from '../../../money/money.ts';
import { decimalOf, type Micro, microOfDecimal, numberOf } from '../../../quantity.ts';
import { ONE, type Rational, rational } from '../../../units/rational.ts';
import type { UsablePart } from './find-offers.ts';
import { packsOf, priceOf } from './supplier-part.ts';

export interface Terms {
  readonly supplierPartId: string | null;
  readonly sku: string | null;
  /** In `unit`; null without a supplier part. */
  readonly packQuantity: Micro | null;
  /** The unit of price and pack; null: the base unit of the item. */
  readonly unit: string | null;
  readonly factor: Rational;
  /** The price of one `unit` and the amount of the line; null if no price is known. */
  readonly cost: { readonly price: Money; readonly currency: string; readonly amount: Money } | null;
}

/** Columns of purchase_terms as reads of lines have them. */
export interface TermsRow {
  terms_factor: string | null;
  supplier_part_id: string | null;
  sku: string | null;
  pack_quantity: string | null;
  price_unit: string | null;
  price: string | null;
  currency: string | null;
  amount: string | null;
}

export function termsOfRow(row: TermsRow): Terms | null {
  if (row.terms_factor === null) return null;
  const [numerator = '1', denominator = '1'] = row.terms_factor.split('/');
  const { price, currency, amount } = row;
  return {
    supplierPartId: row.supplier_part_id,
    sku: row.sku,
    packQuantity: row.pack_quantity === null ? null : microOfDecimal(row.pack_quantity),
    unit: row.price_unit,
    factor: rational(BigInt(numerator), BigInt(denominator)),
    cost:
      price === null || currency === null || amount === null
        ? null
        : { price: moneyOf(price), currency, amount: moneyOf(amount) },
  };
}

/** Returns the terms of a quantity by a supplier part, with its price on that day. */
export function termsByPart({ part, factor }: UsablePart, quantity: Micro, day: string): Terms {
  const { id, sku, packQuantity, unit } = part;
  const inUnit = (quantity * factor.denominator) / factor.numerator;
  const price = priceOf(part, inUnit, day);
  const terms = { supplierPartId: id, sku, packQuantity, unit, factor, cost: null };
  return price === null ? terms : priced(terms, price.price, price.currency, quantity);
}

/** The terms of a line for which nothing is known. */
export const noTerms: Terms = {
  supplierPartId: null,
  sku: null,
  packQuantity: null,
  unit: null,
  factor: ONE,
  cost: null,
};

/** Returns the terms with a price and what the quantity costs at it. */
export function priced(terms: Terms, price: Money, currency: string, quantity: Micro): Terms {
  return { ...terms, cost: { price, currency, amount: amountAt(price, quantity, terms.factor) } };
}

/** The columns of purchase_terms behind the line. */
export function termsColumns(terms: readonly Terms[]): (string | null)[][] {
  return [
    terms.map((one) => one.supplierPartId),
    terms.map((one) => one.sku),
    terms.map(({ packQuantity }) => (packQuantity === null ? null : decimalOf(packQuantity))),
    terms.map((one) => one.unit),
    terms.map(({ factor }) => factor.numerator.toString()),
    terms.map(({ factor }) => factor.denominator.toString()),
    terms.map(({ cost }) => (cost === null ? null : decimalOf(cost.price))),
    terms.map(({ cost }) => cost?.currency ?? null),
    terms.map(({ cost }) => (cost === null ? null : decimalOf(cost.amount))),
  ];
}

/** The terms as a line of the API shows them. */
export function showTerms(terms: Terms | null, quantity: Micro) {
  const { supplierPartId, sku, packQuantity, unit, factor, cost } = terms ?? noTerms;
  return {
    supplierPartId,
    sku,
    packs: packQuantity === null ? null : packsOf(quantity, factor, packQuantity),
    packQuantity: packQuantity === null ? null : numberOf(packQuantity),
    price: cost === null ? null : moneyText(cost.price),
    priceUnit: unit,
    currency: cost?.currency ?? null,
    amount: cost === null ? null : moneyText(cost.amount),
  };
}

/** Adds up amounts by currency. */
export function amountsOf(
  costs: readonly (Pick<NonNullable<Terms['cost']>, 'amount' | 'currency'> | null)[],
) {
  const sums = new Map<string, Money>();
  for (const cost of costs)
    if (cost !== null) sums.set(cost.currency, (sums.get(cost.currency) ?? 0n) + cost.amount);
  return [...sums]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, amount]) => ({ currency, amount: moneyText(amount) }));
}
