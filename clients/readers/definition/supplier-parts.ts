/** Supplier parts in an import definition: which columns hold the supplier, its number, the price and the rest, once or for each number. */
import { atNumber, isNumbered, NUMBER_SIGN, NUMBERED_MAX } from './numbered.ts';

/** The fields that are columns, in the order in which a line is read. */
export const SUPPLIER_FIELDS = [
  'supplier',
  'sku',
  'manufacturer',
  'mpn',
  'packQuantity',
  'minimum',
  'multiple',
  'leadTimeDays',
  'price',
  'priceFrom',
  'currency',
] as const;
export type SupplierField = (typeof SUPPLIER_FIELDS)[number];

type Given = Partial<Record<SupplierField, string | number | undefined>>;

/** The columns of an entry, with `{n}` where they have it. */
export function columnsOfSource(source: Given): string[] {
  return SUPPLIER_FIELDS.flatMap((field) => {
    const column = source[field];
    return typeof column === 'string' ? [column] : [];
  });
}

/** The title of a numbered column, and for 1 also the title without the number: `Supplier 1` and `Supplier`. */
export function titlesAt(column: string, n: number): string[] {
  if (!isNumbered(column)) return [column];
  const plain = column
    .replaceAll(NUMBER_SIGN, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/[\s_#.-]+$/, '')
    .trim();
  return n === 1 && plain !== '' ? [atNumber(column, 1), plain] : [atNumber(column, n)];
}

/** All titles that a numbered column may have. */
export function numberedTitles(column: string): string[] {
  return Array.from({ length: NUMBERED_MAX }, (_, at) => titlesAt(column, at + 1)).flat();
}

/** The numbers for which a file has a column of the entry; only 1 where no column has a number. */
export function numbersOf(source: Given, has: (column: string) => boolean): number[] {
  const numbered = columnsOfSource(source).filter(isNumbered);
  if (numbered.length === 0) return [1];
  return Array.from({ length: NUMBERED_MAX }, (_, at) => at + 1).filter((n) =>
    numbered.some((column) => titlesAt(column, n).some(has)),
  );
}
