/** Positions and entries in the form of the interface. */
import type { Actor } from '../../actor.ts';
import { numberOf } from '../../quantity.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import type { Balance } from './movement.ts';
import type { StockLedgerEntry, StockPosition } from './stock.schema.ts';

/** Shown fields of an item or location. */
export interface Named {
  id: string;
  number: string | null;
  name: string;
}

/** The names of a position. */
export function showPlace(item: Named, location: Named) {
  return {
    itemEntityId: item.id,
    itemNumber: item.number,
    itemName: item.name,
    locationEntityId: location.id,
    locationNumber: location.number,
    locationName: location.name,
  };
}

export function showPosition(
  item: Named,
  location: Named,
  balance: Balance,
  updatedUs: bigint,
): StockPosition {
  return {
    ...showPlace(item, location),
    onHand: numberOf(balance.onHand),
    reserved: numberOf(balance.reserved),
    onOrder: numberOf(balance.onOrder),
    available: numberOf(balance.onHand - balance.reserved),
    updatedAt: momentOf(updatedUs),
  };
}

/** The position that an entry leaves behind. */
export function showPositionAfter(item: Named, location: Named, entry: LedgerEntry): StockPosition {
  const balance = { onHand: entry.onHandAfter, reserved: entry.reservedAfter, onOrder: entry.onOrderAfter };
  return showPosition(item, location, balance, entry.recordedUs);
}

export function showEntry(
  entry: LedgerEntry,
  itemNumber: string | null,
  locationNumber: string | null,
  actor: Actor,
): StockLedgerEntry {
  return {
    id: entry.id,
    sequence: Number(entry.sequence),
    recordedAt: momentOf(entry.recordedUs),
    movementType: entry.movementType,
    itemEntityId: entry.itemId,
    itemNumber,
    locationEntityId: entry.locationId,
    locationNumber,
    quantity: numberOf(entry.quantity),
    onHandAfter: numberOf(entry.onHandAfter),
    reservedAfter: numberOf(entry.reservedAfter),
    onOrderAfter: numberOf(entry.onOrderAfter),
    note: entry.note,
    lineId: entry.lineId,
    orderId: entry.orderId,
    requirementId: entry.requirementId,
    actor: { type: actor.type, id: actor.id, name: actor.name },
    hash: entry.hash.toString('hex'),
    bookingId: entry.bookingId,
    reversesId: entry.reversesId,
    effectiveOn: entry.effectiveOn,
    reason: entry.reason,
    consume: entry.consume,
    itemRevision: entry.itemRevision,
    lot: entry.lot,
    enteredQuantity: entry.enteredQuantity === null ? null : numberOf(entry.enteredQuantity),
    enteredUnit: entry.enteredUnit,
    coveredQuantity: entry.coveredQuantity === null ? null : numberOf(entry.coveredQuantity),
  };
}

let moment = { us: 0n, text: '1970-01-01T00:00:00.000Z' };

/** Remembers the last one: the entries of a transaction are of one moment, and writing it costs more than the rest. */
export function momentOf(us: bigint): string {
  if (us !== moment.us) moment = { us, text: new Date(Number(us / 1000n)).toISOString() };
  return moment.text;
}
