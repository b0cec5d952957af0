/** The columns of a table that say who sells a part, as meanings of single columns: all that are chosen here are one entry of a mapping. */
import { isNumbered, NUMBER_SIGN } from '../../clients/readers/definition/numbered.ts';
import {
  columnsOfSource,
  numberedTitles,
  SUPPLIER_FIELDS,
  type SupplierField,
} from '../../clients/readers/definition/supplier-parts.ts';
import { plainName } from '../../clients/readers/table/header.ts';
import type { ImportMapping } from '../client/operations.ts';

type Sources = NonNullable<ImportMapping['supplierParts']>;
export type SupplierSource = Sources[number];

const labels: Readonly<Record<SupplierField, string>> = {
  supplier: 'Supplier',
  sku: "Supplier's number (SKU)",
  manufacturer: 'Manufacturer',
  mpn: "Manufacturer's number (MPN)",
  packQuantity: 'Pack quantity',
  minimum: 'Minimum order quantity',
  multiple: 'Order multiple',
  leadTimeDays: 'Lead time in days',
  price: 'Price',
  priceFrom: 'Price applies from quantity',
  currency: 'Currency of the price',
};

export const supplierMeanings: readonly { value: `supplier:${SupplierField}`; label: string }[] =
  SUPPLIER_FIELDS.map((field) => ({ value: `supplier:${field}`, label: labels[field] }));

/** Whether a title is the column of a source, with one of its numbers where it has them. */
function covers(column: unknown, title: string): boolean {
  if (typeof column !== 'string') return false;
  const plain = plainName(title);
  const titles = isNumbered(column) ? numberedTitles(column) : [column];
  return titles.some((one) => plainName(one) === plain);
}

/** The fields of supplier parts that a column is. */
export function supplierFieldsOf({ supplierParts = [] }: ImportMapping, title: string): SupplierField[] {
  return SUPPLIER_FIELDS.filter((field) => supplierParts.some((source) => covers(source[field], title)));
}

export function supplierLabel(field: SupplierField): string {
  return labels[field];
}

/** The mapping in which the column is no field of a supplier part. An entry without columns is left out. */
export function withoutSupplierColumn(mapping: ImportMapping, title: string): ImportMapping {
  if (supplierFieldsOf(mapping, title).length === 0) return mapping;
  const supplierParts = (mapping.supplierParts ?? []).map(
    (source) =>
      Object.fromEntries(
        Object.entries(source).filter(([field, column]) => !isField(field) || !covers(column, title)),
      ) as SupplierSource,
  );
  return { ...mapping, supplierParts: supplierParts.filter((source) => columnsOfSource(source).length > 0) };
}

/** The mapping in which the column is that field of the first entry. `Supplier 2` is named with `{n}`, as its neighbours are. */
export function withSupplierField(
  mapping: ImportMapping,
  title: string,
  field: SupplierField,
): ImportMapping {
  const [first = {}, ...others] = mapping.supplierParts ?? [];
  const { supplierName: _, ...open } = first;
  const own: SupplierSource = field === 'supplier' ? open : first;
  return { ...mapping, supplierParts: [{ ...own, [field]: numberedTitle(title) }, ...others] };
}

function numberedTitle(title: string): string {
  const [, before, behind] = /^(\D*\D)\d{1,2}(\D*)$/s.exec(title) ?? [];
  return before === undefined ? title : `${before}${NUMBER_SIGN}${behind}`;
}

function isField(field: string): field is SupplierField {
  return (SUPPLIER_FIELDS as readonly string[]).includes(field);
}
