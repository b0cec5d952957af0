/** Reads the cells of a line that say who sells its part. A cell that cannot be read is named, and is never taken for something else. */
import type { ImportDefinition } from '../definition/import-definition.schema.ts';
import type { SupplierPartSource } from '../definition/supplier-parts.schema.ts';
import { numbersOf, type SupplierField, titlesAt } from '../definition/supplier-parts.ts';
import { bothReadings, isExactQuantity } from '../read-decimal.ts';
import type { Cell } from '../xlsx/read-workbook.ts';
import { plainNumber, readNumber } from './read-value.ts';

interface ReadPrice {
  from?: number;
  price: string;
  currency?: string;
}

/** A supplier part as an element of a sync states it. */
export interface ReadSupplierPart {
  supplier: string;
  sku?: string;
  manufacturer?: string;
  mpn?: string;
  packQuantity?: number;
  minimum?: number;
  multiple?: number;
  leadTimeDays?: number;
  prices?: ReadPrice[];
}

/** The cells of one line. */
export interface CellsOfLine {
  has(column: string): boolean;
  cell(column: string): Cell;
  /** The text of a cell; empty where it says nothing. */
  text(column: string): string;
  /** Is told of a cell that cannot be taken. */
  warn(column: string, code: string, message: string): void;
}

/** An entry of the definition with the number of its columns. */
interface Numbered {
  source: SupplierPartSource;
  n: number;
}

/** Reads the lines of one file: which numbers its columns have is found once. */
export class SupplierPartReader {
  readonly #decimal: ImportDefinition['decimal'];
  readonly #entries: readonly Numbered[];

  constructor(
    { supplierParts, decimal }: Pick<ImportDefinition, 'supplierParts' | 'decimal'>,
    has: (column: string) => boolean,
  ) {
    this.#decimal = decimal;
    this.#entries = supplierParts.flatMap((source) => numbersOf(source, has).map((n) => ({ source, n })));
  }

  /** Returns undefined where the line states none. Parts of one supplier and number are one, with the prices of all. */
  read(line: CellsOfLine): ReadSupplierPart[] | undefined {
    if (this.#entries.length === 0) return undefined;
    const parts = new Map<string, ReadSupplierPart>();
    for (const entry of this.#entries) {
      const part = this.#part(entry, line);
      if (part === null) continue;
      const key = JSON.stringify([part.supplier.toLowerCase(), part.sku ?? part.mpn]);
      const known = parts.get(key);
      const prices = [...(known?.prices ?? []), ...(part.prices ?? [])];
      parts.set(key, { ...part, ...known, ...(prices.length === 0 ? {} : { prices }) });
    }
    return parts.size === 0 ? undefined : [...parts.values()];
  }

  #part(entry: Numbered, line: CellsOfLine): ReadSupplierPart | null {
    const { source, n } = entry;
    const text = (field: SupplierField) => textAt(field, entry, line);
    const supplier = source.supplierName ?? text('supplier');
    const [sku, mpn] = [text('sku'), text('mpn')];
    const named = source.supplierName === undefined ? 'supplier' : source.sku === undefined ? 'mpn' : 'sku';
    if (supplier === CONFLICT || sku === CONFLICT || mpn === CONFLICT) return null;
    if (supplier === '') return null;
    if (sku === '' && mpn === '') {
      // A supplier that is the same for all lines sells only the parts that have a number of it.
      if (source.supplierName !== undefined) return null;
      const message = `"${supplier}" has neither a supplier's nor a manufacturer's number beside it: the supplier part is left out.`;
      line.warn(columnAt(named, entry, line), 'supplier_part_unnumbered', message);
      return null;
    }
    const manufacturer = text('manufacturer');
    const part: ReadSupplierPart = {
      supplier,
      ...(sku === '' ? {} : { sku }),
      ...(manufacturer === '' || manufacturer === CONFLICT ? {} : { manufacturer }),
      ...(mpn === '' ? {} : { mpn }),
    };
    for (const field of ['packQuantity', 'minimum', 'multiple'] as const) {
      const value = this.#number(field, { source, n }, line, ofQuantity);
      if (value !== null && value !== 'unreadable') part[field] = value;
    }
    const days = this.#number('leadTimeDays', entry, line, ofDays);
    if (days !== null && days !== 'unreadable') part.leadTimeDays = days;
    const price = this.#price(entry, line);
    if (price !== null) part.prices = [price];
    return part;
  }

