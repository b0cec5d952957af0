/** Reads, makes, changes and deletes supplier parts. */
import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import { newId } from '../../db/ids.ts';
import { readPage } from '../../db/read-page.ts';
import type { Tx } from '../../db/transaction.ts';
import { resolveEntityId } from '../../entities/resolve-entity.ts';
import { readItemUnits } from '../../entities/units/item-units.ts';
import { AppError, fieldError, invalidValue } from '../../errors.ts';
import { decodeCursor, encodeCursor, pageOf } from '../../http/list.ts';
import { moneyOf, moneyText } from '../../money/money.ts';
import { decimalOf, type Micro, numberOf } from '../../quantity.ts';
import { requireFactor } from '../../stock/entries/given-quantity.ts';
import { LOWEST_ID } from '../../stock/entries/ledger-entry.ts';
import { findStockEntities } from '../../stock/movements/find-stock-entities.ts';
import { noUnits } from '../../units/item-units.ts';
import { WINDOW_ROWS } from '../records/find-by-text.ts';
import { amountOf, refuseItem } from '../records/refusals.ts';
import {
  type PriceBreak,
  type SupplierPart,
  type SupplierPartRow,
  storedPrices,
  supplierPartOfRow,
} from '../records/suppliers/supplier-part.ts';
import {
  countPartsOfItem,
  deleteSupplierPart,
  insertSupplierPart,
  lockPartsOfItem,
  lockSupplierPart,
  selectPartPage,
  selectPartWindowEnd,
  selectSameSku,
  selectSupplierParts,
  updateSupplierPart,
} from '../records/suppliers/supplier-parts.sql.ts';
import { lockUnmergedSupplier } from '../suppliers/supplier-records.ts';
import {
  type NewSupplierPart,
  PARTS_OF_ITEM_MAX,
  type PartFacts,
  type SupplierPartQuery,
  type SupplierPartShown,
} from './supplier-parts.schema.ts';

export interface ReadPart {
  part: SupplierPartShown;
  version: number;
}

/** Lists supplier parts in order of creation. Throws `invalid_cursor`, `entity_not_found`. */
export async function listSupplierParts(
  tx: Tx,
  { itemEntityId, supplierId, q, limit, cursor }: SupplierPartQuery,
): Promise<{ items: SupplierPartShown[]; nextCursor: string | null }> {
  const itemId = itemEntityId === undefined ? null : await resolveEntityId(tx, itemEntityId);
  const owner = supplierId !== undefined ? 'supplier' : itemId !== null ? 'item' : null;
  const [ofOwner, ofItem] = supplierId !== undefined ? [supplierId, itemId] : [itemId, null];
  const after = decodeCursor('supplier-parts', cursor, z.uuid()) ?? LOWEST_ID;
  const window = q === undefined && ofItem === null ? limit + 1 : WINDOW_ROWS;
  const rows = await readPage<SupplierPartRow>(
    tx,
    selectPartPage(owner),
    [tx.workspaceId, after, ofOwner, ofItem, q ?? null, limit + 1, window],
    { limit, long: ['item_number', 'item_name', 'supplier', 'sku', 'manufacturer', 'mpn', 'prices'] },
  );
  const page = pageOf(
    'supplier-parts',
    rows,
    ({ id }) => id,
    (row) => show(supplierPartOfRow(row)),
  );
  if (page.nextCursor !== null || window === limit + 1) return page;
  const end = await tx.query<{ id: string }>(selectPartWindowEnd(owner), [
    tx.workspaceId,
    after,
    ofOwner,
    window,
  ]);
  const [last] = end;
  return last === undefined ? page : { ...page, nextCursor: encodeCursor('supplier-parts', last.id) };
}

/** Throws `supplier_part_not_found`. */
export async function readSupplierPart(tx: Tx, id: string): Promise<ReadPart> {
  const [row] = await tx.query<SupplierPartRow>(selectSupplierParts, [tx.workspaceId, [id]]);
  if (row === undefined) throw notFound(id);
  const part = supplierPartOfRow(row);
  return { part: show(part), version: part.version };
}

