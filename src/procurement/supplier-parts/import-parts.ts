/**
 * Takes the supplier parts that elements of an import state: makes those that an item does not have yet, and changes the others where
 * they differ. A part that cannot be taken gets a message, and the others are taken.
 */
import type { z } from 'zod';
import type { Tx } from '../../db/transaction.ts';
import { uuidArray } from '../../db/wire/array-parameter.ts';
import { newSuppliers, supplierKey, tidyName } from '../records/suppliers/supplier-key.ts';
import { type SupplierPartRow, supplierPartOfRow } from '../records/suppliers/supplier-part.ts';
import { selectSupplierParts } from '../records/suppliers/supplier-parts.sql.ts';
import { ensureSuppliers } from '../records/suppliers/suppliers.sql.ts';
import {
  decideItem,
  type NamedSupplier,
  NEW_SUPPLIERS_MAX,
  type StatedItem,
  type TakenParts,
  type Writing,
} from './decide-parts.ts';
import {
  insertAuditEntries,
  insertParts,
  lockParts,
  selectIdsOfItems,
  selectNamedSuppliers,
  shareSuppliers,
  updateParts,
} from './import-parts.sql.ts';
import { ImportedPart, PARTS_OF_ITEM_MAX, type SupplierPartShown } from './supplier-parts.schema.ts';
import { show } from './supplier-parts.ts';

/** An item, and what its element states of supplier parts. */
export interface StatedParts {
  /** It is null where a dry run would create the item. */
  itemId: string | null;
  /** The parts as they were sent. */
  parts: readonly unknown[];
}

export interface Importing {
  actorId: string;
  dryRun: boolean;
  /** The currency of prices that name none, if the supplier has none either. */
  currency: string | null;
}

/** Number of items whose supplier parts are in memory at a time. */
const ITEMS_HELD = 100;

/** Returns the outcome for each item, in the order of the items. */
export async function importSupplierParts(
  tx: Tx,
  importing: Importing,
  stated: readonly StatedParts[],
): Promise<TakenParts[]> {
  const items = stated.map(readItem);
  const suppliers = await findSuppliers(tx, items, importing.dryRun);
  const ordered = items.toSorted((a, b) => ((a.itemId ?? '') < (b.itemId ?? '') ? -1 : 1));
  for (let start = 0; start < ordered.length; start += ITEMS_HELD)
    await takeSome(tx, importing, ordered.slice(start, start + ITEMS_HELD), suppliers);
  return items.map(({ taken }) => taken);
}

function readItem({ itemId, parts }: StatedParts): StatedItem {
  const taken: TakenParts = { changes: [], refused: [] };
  const read: ImportedPart[] = [];
  for (const [place, given] of parts.entries()) {
    const result = ImportedPart.safeParse(given);
    if (!result.success)
      taken.refused.push(`Supplier part ${place + 1} was not taken: ${faultOf(result.error)}`);
    else if (!isStorable(result.data))
      taken.refused.push(
        `Supplier part ${place + 1} was not taken: a text contains a character that cannot be stored.`,
      );
    else read.push(result.data);
  }
  return { itemId, taken, read };
}

function faultOf({ issues: [issue] }: z.ZodError): string {
  const path = issue?.path.join('.') ?? '';
  return path === '' ? `${issue?.message}` : `"${path}": ${issue?.message}`;
}

/** Whether PostgreSQL can store the texts: U+0000 and lone surrogates, which it cannot, are escaped in JSON. */
function isStorable(given: ImportedPart): boolean {
  return !/\\u(?:0000|d[89a-f])/.test(JSON.stringify(given));
}

/** Finds the suppliers by name, creates the missing ones, and locks them so that none is merged meanwhile. */
async function findSuppliers(
  tx: Tx,
  items: readonly StatedItem[],
  dryRun: boolean,
): Promise<Map<string, NamedSupplier>> {
  const names = [...new Set(items.flatMap(({ read }) => read.map(({ supplier }) => tidyName(supplier))))];
  const found = await namedSuppliers(tx, names);
  const missing = new Map(names.filter((name) => !found.has(name)).map((name) => [supplierKey(name), name]));
  const made = [...missing.values()].slice(0, NEW_SUPPLIERS_MAX);
  if (dryRun) {
    const keys = new Set(made.map(supplierKey));
    for (const name of names)
      if (!found.has(name) && keys.has(supplierKey(name)))
        found.set(name, { id: null, name, currency: null });
    return found;
  }
  if (made.length > 0) {
    await tx.query(ensureSuppliers, [tx.workspaceId, ...newSuppliers(made)]);
    const others = names.filter((name) => !found.has(name));
    for (const [name, supplier] of await namedSuppliers(tx, others)) found.set(name, supplier);
  }
  const ids = [...new Set([...found.values()].flatMap(({ id }) => id ?? []))];
  const held = await tx.query<{ id: string }>(shareSuppliers, [tx.workspaceId, uuidArray(ids)]);
  const holds = new Set(held.map(({ id }) => id));
  for (const [name, { id }] of found) if (id !== null && !holds.has(id)) found.delete(name);
  return found;
}

