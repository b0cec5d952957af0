/** Finds the supplier part with which an item is ordered. */
import type { Tx } from '../../db/transaction.ts';
import { readItemUnits } from '../../entities/item-units.ts';
import { factorOf, noUnits } from '../../units/item-units.ts';
import { ONE, type Rational } from '../../units/rational.ts';
import { supplierKey } from './supplier-key.ts';
import { type SupplierPart, type SupplierPartRow, supplierPartOfRow } from './supplier-part.ts';
import { selectNamesOfSuppliers, selectPartsToOrder, selectSupplierParts } from './supplier-parts.sql.ts';

/** A supplier part and how many base units of the item its unit is. */
export interface UsablePart {
  readonly part: SupplierPart;
  readonly factor: Rational;
  /** The keys of all names of the supplier, of a part that was read by its id. */
  readonly names?: readonly string[];
}

export interface WantedOffer {
  readonly itemId: string;
  /** The name of the only supplier; null: any that is active. */
  readonly supplier: string | null;
}

/** Supplier parts of one item that are looked at. */
const PARTS_MAX = 100;

/** Prices are of this day (UTC). */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** Returns for each the first supplier part whose unit the item has; null where there is none. */
export async function findParts(tx: Tx, wanted: readonly WantedOffer[]): Promise<(UsablePart | null)[]> {
  if (wanted.length === 0) return [];
  const rows = await tx.queryPrepared<SupplierPartRow & { place: string }>(selectPartsToOrder, [
    tx.workspaceId,
    wanted.map(({ itemId }) => itemId),
    wanted.map(({ supplier }) => (supplier === null ? null : supplierKey(supplier))),
    PARTS_MAX,
  ]);
  const usable = await withFactors(tx, rows.map(supplierPartOfRow));
  const found: (UsablePart | null)[] = wanted.map(() => null);
  for (const [at, row] of rows.entries()) {
    const place = Number(row.place) - 1;
    found[place] ??= usable[at] ?? null;
  }
  return found;
}

/** Returns supplier parts by id, whatever their status. */
export async function readParts(tx: Tx, ids: readonly string[]): Promise<Map<string, UsablePart>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<SupplierPartRow>(selectSupplierParts, [tx.workspaceId, [...new Set(ids)]]);
  const usable = await withFactors(tx, rows.map(supplierPartOfRow));
  const names = await tx.query<{ supplier_id: string; keys: string[] }>(selectNamesOfSuppliers, [
    tx.workspaceId,
    rows.map((row) => row.supplier_id),
  ]);
  const keysOf = new Map(names.map((row) => [row.supplier_id, row.keys]));
  return new Map(
    usable.flatMap((one) =>
      one === null ? [] : [[one.part.id, { ...one, names: keysOf.get(one.part.supplierId) ?? [] }]],
    ),
  );
}

/** Returns null if the item does not have the unit any more. */
async function withFactors(tx: Tx, parts: readonly SupplierPart[]): Promise<(UsablePart | null)[]> {
  const units = await readItemUnits(
    tx,
    parts.flatMap(({ itemId, unit }) => (unit === null ? [] : [itemId])),
  );
  return parts.map((part) => {
    const factor = part.unit === null ? ONE : factorOf(units.get(part.itemId) ?? noUnits, part.unit);
    return factor === null ? null : { part, factor };
  });
}