/**
 * Throws `entity_not_found`, `not_an_item`, `entity_archived`, `supplier_not_found`, `supplier_merged`, `supplier_part_taken`,
 * `too_many_supplier_parts`, `unit_unknown`, `validation_failed`, `zero_quantity`, `quantity_out_of_range`.
 */
export async function createSupplierPart(tx: Tx, actor: Actor, given: NewSupplierPart): Promise<ReadPart> {
  const { itemEntityId, supplierId, ...facts } = given;
  const item = (await findStockEntities(tx, [itemEntityId])).get(itemEntityId);
  if (item?.isItem !== true || item.isArchived) throw refuseItem(itemEntityId, item);
  const columns = await columnsOf(tx, item, facts);
  // A merge of the supplier would leave the part behind.
  await lockUnmergedSupplier(tx, supplierId);
  await tx.query(lockPartsOfItem, [tx.workspaceId, item.id]);
  const [own] = await tx.query<{ count: number }>(countPartsOfItem, [tx.workspaceId, item.id]);
  if ((own?.count ?? 0) >= PARTS_OF_ITEM_MAX) {
    throw new AppError('too_many_supplier_parts', {
      detail: `${item.number ?? item.id} has ${PARTS_OF_ITEM_MAX} supplier parts already. Delete those that are no longer needed.`,
      extensions: { limit: PARTS_OF_ITEM_MAX },
    });
  }
  const id = newId();
  const inserted = await tx.query(insertSupplierPart, [tx.workspaceId, id, item.id, supplierId, ...columns]);
  if (inserted.length === 0) throw skuTaken(facts.sku);
  const created = await readSupplierPart(tx, id);
  await record(tx, actor, 'create', null, created.part);
  return created;
}

/**
 * `check` sees the part as it is locked, and may refuse. A change of nothing writes nothing. Throws `supplier_part_not_found`, and as
 * `createSupplierPart` does.
 */
export async function changeSupplierPart(
  tx: Tx,
  actor: Actor,
  id: string,
  change: { [Field in keyof PartFacts]?: PartFacts[Field] | undefined },
  check: (locked: ReadPart) => void,
): Promise<ReadPart> {
  const before = await lock(tx, id);
  check(before);
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const { itemEntityId, itemNumber, supplierId, ...shown } = before.part;
  const facts: PartFacts = { ...shown, ...given };
  const columns = await columnsOf(tx, { id: itemEntityId, number: itemNumber }, facts);
  const stored = await columnsOf(tx, null, shown);
  if (JSON.stringify(columns) === JSON.stringify(stored)) return before;
  if (facts.sku !== shown.sku) {
    await tx.query(lockPartsOfItem, [tx.workspaceId, itemEntityId]);
    const same = await tx.query(selectSameSku, [tx.workspaceId, supplierId, itemEntityId, facts.sku, id]);
    if (same.length > 0) throw skuTaken(facts.sku);
  }
  await tx.query(updateSupplierPart, [tx.workspaceId, id, ...columns]);
  const changed = await readSupplierPart(tx, id);
  await record(tx, actor, 'update', before.part, changed.part);
  return changed;
}

/** Orders keep what they took from it. Throws `supplier_part_not_found`. */
export async function removeSupplierPart(
  tx: Tx,
  actor: Actor,
  id: string,
  check: (locked: ReadPart) => void,
): Promise<void> {
  const before = await lock(tx, id);
  check(before);
  await tx.query(deleteSupplierPart, [tx.workspaceId, id]);
  await record(tx, actor, 'delete', before.part, null);
}

async function lock(tx: Tx, id: string): Promise<ReadPart> {
  await tx.query(lockSupplierPart, [tx.workspaceId, id]);
  return readSupplierPart(tx, id);
}

