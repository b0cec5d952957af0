/** Makes the elements of a sync from the parts and links of a file. */

import { type Bom, orderedKeys, type Part, type Use } from './bom.ts';
import type { ImportDefinition } from './definition/import-definition.schema.ts';
import { expandNumbered } from './definition/numbered.ts';
import { FileFault, type Findings, type Place } from './findings.ts';
import { DEFAULT_NAMESPACE, guidOf } from './guid.ts';
import { isExactQuantity, roundQuantity } from './read-decimal.ts';
import { type ReadSupplierPart, SupplierPartReader } from './table/read-supplier-parts.ts';

export interface Element {
  guid: string;
  number: string;
  name: string;
  categoryKey: string;
  parentGuid: string | null;
  quantity?: number;
  findNumber?: string;
  referenceDesignators?: string[];
  unit?: string;
  note?: string;
  substitutes?: { guid: string; rank: number; ratio: number }[];
  lossPercent?: number;
  lossFixed?: number;
  phantom?: boolean;
  picture?: string;
  parentLocation?: string;
  supplierParts?: ReadSupplierPart[];
  properties: Record<string, string>;
}

/** Is told of each GUID that is made for a key, and says which one the key has: that one, or another that is known for it. */
export type OnMadeGuid = (key: string, made: string) => string;

/** GUIDs by key. Those that the file gives are kept; the others are made again, which costs less than keeping them. */
export function guidMaker(
  namespace: string | undefined,
  onMade: OnMadeGuid = (_, made) => made,
  kept: Map<string, string> = new Map(),
): (key: string, given?: string) => string {
  return (key, given = '') => {
    if (given !== '' && !kept.has(key)) kept.set(key, given.replaceAll(/[{}]/g, '').toLowerCase());
    return kept.get(key) ?? onMade(key, guidOf(namespace ?? DEFAULT_NAMESPACE, key));
  };
}

/** The category of a part by the rules of a definition; `textOf` answers what stands in a column. */
export function categoryOf(
  { categories }: Pick<ImportDefinition, 'categories'>,
  textOf: (column: string) => string,
  own: string,
  isAssembly: boolean,
): string {
  const rule = categories.rules.find(({ column, values }) => {
    const value = textOf(column).trim().toLowerCase();
    return values.some((one) => one.toLowerCase() === value);
  });
  if (rule !== undefined) return rule.category;
  if (own !== '') return own;
  return isAssembly && categories.assembly !== undefined ? categories.assembly : categories.default;
}

/** A quantity as the service takes it; null, with a finding, where it cannot. */
export function sendableQuantity(use: Use, findings: Findings): number | null {
  const rounded = roundQuantity(use.quantity);
  if (isExactQuantity(rounded) && Math.abs(rounded - use.quantity) < 1e-9) return rounded;
  findings.add(
    'error',
    'quantity_out_of_range',
    use.place,
    `${use.quantity} of "${use.child}" in "${use.parent}": quantities have at most 9 digits before and 6 behind the decimal sign.`,
  );
  return null;
}

/** The elements of a bill of materials that is known as a whole: parents first, a link in each element. */
export function* elementsOf(
  bom: Bom,
  definition: ImportDefinition,
  findings: Findings,
  onMadeGuid?: OnMadeGuid,
): Generator<Element> {
  const guid = guidMaker(definition.namespace, onMadeGuid);
  const parents = new Map<string, Use[]>();
  for (const use of bom.links) {
    const uses = parents.get(use.child);
    if (uses === undefined) parents.set(use.child, [use]);
    else uses.push(use);
  }
  noteCases(bom, findings);
  const order = orderedKeys(bom, findings);
  if (findings.counts.cycle !== undefined) {
    throw new FileFault(
      'cycle',
      findings.kept.find(({ code }) => code === 'cycle')?.message ?? 'An assembly contains itself.',
    );
  }
  for (const key of order) {
    const part = bom.parts.get(key);
    if (part === undefined) continue;
    const element = elementOf(part, definition, guid(key, part.guid), (bom.uses.get(key)?.size ?? 0) > 0);
    const supplierParts = supplierPartsOf(part, definition, findings);
    if (supplierParts !== undefined) element.supplierParts = supplierParts;
    const uses = parents.get(key) ?? [];
    if (uses.length === 0) yield { ...element, parentGuid: null };
    for (const use of uses) {
      const quantity = sendableQuantity(use, findings);
      const parent = bom.parts.get(use.parent);
      if (quantity === null) yield { ...element, parentGuid: null };
      else yield { ...element, parentGuid: guid(use.parent, parent?.guid), quantity, ...lineOf(use) };
    }
  }
}