  /** Returns null for an empty cell, and `unreadable`, which is reported, for a text that is no such number. */
  #number(
    field: Exclude<SupplierField, 'priceFrom'> | 'priceFrom',
    entry: Numbered,
    line: CellsOfLine,
    accept: (read: { value: number; unit: string }) => number | null,
  ): number | null | 'unreadable' {
    const text = textAt(field, entry, line);
    if (text === '') return null;
    if (text === CONFLICT) return 'unreadable';
    const column = columnAt(field, entry, line);
    const read = readNumber(line.cell(column), this.#decimal);
    const value = read === null ? null : accept(read);
    if (value !== null) return value;
    const what = field === 'leadTimeDays' ? 'number of days' : 'quantity above 0';
    warnUnreadable(line, column, text, { decimal: this.#decimal, what, left: 'the value' });
    return 'unreadable';
  }

  /** Returns null if no price is stated that can be taken. */
  #price(entry: Numbered, line: CellsOfLine): ReadPrice | null {
    const text = textAt('price', entry, line);
    if (text === '' || text === CONFLICT) return null;
    const column = columnAt('price', entry, line);
    const own = readPrice(line.cell(column), text, this.#decimal);
    if (own === null) {
      const what = 'price with at most 9 digits before and 6 behind the decimal sign';
      warnUnreadable(line, column, text, { decimal: this.#decimal, what, left: 'the price' });
      return null;
    }
    if (Number(own.price) === 0) {
      line.warn(
        column,
        'price_zero',
        `The price "${text}" is left out: lists have 0 where no price is known.`,
      );
      return null;
    }
    const currency = currencyOf(own.currencies, entry, line, column);
    if (currency === null) return null;
    const { priceFrom } = entry.source;
    const from =
      typeof priceFrom === 'number' ? priceFrom : this.#number('priceFrom', entry, line, ofQuantity);
    // A price from an unknown quantity on is no price.
    if (from === 'unreadable') return null;
    return {
      ...(from === null ? {} : { from }),
      price: own.price,
      ...(currency === '' ? {} : { currency }),
    };
  }
}

/** Two columns that stand for one field say different things. It is no text of a cell. */
const CONFLICT = '\u0000';

/** The column of a field that is filled, or the first one. */
function columnAt(field: SupplierField, { source, n }: Numbered, line: CellsOfLine): string {
  const given = source[field];
  if (typeof given !== 'string') return '';
  const there = titlesAt(given, n).filter((title) => line.has(title));
  return there.find((title) => line.text(title) !== '') ?? there[0] ?? given;
}

function textAt(field: SupplierField, { source, n }: Numbered, line: CellsOfLine): string {
  const given = source[field];
  if (typeof given !== 'string') return '';
  const filled = titlesAt(given, n).flatMap((title) => {
    const text = line.has(title) ? line.text(title) : '';
    return text === '' ? [] : [{ title, text }];
  });
  const [first, other] = filled;
  if (first === undefined) return '';
  if (other === undefined || other.text === first.text) return first.text;
  const message = `"${first.title}" and "${other.title}" are one field and differ, "${first.text}" and "${other.text}": neither is taken.`;
  line.warn(other.title, 'columns_differ', message);
  return CONFLICT;
}

function ofQuantity({ value, unit }: { value: number; unit: string }): number | null {
  return isExactQuantity(value) && /^(?:|pcs?\.?|pieces?|ea|each|stk\.?|st\.?)$/i.test(unit) ? value : null;
}

const DAYS_OF_A_WEEK = 7;

function ofDays({ value, unit }: { value: number; unit: string }): number | null {
  const isWeeks = /^(?:w|wk|wks|weeks?|wochen?)\.?$/i.test(unit);
  if (!isWeeks && !/^(?:|d|days?|tage?)\.?$/i.test(unit)) return null;
  const days = isWeeks ? value * DAYS_OF_A_WEEK : value;
  return Number.isInteger(days) && days >= 0 ? days : null;
}

/** The currencies that a sign stands for: a sign of several says none by itself. */
const signs: Readonly<Record<string, readonly string[]>> = {
  '€': ['EUR'],
  '£': ['GBP'],
  $: ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'TWD', 'MXN', 'BRL', 'ARS', 'CLP', 'COP'],
  US$: ['USD'],
  '¥': ['JPY', 'CNY'],
  '￥': ['JPY', 'CNY'],
  元: ['CNY'],
  円: ['JPY'],
  zł: ['PLN'],
  Kč: ['CZK'],
  '₹': ['INR'],
  '₩': ['KRW'],
};

/** The currencies that a text may mean; null where it is neither a code nor a known sign. */
function currenciesOf(text: string): readonly string[] | null {
  const plain = text.trim();
  if (Object.hasOwn(signs, plain)) return signs[plain] as readonly string[];
  const code = plain.toUpperCase();
  return isCurrency(code) ? [code] : null;
}

const known = new Set(Intl.supportedValuesOf('currency'));

function isCurrency(code: string): boolean {
  return known.has(code);
}

const PRICE_CHARACTERS_MAX = 100;
const PRICE_DIGITS = /^\d{1,9}(?:\.\d{1,6})?$/;

/** A number with the currencies that stand beside it, before or behind; an empty list where there is none. Null where it is no price. */
function readPrice(
  cell: Cell,
  text: string,
  decimal: ImportDefinition['decimal'],
): { price: string; currencies: readonly string[] } | null {
  if (text.length > PRICE_CHARACTERS_MAX) return null;
  const [, before = '', rest = ''] = /^(\D*?)\s*([-+.,\d].*)$/su.exec(text.trim()) ?? [];
  const read = readNumber(typeof cell === 'string' ? rest : cell, decimal);
  if (read === null || read.value < 0) return null;
  // A numeric cell of a spreadsheet shows its currency by its format.
  const behind = typeof cell === 'string' ? read.unit : (/[^\d\s.,'’)-]+$/u.exec(rest.trim())?.[0] ?? '');
  const beside = [before.trim(), behind].filter((one) => one !== '');
  const currencies = beside.map(currenciesOf);
  if (currencies.length > 1 || currencies.includes(null)) return null;
  const price = plainNumber(read.value);
  return PRICE_DIGITS.test(price) ? { price, currencies: currencies[0] ?? [] } : null;
}

/** The currency of a price; empty where it is that of the supplier; null, which is reported, where it is unclear. */
function currencyOf(
  beside: readonly string[],
  entry: Numbered,
  line: CellsOfLine,
  priceColumn: string,
): string | null {
  const stated = textAt('currency', entry, line);
  if (stated === CONFLICT) return null;
  const column = columnAt('currency', entry, line);
  const meant = stated === '' ? null : currenciesOf(stated);
  if (stated !== '' && meant === null) {
    const message = `"${stated}" is no currency: the price is left out. Give a code of three letters, such as EUR.`;
    line.warn(column, 'currency_unreadable', message);
    return null;
  }
  const { currencyCode } = entry.source;
  const of = meant ?? (currencyCode === undefined ? null : [currencyCode]);
  const both = of === null ? beside : beside.length === 0 ? of : of.filter((code) => beside.includes(code));
  if (both.length === 1) return both[0] as string;
  if (of === null && beside.length === 0) return '';
  const message =
    both.length === 0
      ? `The price has another currency beside it than ${stated === '' ? currencyCode : `"${stated}"`}: it is left out.`
      : `The sign of the price can be ${both.slice(0, 3).join(', ')}${both.length > 3 ? ' or another' : ''}: it is left out. Name the currency: "currency" or "currencyCode" in the definition.`;
  line.warn(stated === '' ? priceColumn : column, 'currency_unclear', message);
  return null;
}

function warnUnreadable(
  line: CellsOfLine,
  column: string,
  text: string,
  { decimal, what, left }: { decimal: ImportDefinition['decimal']; what: string; left: string },
): void {
  const readings = decimal === 'unambiguous' ? bothReadings(text) : null;
  const message =
    readings === null
      ? `"${text}" is no ${what}: ${left} is left out.`
      : `"${text}" can be ${readings[0]} or ${readings[1]}: ${left} is left out. Say which sign is the decimal one: "decimal" in the definition, or --decimal.`;
  line.warn(column, 'numeric_unreadable', message);
}
