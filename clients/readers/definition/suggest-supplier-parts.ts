/** Finds the columns that say who sells a part: `Supplier 1`, `Supplier Part Number 1`, `Unit Price`, `LCSC Part #`. */
import { bareTitle } from './column-titles.ts';
import type { ImportDefinitionInput } from './import-definition.schema.ts';
import { NUMBER_SIGN, NUMBERED_MAX } from './numbered.ts';
import { hintOf, type PropertyHint } from './suggest-properties.ts';
import type { SupplierField } from './supplier-parts.ts';

type Source = NonNullable<ImportDefinitionInput['supplierParts']>[number];

const sellers = [
  ['supplier', 'vendor', 'distributor', 'seller', 'lieferant', 'fournisseur', 'proveedor', 'fornitore'],
  ['fornecedor', 'leverancier', 'dostawca', 'поставщик', '供应商', '供應商', '仕入先'],
].flat();
const numberWords = [
  ['part number', 'part no', 'part num', 'part', 'pn', 'p/n', 'part id', 'number', 'no', 'sku', 'code'],
  ['item number', 'item no', 'product number', 'article number', 'article no', 'order code', 'order number'],
  ['artikelnummer', 'artikelnr', 'bestellnummer', 'bestellnr', 'teilenummer', 'nummer', 'nr', 'ref'],
].flat();
const makers = ['manufacturer', 'mfr', 'mfg', 'manf', 'maker', 'hersteller', 'fabricant', 'fabricante'];
const ofSellers = (words: readonly string[]) =>
  sellers.flatMap((seller) => words.map((word) => seller + word));
const ofMakers = (words: readonly string[]) => makers.flatMap((maker) => words.map((word) => maker + word));
const bare = (words: readonly string[]) => new Set(words.map(bareTitle));
const prices = [
  'unit price',
  'price',
  'price each',
  'unit cost',
  'cost',
  'einzelpreis',
  'stückpreis',
  'preis',
];
const minima = [
  'minimum order quantity',
  'minimum order qty',
  'min order qty',
  'min qty',
  'moq',
  'minimum order',
];
const multiples = ['order multiple', 'order multiples', 'multiple', 'multiple order quantity'];
const packs = ['pack quantity', 'pack qty', 'pack size', 'packing quantity', 'package quantity', 'vpe'];
const leadTimes = ['lead time', 'lead time days', 'leadtime', 'lieferzeit'];
const from = ['price break', 'price break quantity', 'price from', 'price from quantity', 'break quantity'];

/** Titles by field, without their number, bare. */
const titles: readonly (readonly [SupplierField, ReadonlySet<string>])[] = [
  ['supplier', bare([...sellers, ...ofSellers(['name'])])],
  ['sku', bare([...ofSellers(numberWords), 'sku', 'bestellnummer', 'order code', 'order number'])],
  ['manufacturer', bare([...makers, ...ofMakers(['name']), 'brand'])],
  ['mpn', bare(['mpn', ...ofMakers(numberWords)])],
  ['packQuantity', bare([...packs, ...ofSellers(packs)])],
  ['minimum', bare([...minima, ...ofSellers(minima)])],
  ['multiple', bare([...multiples, ...ofSellers(multiples)])],
  ['leadTimeDays', bare([...leadTimes, ...ofSellers(leadTimes)])],
  ['priceFrom', bare([...from, ...ofSellers(from)])],
  ['price', bare([...prices, ...ofSellers(prices)])],
  ['currency', bare(['currency', 'währung', 'devise', 'moneda', 'valuta', ...ofSellers(['currency'])])],
];

