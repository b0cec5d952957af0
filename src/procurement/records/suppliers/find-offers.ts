/** Finds the supplier part with which an item is ordered. */
import type { Tx } from '../../../db/transaction.ts';
import { readItemUnits } from '../../../entities/units/item-units.ts';
import { factorOf, noUnits } from '../../../units/item-units.ts';
import { ONE, type Rational } from '../../../units/rational.ts';
import { supplierKey } from './supplier-key.ts';
import { type SupplierPart, type SupplierPartRow, supplierPartOfRow } from './supplier-part.ts';
import {
  selectNamesOfSuppliers,
  selectPartsToOrder,
  selectPartsWithoutNames,
  selectSupplierParts,
} from './supplier-parts.sql.ts';

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
/** Supplier parts that are read whole at once: each has up to a hundred prices. */
const PARTS_AT_ONCE = 100;

/**
 * Returns for each the first supplier part whose unit the item has, without number and name of the item; null where there is none. Only these are
 * read with their prices.
 */
export async function findParts(tx: Tx, wanted: readonly WantedOffer[]): Promise<(UsablePart | null)[]> {
  if (wanted.length === 0) return [];
  const rows = await tx.queryPrepared<{ place: string; id: string; item_id: string; unit: string | null }>(
    selectPartsToOrder,
    [
      tx.workspaceId,
      wanted.map(({ itemId }) => itemId),
      wanted.map(({ supplier }) => (supplier === null ? null : supplierKey(supplier))),
      PARTS_MAX,
    ],
  );
  const factors = await readFactors(
    tx,
    rows.map(({ item_id: itemId, unit }) => ({ itemId, unit })),
  );
  const first = new Map<number, { id: string; factor: Rational }>();
  for (const [row, { id, place }] of rows.entries()) {
    const factor = factors[row] ?? null;
    const at = Number(place) - 1;
    if (factor !== null && !first.has(at)) first.set(at, { id, factor });
  }
  const parts = await readWhole(
    tx,
    [...first.values()].map(({ id }) => id),
    selectPartsWithoutNames,
  );
  const byId = new Map(parts.map((part) => [part.id, part]));
  return wanted.map((_, at) => {
    const found = first.get(at);
    const part = byId.get(found?.id ?? '');
    return found === undefined || part === undefined ? null : { part, factor: found.factor };
  });
}

/** Returns supplier parts by id, whatever their status. */
export async function readParts(tx: Tx, ids: readonly string[]): Promise<Map<string, UsablePart>> {
  const parts = await readWhole(tx, ids);
  if (parts.length === 0) return new Map();
  const factors = await readFactors(tx, parts);
  const names = await tx.query<{ supplier_id: string; keys: string[] }>(selectNamesOfSuppliers, [
    tx.workspaceId,
    parts.map(({ supplierId }) => supplierId),
  ]);
  const keysOf = new Map(names.map((row) => [row.supplier_id, row.keys]));
  return new Map(
    parts.flatMap((part, at) => {
      const factor = factors[at] ?? null;
      return factor === null
        ? []
        : [[part.id, { part, factor, names: keysOf.get(part.supplierId) ?? [] }] as const];
    }),
  );
}

async function readWhole(tx: Tx, ids: readonly string[], sql = selectSupplierParts): Promise<SupplierPart[]> {
  const wanted = [...new Set(ids)];
  const parts: SupplierPart[] = [];
  for (let from = 0; from < wanted.length; from += PARTS_AT_ONCE) {
    const some = wanted.slice(from, from + PARTS_AT_ONCE);
    const rows = await tx.queryPrepared<SupplierPartRow>(sql, [tx.workspaceId, some]);
    for (const row of rows) parts.push(supplierPartOfRow(row));
  }
  return parts;
}

/** Returns for each how many base units its unit is; null if the item does not have the unit any more. */
async function readFactors(
  tx: Tx,
  parts: readonly Pick<SupplierPart, 'itemId' | 'unit'>[],
): Promise<(Rational | null)[]> {
  const units = await readItemUnits(
    tx,
    parts.flatMap(({ itemId, unit }) => (unit === null ? [] : [itemId])),
  );
  return parts.map(({ itemId, unit }) =>
    unit === null ? ONE : factorOf(units.get(itemId) ?? noUnits, unit),
  );
}