/** The values of the columns behind the supplier; the unit is checked where the item is given. */
export async function columnsOf(
  tx: Tx,
  item: { id: string; number: string | null } | null,
  facts: PartFacts,
): Promise<(string | number | null)[]> {
  if (item !== null && facts.unit !== null) {
    const units = (await readItemUnits(tx, [item.id])).get(item.id) ?? noUnits;
    requireFactor(units, facts.unit, item.number ?? item.id, '/unit');
  }
  const pack = amountOf(facts.packQuantity, 'packQuantity');
  const minimum = facts.minimum === null ? null : amountOf(facts.minimum, 'minimum');
  const multiple = facts.multiple === null ? null : amountOf(facts.multiple, 'multiple');
  if (multiple !== null && multiple % pack !== 0n)
    throw invalid(
      'multiple',
      `Whole packs are ordered: ${facts.multiple} is no multiple of ${facts.packQuantity}.`,
    );
  return [
    facts.sku,
    facts.manufacturer,
    facts.mpn,
    facts.unit,
    decimalOf(pack),
    decimalOrNull(minimum),
    decimalOrNull(multiple),
    facts.leadTimeDays,
    facts.rank,
    facts.status,
    storedPrices(pricesOf(facts)),
  ];
}

/** Price breaks in order; none is stated twice. */
function pricesOf({ prices }: PartFacts): PriceBreak[] {
  const seen = new Set<string>();
  const read = prices.map(({ from, price, currency, validFrom, source }, index): PriceBreak => {
    const key = `${currency} ${validFrom} ${from}`;
    if (seen.has(key))
      throw invalid(`prices/${index}/from`, 'Another price has the same quantity, currency and day.');
    seen.add(key);
    return {
      from: amountOf(from, `prices/${index}/from`),
      price: moneyOf(price),
      currency,
      validFrom,
      source,
    };
  });
  return read.toSorted((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1));
}

function sortKeyOf({ currency, validFrom, from }: PriceBreak): string {
  return `${currency} ${validFrom ?? ''.padEnd(10)} ${decimalOf(from).padStart(16)}`;
}

function decimalOrNull(amount: Micro | null): string | null {
  return amount === null ? null : decimalOf(amount);
}

function invalid(field: string, message: string): AppError {
  return invalidValue(`/${field}`, message, 'The supplier part is not valid.');
}

function skuTaken(sku: string): AppError {
  const message = `The supplier has a part ${sku} for the item already. Change that one.`;
  return fieldError('supplier_part_taken', '/sku', message);
}

function notFound(id: string): AppError {
  return new AppError('supplier_part_not_found', `There is no supplier part ${id} in this workspace.`);
}

function record(
  tx: Tx,
  actor: Actor,
  action: 'create' | 'update' | 'delete',
  before: SupplierPartShown | null,
  after: SupplierPartShown | null,
) {
  const subjectKey = (after ?? before)?.id ?? '';
  return recordChange(tx, { actor, action, subjectType: 'supplierPart', subjectKey, before, after });
}

export function show(part: SupplierPart): SupplierPartShown {
  return {
    id: part.id,
    itemEntityId: part.itemId,
    itemNumber: part.itemNumber,
    itemName: part.itemName,
    supplierId: part.supplierId,
    supplier: part.supplier,
    sku: part.sku,
    manufacturer: part.manufacturer,
    mpn: part.mpn,
    unit: part.unit,
    packQuantity: numberOf(part.packQuantity),
    minimum: part.minimum === null ? null : numberOf(part.minimum),
    multiple: part.multiple === null ? null : numberOf(part.multiple),
    leadTimeDays: part.leadTimeDays,
    rank: part.rank,
    status: part.status,
    prices: part.prices.map(({ from, price, ...rest }) => ({
      from: numberOf(from),
      price: moneyText(price),
      ...rest,
    })),
    createdAt: part.createdAt.toISOString(),
  };
}
