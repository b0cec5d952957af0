/** An entity as a part of a KiCad library. */
import { createHash } from 'node:crypto';
import type { PropertyValue } from '../configuration/properties/property-value.ts';
import type { LibraryPart } from './library.schema.ts';

export interface LibraryRow {
  id: string;
  version: number;
  guid: string | null;
  number: string | null;
  name: string;
  category: string;
  properties: Record<string, PropertyValue>;
  on_hand: string;
  available: string;
  is_double: boolean;
  /** Its first active supplier parts, by rank; null without any. */
  sold: readonly SoldPart[] | null;
}

interface SoldPart {
  supplier: string;
  sku: string;
  manufacturer: string | null;
  mpn: string | null;
}

/** Property keys that say what KiCad asks for, in the order in which they count. */
const symbolKeys = ['Symbol', 'KiCad Symbol', 'symbol'];
const footprintKeys = ['Footprint', 'KiCad Footprint', 'footprint'];
const datasheetKeys = ['Datasheet', 'datasheet'];
const referenceKeys = ['Reference', 'reference'];
const valueKeys = ['Value', 'value'];
const DOUBLE_MARK_CHARACTERS = 8;
const FIELDS_MAX = 100;

export function showLibraryPart(row: LibraryRow): LibraryPart {
  const { properties, number, name, guid } = row;
  const text = (keys: readonly string[]) => {
    const key = keys.find((one) => Object.hasOwn(properties, one));
    return key === undefined ? '' : String(properties[key]);
  };
  const hidden = (value: string) => ({ value, visible: 'False' });
  const own: LibraryPart['fields'] = {
    footprint: hidden(text(footprintKeys)),
    value: { value: text(valueKeys) || number || name, visible: 'True' },
    reference: { value: text(referenceKeys) || 'U', visible: 'True' },
    datasheet: hidden(text(datasheetKeys)),
    IPN: hidden(number ?? ''),
    GUID: hidden(guid ?? ''),
    'On hand': hidden(plain(row.on_hand)),
    Available: hidden(plain(row.available)),
  };
  const taken = new Set([
    ...Object.keys(own),
    ...symbolKeys,
    ...footprintKeys,
    ...datasheetKeys,
    ...referenceKeys,
    ...valueKeys,
  ]);
  const others = Object.entries(properties)
    .filter(([key]) => !taken.has(key))
    .slice(0, FIELDS_MAX)
    .map(([key, value]) => [key, hidden(String(value))] as const);
  return {
    id: row.id,
    name: nameOf(row),
    symbolIdStr: text(symbolKeys),
    exclude_from_bom: 'False',
    exclude_from_board: 'False',
    exclude_from_sim: 'False',
    description: `${name} (${plain(row.on_hand)} on hand)`,
    keywords: [number ?? '', row.category].filter((word) => word !== '').join(' '),
    footprint_filters: [],
    fields: Object.fromEntries([...supplierFields(row.sold ?? []), ...Object.entries(own), ...others]),
  };
}

/**
 * Returns the fields of supplier parts, those of the second and third with their number. A property of the item with the same key replaces the field.
 */
function supplierFields(sold: readonly SoldPart[]): [string, LibraryPart['fields'][string]][] {
  return sold.flatMap(({ supplier, sku, manufacturer, mpn }, index) => {
    const number = index === 0 ? '' : ` ${index + 1}`;
    const values = { Manufacturer: manufacturer, MPN: mpn, Supplier: supplier, SKU: sku };
    return Object.entries(values).flatMap(([name, value]): [string, LibraryPart['fields'][string]][] =>
      value === null ? [] : [[`${name}${number}`, { value, visible: 'False' }]],
    );
  });
}

/** Characters that KiCad replaces in the name of a symbol: with them a part could not be found by its name again. */
const replaced = /\p{Cc}|:/gu;

/**
 * KiCad keeps symbols by their names, and numbers need not be unique: a number that several parts have, or that has characters which
 * KiCad replaces, gets a mark that never changes.
 */
function nameOf({ id, guid, number, name, is_double }: LibraryRow): string {
  const kept = (number ?? name).replaceAll(replaced, '_').trim();
  if (number === kept && !is_double) return number;
  const mark = createHash('sha256')
    .update(guid ?? id)
    .digest('hex')
    .slice(0, DOUBLE_MARK_CHARACTERS);
  return `${kept} ${mark}`;
}

/** Whether KiCad can place the part: without a symbol it shows an empty one. */
export function hasSymbol({ properties }: Pick<LibraryRow, 'properties'>): boolean {
  return symbolKeys.some((key) => Object.hasOwn(properties, key) && String(properties[key]).trim() !== '');
}

/** `12.500000` is 12.5. */
function plain(quantity: string): string {
  return quantity.includes('.') ? quantity.replace(/\.?0+$/, '') : quantity;
}