/** Distributors whose name stands in the title of their number: `Digi-Key Part Number`, `LCSC Part #`. */
const distributors: readonly (readonly [RegExp, string])[] = [
  [/^digi-?\s?key/i, 'DigiKey'],
  [/^mouser/i, 'Mouser'],
  [/^(?:lcsc|jlcpcb|jlc)\b/i, 'LCSC'],
  [/^farnell/i, 'Farnell'],
  [/^newark/i, 'Newark'],
  [/^arrow\b/i, 'Arrow'],
  [/^tme\b/i, 'TME'],
  [/^rs(?:\s|-)/i, 'RS'],
];
const numbersOfDistributors = bare([...numberWords, 'part #', '#', '']);

/** Fields that may be the same for all suppliers of a line: a price or a number of one of them is not that of the others. */
const shared: ReadonlySet<SupplierField> = new Set(['manufacturer', 'mpn', 'currency']);

interface Found {
  field: SupplierField;
  /** With `{n}` where a number stands. */
  column: string;
  isNumbered: boolean;
}

/** Returns nothing where no column names a supplier beside one with its number. Suppliers stay properties where the workspace has properties for them and for their part numbers. */
export function supplierPartsOf(given: readonly string[], hints: readonly PropertyHint[]): Source[] {
  const found = given.flatMap(findField);
  const best = new Map<SupplierField, Found>();
  for (const one of found) {
    const known = best.get(one.field);
    if (known === undefined || (one.isNumbered && !known.isNumbered)) best.set(one.field, one);
  }
  const supplier = best.get('supplier');
  const titlesOf = (wanted: SupplierField) =>
    given.filter((title) => findField(title).some(({ field }) => field === wanted));
  // A property takes only the name of the supplier: where the file has its part numbers too, they and the prices would be lost.
  const isProperty =
    titlesOf('supplier').some((title) => isKept(title, hints)) &&
    titlesOf('sku').every((title) => isKept(title, hints));
  const hasNumber = best.has('sku') || best.has('mpn');
  if (supplier !== undefined && hasNumber && !isProperty) {
    const usable = [...best.values()].filter(({ field, isNumbered }) =>
      supplier.isNumbered ? isNumbered || shared.has(field) : !isNumbered,
    );
    const source = Object.fromEntries(usable.map(({ field, column }) => [field, column])) as Source;
    if (source.sku !== undefined || source.mpn !== undefined) return [source];
  }
  if (supplier !== undefined) return [];
  const maker = (['manufacturer', 'mpn'] as const).flatMap((field) => {
    const one = best.get(field);
    return one === undefined || one.isNumbered ? [] : [[field, one.column]];
  });
  return namedDistributors(given, hints).map((own) => ({ ...own, ...Object.fromEntries(maker) }));
}

function findField(title: string): Found[] {
  const [, before = title, number, behind = ''] = /^(\D*)(\d{1,2})(\D*)$/s.exec(title) ?? [];
  const isNumbered = number !== undefined && Number(number) >= 1 && Number(number) <= NUMBERED_MAX;
  const plain = bareTitle(isNumbered ? `${before} ${behind}` : title);
  const field = titles.find(([, words]) => words.has(plain))?.[0];
  if (field === undefined) return [];
  return [{ field, column: isNumbered ? `${before}${NUMBER_SIGN}${behind}` : title, isNumbered }];
}

function namedDistributors(given: readonly string[], hints: readonly PropertyHint[]): Source[] {
  const seen = new Set<string>();
  return given.flatMap((title) => {
    const [pattern, supplierName] = distributors.find(([one]) => one.test(title)) ?? [];
    if (pattern === undefined || supplierName === undefined || seen.has(supplierName)) return [];
    if (!numbersOfDistributors.has(bareTitle(title.replace(pattern, ''))) || isKept(title, hints)) return [];
    seen.add(supplierName);
    return [{ supplierName, sku: title }];
  });
}

/** Whether the workspace has a property for the column, or for its first number. */
function isKept(title: string, hints: readonly PropertyHint[]): boolean {
  return (
    hintOf(title, hints) !== undefined || hintOf(title.replace(/[\s_#.-]*\d{1,2}$/, ''), hints) !== undefined
  );
}