function elementOf(
  part: Part,
  definition: ImportDefinition,
  guid: string,
  isAssembly: boolean,
): Omit<Element, 'parentGuid'> {
  const own = (column: string) => fieldOf(part, column) ?? '';
  return {
    guid,
    number: part.number,
    name: part.name || part.number,
    categoryKey: categoryOf(definition, own, part.category, isAssembly),
    properties: propertiesOf(part, definition),
  };
}

/** By the keys that the definition maps; without a mapping by the file's own names, which the service takes where it knows them. */
function propertiesOf(part: Part, { properties }: ImportDefinition): Record<string, string> {
  if (Object.keys(properties).length === 0) return part.properties;
  const mapped = expandNumbered(properties, (name) => fieldOf(part, name) !== undefined);
  return Object.fromEntries(
    mapped.flatMap(([key, source]) => {
      const { column, unit } = typeof source === 'string' ? { column: source, unit: undefined } : source;
      const value = fieldOf(part, column);
      if (value === undefined || value === '') return [];
      return [[key, unit !== undefined && isPlainNumber(value) ? `${value.trim()} ${unit}` : value]];
    }),
  );
}

/** The fields of a part are its columns. */
function supplierPartsOf(part: Part, definition: ImportDefinition, findings: Findings) {
  if (definition.supplierParts.length === 0) return undefined;
  const has = (column: string) => fieldOf(part, column) !== undefined;
  const text = (column: string) => (fieldOf(part, column) ?? '').trim();
  return new SupplierPartReader(definition, has).read({
    has,
    cell: text,
    text,
    warn: (column, code, message) => findings.add('warning', code, { ...part.place, cell: column }, message),
  });
}

/** Returns what a part has under that name: `constructor` is none of its fields unless the file says so. */
function fieldOf({ properties }: Part, column: string): string | undefined {
  return Object.hasOwn(properties, column) ? properties[column] : undefined;
}

function isPlainNumber(text: string): boolean {
  return /^\s*[-+]?\d[\d.,]*(?:e[-+]?\d+)?\s*$/i.test(text);
}

/** The fields of a link beside the quantity. */
export function lineOf({
  findNumber,
  referenceDesignators,
  unit,
  note,
}: Omit<Use, 'parent' | 'child' | 'quantity' | 'place'>) {
  return {
    ...(findNumber === '' ? {} : { findNumber }),
    ...(referenceDesignators.length === 0 ? {} : { referenceDesignators }),
    ...(unit === '' ? {} : { unit }),
    ...(note === '' ? {} : { note }),
  };
}

/** The number of such keys that are named: in a table each is looked for among all others. */
export const SAME_BUT_CASE_MAX = 20;

/** Warns that two keys differ only in upper and lower case: they are two parts, and may be a slip. */
export function noteCase(findings: Findings, key: string, other: string, place: Place): void {
  const message = `"${key}" and "${other}" differ only in upper and lower case: they are read as two parts.`;
  findings.add('warning', 'case_differs', place, message, key);
}

function noteCases({ parts }: Bom, findings: Findings): void {
  const folded = new Map<string, string>();
  let noted = 0;
  for (const { key, place } of parts.values()) {
    const other = folded.get(key.toLowerCase());
    if (other === undefined) folded.set(key.toLowerCase(), key);
    else if (noted++ < SAME_BUT_CASE_MAX) noteCase(findings, key, other, place);
  }
}
