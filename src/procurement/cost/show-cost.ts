/** Shows the cost of an item in the form of the API, as JSON or as lines of CSV. */
import type { Tx } from '../../db/transaction.ts';
import type { Slices } from '../../fairness/slices.ts';
import { type CsvColumn, csvLine } from '../../http/csv-line.ts';
import { type Money, moneyText } from '../../money/money.ts';
import { readRates } from '../../money/read-rates.ts';
import { type Micro, numberOf } from '../../quantity.ts';
import { convert } from '../rates/convert-amounts.ts';
import type { Named } from '../shortages/show-shortages.ts';
import { selectNames } from '../shortages/structure.sql.ts';
import { type Cost, type CostItem, ITEMS_SHOWN_MAX, type UnpricedItem } from './cost.schema.ts';
import type { ItemCost, PricedItem, UnpricedNeed } from './find-cost.ts';

type Names = ReadonlyMap<string, Named>;

export interface ShownBy {
  quantity: Micro;
  day: string;
  /** The currency into which totals are converted; null: none. */
  currency: string | null;
  /** The number of the revision; null: the present structure. */
  revision: number | null;
}

/** Reads the names of items and shows their costs. */
export async function showCost(
  tx: Tx,
  itemId: string,
  { priced, unpriced }: ItemCost,
  { quantity, day, currency, revision }: ShownBy,
): Promise<Cost> {
  const sums = sumsOf(priced);
  const items = priced.slice(0, ITEMS_SHOWN_MAX);
  const unknown = unpriced.slice(0, ITEMS_SHOWN_MAX);
  const names = await readNames(tx, [itemId, ...[...items, ...unknown].map(({ id }) => id)]);
  return {
    ...labelOf(names, itemId),
    quantity: numberOf(quantity),
    at: day,
    revision,
    totals: totalsOf(sums, quantity),
    converted: currency === null ? null : await convertTotals(tx, sums, { quantity, day, currency }),
    itemCount: priced.length,
    items: items.map((item) => showItem(item, names)),
    unknownCount: unpriced.length,
    unknown: unknown.map((item) => showUnpriced(item, names)),
  };
}

interface Sums {
  readonly amount: Money;
  readonly orderAmount: Money;
}

/** Adds up by currency. */
function sumsOf(priced: readonly PricedItem[]): Map<string, Sums> {
  const sums = new Map<string, Sums>();
  for (const { amount, offer } of priced) {
    const { currency } = offer.price;
    const before = sums.get(currency) ?? { amount: 0n, orderAmount: 0n };
    sums.set(currency, { amount: before.amount + amount, orderAmount: before.orderAmount + offer.amount });
  }
  return sums;
}

function totalsOf(sums: ReadonlyMap<string, Sums>, quantity: Micro): Cost['totals'] {
  return [...sums]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, own]) => ({ currency, ...showSums(own, quantity) }));
}

const nothingKnown = { amount: null, perUnit: null, orderAmount: null };

function showSums({ amount, orderAmount }: Sums, quantity: Micro) {
  return {
    amount: moneyText(amount),
    perUnit: moneyText((2n * amount * 1_000_000n + quantity) / (2n * quantity)),
    orderAmount: moneyText(orderAmount),
  };
}

async function convertTotals(
  tx: Tx,
  sums: ReadonlyMap<string, Sums>,
  { quantity, day, currency }: { quantity: Micro; day: string; currency: string },
): Promise<Cost['converted']> {
  const rates = await readRates(tx, { currencies: [...sums.keys()], into: currency, day });
  const { amounts, ...how } = convert(rates, sums, ['amount', 'orderAmount']);
  const shown = amounts === null ? nothingKnown : showSums(amounts, quantity);
  return { ...how, ...shown };
}

/** Runs a transaction: none is open between two portions. */
type Read = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/** Items in one portion of a table. */
const PORTION = 1000;

const columns: readonly CsvColumn<Partial<CostItem> & UnpricedItem & { reason: string | null }>[] = [
  ['itemEntityId', (item) => item.itemEntityId],
  ['itemNumber', (item) => item.itemNumber],
  ['itemName', (item) => item.itemName],
  ['quantity', (item) => item.quantity],
  ['supplier', (item) => item.supplier ?? null],
  ['sku', (item) => item.sku ?? null],
  ['price', (item) => item.price ?? null],
  ['priceUnit', (item) => item.priceUnit ?? null],
  ['currency', (item) => item.currency ?? null],
  ['amount', (item) => item.amount ?? null],
  ['orderQuantity', (item) => item.orderQuantity ?? null],
  ['packs', (item) => item.packs ?? null],
  ['orderAmount', (item) => item.orderAmount ?? null],
  ['unknown', (item) => item.reason],
];

/** Yields all items as lines of CSV: first those with a price, then the others with the reason. */
export async function* exportCost(
  read: Read,
  { priced, unpriced }: ItemCost,
  slices: Slices,
): AsyncGenerator<string> {
  yield csvLine(columns.map(([title]) => title));
  const rows = [
    ...priced.map((one) => ({ one, show: (names: Names) => ({ ...showItem(one, names), reason: null }) })),
    ...unpriced.map((one) => ({ one, show: (names: Names) => showUnpriced(one, names) })),
  ];
  for (let from = 0; from < rows.length; from += PORTION) {
    const some = rows.slice(from, from + PORTION);
    const ids = some.map(({ one }) => one.id);
    const names = await read((tx) => readNames(tx, ids));
    let text = '';
    for (const { show } of some) {
      if (slices.areDue) await slices.next();
      const item = show(names);
      text += csvLine(columns.map(([, cell]) => cell(item as never)));
    }
    yield text;
  }
}

async function readNames(tx: Tx, ids: readonly string[]): Promise<Names> {
  const rows = await tx.query<Named>(selectNames, [tx.workspaceId, ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

function labelOf(names: Names, id: string) {
  return { itemEntityId: id, itemNumber: names.get(id)?.number ?? null, itemName: names.get(id)?.name ?? '' };
}

function showItem({ id, need, amount, offer }: PricedItem, names: Names): CostItem {
  const { part, price } = offer;
  return {
    ...labelOf(names, id),
    quantity: numberOf(need),
    supplierPartId: part.id,
    supplier: part.supplier,
    sku: part.sku,
    price: moneyText(price.price),
    priceUnit: part.unit,
    currency: price.currency,
    amount: moneyText(amount),
    orderQuantity: numberOf(offer.quantity),
    packs: Number(offer.packs),
    orderAmount: moneyText(offer.amount),
  };
}

function showUnpriced({ id, need, reason }: UnpricedNeed, names: Names): UnpricedItem {
  return { ...labelOf(names, id), quantity: numberOf(need), reason };
}