async function namedSuppliers(tx: Tx, names: readonly string[]): Promise<Map<string, NamedSupplier>> {
  if (names.length === 0) return new Map();
  const rows = await tx.query<NamedSupplier & { given: string }>(selectNamedSuppliers, [
    tx.workspaceId,
    names,
    names.map(supplierKey),
  ]);
  return new Map(rows.map(({ given, ...supplier }) => [given, supplier]));
}

async function takeSome(
  tx: Tx,
  importing: Importing,
  items: readonly StatedItem[],
  suppliers: ReadonlyMap<string, NamedSupplier>,
): Promise<void> {
  const ids = items.flatMap(({ itemId }) => itemId ?? []);
  const decide = async () => {
    const stored = await partsOf(tx, ids);
    const decided: Writing[] = [];
    for (const item of items) {
      const own = stored.get(item.itemId ?? '') ?? [];
      decided.push(...(await decideItem(tx, item, own, { suppliers, currency: importing.currency })));
    }
    return decided;
  };
  const before = items.map(({ taken }) => [...taken.refused]);
  const decided = await decide();
  if (importing.dryRun || decided.length === 0) return;
  const changed = decided.filter(({ before: part }) => part !== null).map(({ id }) => id);
  if (changed.length === 0) return write(tx, importing.actorId, decided);
  // Somebody may change them until they are locked.
  await tx.query(lockParts, [tx.workspaceId, uuidArray(changed.toSorted())]);
  for (const [at, { taken }] of items.entries()) {
    taken.changes = [];
    taken.refused = before[at] as string[];
  }
  await write(tx, importing.actorId, await decide());
}

async function partsOf(tx: Tx, items: readonly string[]): Promise<Map<string, SupplierPartShown[]>> {
  const of = new Map<string, SupplierPartShown[]>();
  if (items.length === 0) return of;
  const ids = await tx.query<{ id: string }>(selectIdsOfItems, [
    tx.workspaceId,
    uuidArray(items),
    PARTS_OF_ITEM_MAX,
  ]);
  for (const part of await shownParts(
    tx,
    ids.map(({ id }) => id),
  ))
    of.set(part.itemEntityId, [...(of.get(part.itemEntityId) ?? []), part]);
  return of;
}

async function shownParts(tx: Tx, ids: readonly string[]): Promise<SupplierPartShown[]> {
  if (ids.length === 0) return [];
  const rows = await tx.query<SupplierPartRow>(selectSupplierParts, [tx.workspaceId, ids]);
  return rows.map((row) => show(supplierPartOfRow(row)));
}

/** Writes the parts, with an entry in the audit trail for each. */
async function write(tx: Tx, actorId: string, decided: readonly Writing[]): Promise<void> {
  if (decided.length === 0) return;
  const rows = (some: readonly Writing[]) => JSON.stringify(some.map(rowOf));
  const [made, changed] = [decided.filter(isNew), decided.filter((one) => !isNew(one))];
  const inserted =
    made.length === 0 ? [] : await tx.query<{ id: string }>(insertParts, [tx.workspaceId, rows(made)]);
  const updated =
    changed.length === 0 ? [] : await tx.query<{ id: string }>(updateParts, [tx.workspaceId, rows(changed)]);
  const before = new Map(decided.map((one) => [one.id, one.before]));
  const written = await shownParts(
    tx,
    [...inserted, ...updated].map(({ id }) => id),
  );
  const entries = written.map((after) => {
    const old = before.get(after.id) ?? null;
    return { id: after.id, action: old === null ? 'create' : 'update', before: old, after };
  });
  await tx.query(insertAuditEntries, [tx.workspaceId, actorId, JSON.stringify(entries)]);
}

const isNew = ({ before }: Writing) => before === null;

function rowOf({ id, itemId, supplierId, columns }: Writing) {
  const [sku, manufacturer, mpn, unit, pack, minimum, multiple, lead, rank, status, prices] = columns;
  return {
    id,
    item_id: itemId,
    supplier_id: supplierId,
    sku,
    manufacturer,
    mpn,
    unit,
    pack_quantity: pack,
    minimum,
    multiple,
    lead_time_days: lead,
    rank,
    status,
    prices: JSON.parse(prices as string) as unknown,
  };
}
