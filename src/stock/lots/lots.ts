/** Reads and changes lots. */
import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import { readPage } from '../../db/read-page.ts';
import type { Tx } from '../../db/transaction.ts';
import { type EntityRef, resolveEntityId } from '../../entities/resolve-entity.ts';
import { AppError } from '../../errors.ts';
import { Day } from '../../http/day.ts';
import { decodeCursor, pageOf } from '../../http/list.ts';
import { type Micro, microOfDecimal, numberOf } from '../../quantity.ts';
import { LOWEST_ID } from '../entries/ledger-entry.ts';
import type { NewLot } from '../entries/movement.ts';
import { selectFirstExpired, selectLotsAt } from '../movements/lot-stock.sql.ts';
import type { LotProposal, LotQuery, StockLot, StockLotAtPlaces } from './lots.schema.ts';
import {
  type LotPlaceRow,
  type LotRow,
  lockLot,
  selectAllLots,
  selectBuilderOfLot,
  selectLot,
  selectLotPlaces,
  selectLotsByExpiry,
  selectLotsByStatus,
  selectLotsOfItem,
  updateLot,
} from './lots.sql.ts';

const long = ['item_number', 'item_name', 'supplier_lot', 'properties'];

/** A page looks at as many lots as it may hold, so with `inStock` or `status` it may be shorter. Throws `invalid_cursor`, `entity_not_found`. */
export async function listLots(
  tx: Tx,
  { itemEntityId, number, expiresBefore, status, inStock, limit, cursor }: LotQuery,
): Promise<{ items: StockLot[]; nextCursor: string | null }> {
  const read = (sql: string, params: unknown[]) =>
    readPage<LotRow>(tx, sql, [tx.workspaceId, ...params, limit + 1], { limit, long });
  const page = async () => {
    if (itemEntityId !== undefined) {
      const itemId = await resolveEntityId(tx, itemEntityId);
      const list = `lots ${itemId} ${number ?? ''}`;
      const after = decodeCursor(list, cursor, z.string());
      const rows = await read(selectLotsOfItem, [itemId, after, number ?? null]);
      return pageOf(list, rows, (row) => row.number, showLot);
    }
    if (expiresBefore !== undefined) {
      const list = `lots before ${expiresBefore}`;
      const [day, id] = decodeCursor(list, cursor, z.tuple([Day, z.uuid()])) ?? [null, null];
      const rows = await read(selectLotsByExpiry, [expiresBefore, day, id]);
      return pageOf(list, rows, (row) => [row.expires_on, row.id], showLot);
    }
    // Few lots are kept from use: an index has those.
    if (status !== undefined && status !== 'available') {
      const list = `lots in ${status}`;
      const behind = decodeCursor(list, cursor, z.uuid()) ?? LOWEST_ID;
      return pageOf(list, await read(selectLotsByStatus, [status, behind]), (row) => row.id, showLot);
    }
    const after = decodeCursor('lots', cursor, z.uuid()) ?? LOWEST_ID;
    return pageOf('lots', await read(selectAllLots, [after]), (row) => row.id, showLot);
  };
  const { items, nextCursor } = await page();
  const fitting = items.filter(
    (lot) => (inStock === 'false' || lot.onHand > 0) && (status === undefined || lot.status === status),
  );
  return { items: fitting, nextCursor };
}

function showLot(row: LotRow): StockLot {
  return {
    id: row.id,
    itemEntityId: row.item_id,
    itemNumber: row.item_number,
    itemName: row.item_name,
    number: row.number,
    kind: row.kind,
    expiresOn: row.expires_on,
    supplierLot: row.supplier_lot,
    status: row.status,
    properties: row.properties,
    onHand: numberOf(microOfDecimal(row.on_hand)),
    createdAt: new Date(row.created_at).toISOString(),
  };
}

const PLACES_SHOWN = 100;

/** Throws `lot_not_found`. */
export async function readLot(tx: Tx, id: string): Promise<{ lot: StockLotAtPlaces; version: number }> {
  const [row] = await tx.query<LotRow>(selectLot, [tx.workspaceId, id]);
  if (row === undefined) throw new AppError('lot_not_found', `There is no lot ${id} in this workspace.`);
  const places = await tx.query<LotPlaceRow>(selectLotPlaces, [
    tx.workspaceId,
    row.item_id,
    row.number,
    PLACES_SHOWN,
  ]);
  const positions = places.map((place) => ({
    locationEntityId: place.location_id,
    locationNumber: place.number,
    locationName: place.name,
    onHand: numberOf(microOfDecimal(place.on_hand)),
    held: numberOf(microOfDecimal(place.held)),
  }));
  const [builder] = await tx.query(selectBuilderOfLot, [tx.workspaceId, row.item_id, row.number]);
  return { lot: { ...showLot(row), isBuilt: builder !== undefined, positions }, version: row.version };
}

/** The number of a lot never changes, because the ledger names it. Throws `lot_not_found`. A change of nothing writes nothing. */
export async function changeLot(
  tx: Tx,
  actor: Actor,
  {
    id,
    facts,
    check,
  }: { id: string; facts: NewLot; check: (lot: StockLotAtPlaces, version: number) => void },
): Promise<{ lot: StockLotAtPlaces; version: number }> {
  await tx.query(lockLot, [tx.workspaceId, id]);
  const { lot, version } = await readLot(tx, id);
  check(lot, version);
  const changed = {
    expiresOn: facts.expiresOn === undefined ? lot.expiresOn : facts.expiresOn,
    supplierLot: facts.supplierLot === undefined ? lot.supplierLot : facts.supplierLot,
    properties: facts.properties ?? lot.properties,
  };
  const before = { expiresOn: lot.expiresOn, supplierLot: lot.supplierLot, properties: lot.properties };
  if (JSON.stringify(changed) === JSON.stringify(before)) return { lot, version };
  await tx.query(updateLot, [
    tx.workspaceId,
    id,
    changed.expiresOn,
    changed.supplierLot,
    JSON.stringify(changed.properties),
  ]);
  await recordChange(tx, {
    actor,
    action: 'update',
    subjectType: 'lot',
    subjectKey: id,
    before: { number: lot.number, ...before },
    after: { number: lot.number, ...changed },
  });
  return readLot(tx, id);
}

const PROPOSED_MAX = 1000;

interface Proposing {
  item: EntityRef;
  location: EntityRef;
  /** The quantity; null for everything there. */
  amount: Micro | null;
  /** Whether lots that cannot be used are listed too. */
  isAll: boolean;
}

/** Proposes the lots that expire first. Throws `entity_not_found`. */
export async function proposeLots(
  tx: Tx,
  { item, location, amount, isAll }: Proposing,
): Promise<LotProposal> {
  const [itemId, locationId] = [await resolveEntityId(tx, item), await resolveEntityId(tx, location)];
  type Row = { lot: string; on_hand: string; expires_on: string | null };
  const rows = isAll
    ? await tx.query<Row>(selectLotsAt, [tx.workspaceId, itemId, locationId, PROPOSED_MAX])
    : await tx.query<Row>(selectFirstExpired, [tx.workspaceId, [itemId], [locationId], PROPOSED_MAX]);
  const lots: LotProposal['lots'] = [];
  let left = amount;
  for (const row of rows) {
    if (left !== null && left <= 0n) break;
    const onHand = microOfDecimal(row.on_hand);
    const some = left === null || onHand < left ? onHand : left;
    if (left !== null) left -= some;
    lots.push({ lot: row.lot, quantity: numberOf(some), expiresOn: row.expires_on });
  }
  return { lots, missingQty: numberOf(left ?? 0n) };
}
