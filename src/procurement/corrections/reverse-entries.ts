/**
 * Takes back entries of the ledger, in full or in part. Lines, orders and requirements follow in the same transaction. Locks are taken in
 * the order of transition-effect.ts: configuration, orders, lines, requirements, positions. What is left of an entry is decided under the
 * lock of its position.
 */
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import { type Micro, microOfDecimal, numberOf } from '../../quantity.ts';
import type { LedgerEntry } from '../../stock/entries/ledger-entry.ts';
import { type Movement, movementTypes } from '../../stock/entries/movement.ts';
import { type EntryRow, entryOfRow } from '../../stock/ledger/ledger.sql.ts';
import { type ReversedRow, selectReversed } from '../../stock/ledger/reversals.sql.ts';
import { openPositions, recordRequests } from '../../stock/movements/record-requests.ts';
import { moveOrder } from '../lines/other-locations.ts';
import { findLine } from '../records/find-procured.ts';
import { refreshRequirement } from '../records/follow-state.ts';
import { isSupply, type Line } from '../records/line.ts';
import { type LockedEntity, lockEntities, lockOrdersOfLines } from '../records/procured-entities.sql.ts';
import { selectHeld } from '../records/requirements.sql.ts';
import { releaseRequirement } from '../requirements/move-requirement.ts';
import { selectBookings, selectEntries, selectLinesOfComponents } from './corrections.sql.ts';
import { followLine } from './follow-line.ts';
import { refuseReversal } from './refuse-reversal.ts';
import {
  abs,
  nothingTakenBack,
  overReversal,
  remainingOf,
  requireRemaining,
  requireReversible,
  reversalOf,
  shareOf,
  type TakenBack,
} from './reversal.ts';

/** Entries of one delivery or build that a call takes back; a delivery has 100 lines, each with a receipt and a reservation. */
const BOOKING_ENTRIES_MAX = 10_000;

export interface Reversed {
  /** In the order in which they were written. */
  entries: LedgerEntry[];
  lines: Line[];
}

/** Throws `entry_not_found`, `not_reversible`, `over_reversal`, `insufficient_stock`, `transition_not_allowed`. */
export async function reverseEntry(
  tx: Tx,
  by: Mover,
  wanted: { entryId: string; amount: Micro | null; note: string | null },
): Promise<Reversed> {
  const [row] = await tx.query<EntryRow>(selectEntries, [tx.workspaceId, [wanted.entryId], movementTypes]);
  if (row === undefined)
    throw new AppError('entry_not_found', `There is no ledger entry ${wanted.entryId} in this workspace.`);
  return reverse(tx, by, [entryOfRow(row)], wanted);
}

/** Takes back all that is left of a delivery of an order. Throws `booking_not_found`, and as `reverseEntry` does. */
export async function reverseDelivery(
  tx: Tx,
  by: Mover,
  wanted: { orderId: string; bookingId: string; isReceipt: boolean; note: string | null },
): Promise<Reversed> {
  const types = wanted.isReceipt ? ['POReceipt', 'MOReceipt'] : ['SOShipment'];
  const delivered = (await readBookings(tx, [wanted.bookingId])).filter(
    ({ orderId, movementType, reversesId }) =>
      orderId === wanted.orderId && reversesId === null && types.includes(movementType),
  );
  if (delivered.length === 0) {
    throw new AppError(
      'booking_not_found',
      `The order has no ${wanted.isReceipt ? 'receipt' : 'shipment'} ${wanted.bookingId}.`,
    );
  }
  return reverse(tx, by, delivered, { amount: null, note: wanted.note });
}

interface BookedEntry extends LedgerEntry {
  /** The line of which the entry's requirement is a component. */
  componentOf: string | null;
}

async function readBookings(tx: Tx, bookings: readonly string[]): Promise<BookedEntry[]> {
  if (bookings.length === 0) return [];
  const rows = await tx.query<EntryRow>(selectBookings, [tx.workspaceId, bookings, BOOKING_ENTRIES_MAX]);
  const requirements = distinct(rows.map((row) => row.requirement_id));
  const components = await tx.query<{ id: string; line_id: string | null }>(selectLinesOfComponents, [
    tx.workspaceId,
    requirements,
  ]);
  const lineOf = new Map(components.map(({ id, line_id }) => [id, line_id]));
  return rows.map((row) => ({
    ...entryOfRow(row),
    componentOf: lineOf.get(row.requirement_id ?? '') ?? null,
  }));
}

/** How many units a receipt and its scrap have taken components for. */
function builtOf(receipt: LedgerEntry, booked: readonly BookedEntry[]): Micro {
  const scrap = booked.filter(
    (one) =>
      one.bookingId === receipt.bookingId &&
      one.lineId === receipt.lineId &&
      one.itemId === receipt.itemId &&
      one.reason === 'scrap',
  );
  return scrap.reduce((sum, { quantity }) => sum + abs(quantity), abs(receipt.quantity));
}

async function reverse(
  tx: Tx,
  by: Mover,
  originals: readonly LedgerEntry[],
  { amount, note }: { amount: Micro | null; note: string | null },
): Promise<Reversed> {
  for (const entry of originals) requireReversible(entry);
  await configurationForWriting(tx);
  const booked = await readBookings(tx, distinct(originals.map(({ bookingId }) => bookingId)));
  const companions = originals.flatMap((entry) => companionsOf(entry, booked));
  const all = [...originals, ...companions];
  const lineIds = distinct(all.map(({ lineId }) => lineId));
  const requirementIds = distinct(all.map(({ requirementId }) => requirementId));
  await tx.queryPrepared<LockedEntity>(lockOrdersOfLines.alone, [tx.workspaceId, lineIds]);
  await tx.queryPrepared<LockedEntity>(lockEntities.alone, [tx.workspaceId, lineIds]);
  await tx.queryPrepared<LockedEntity>(lockEntities.alone, [tx.workspaceId, requirementIds]);
  const lines = new Map(await Promise.all(lineIds.map(async (id) => [id, await findLine(tx, id)] as const)));
  const locked = await openPositions(tx, [...all, ...lines.values()]);
  const taken = await readTaken(tx, all);

  const bookingId = newId();
  const movements: Movement[] = [];
  const takenBack: LedgerEntry[] = [];
  const add = (entry: LedgerEntry, quantity: Micro) => {
    if (quantity === 0n) return;
    movements.push(reversalOf(entry, takenOf(taken, entry), quantity, { note, bookingId }));
    takenBack.push(entry);
  };
  for (const entry of originals) {
    const remaining = remainingOf(entry, takenOf(taken, entry));
    // A delivery may be taken back after one of its lines was.
    if (amount === null && remaining === 0n && originals.length > 1) continue;
    const quantity = requireRemaining(entry, takenOf(taken, entry), amount);
    requireNotReturned(lines.get(entry.lineId ?? ''), entry, quantity);
    for (const companion of companionsOf(entry, booked)) {
      if (companion.movementType === 'MRReservation') {
        const release = await releaseOf(tx, companion, quantity, note);
        if (release !== null) {
          movements.push({ ...release, bookingId });
          takenBack.push(companion);
        }
      } else if (companion.movementType === 'MRIssue') {
        const sofar = takenOf(taken, entry).quantity + quantity;
        const left = shareOf(companion, sofar, builtOf(entry, booked)) - takenOf(taken, companion).quantity;
        add(companion, left > 0n ? left : 0n);
      } else add(companion, quantity);
    }
    add(entry, quantity);
    const line = lines.get(entry.lineId ?? '');
    if (line === undefined || !isReceipt(entry) || entry.locationId === line.locationId) continue;
    // What arrived elsewhere is on order at the location of the line again.
    const there = { ...line, locationId: entry.locationId };
    for (const movement of moveOrder(there, line.locationId, quantity, { note, bookingId })) {
      movements.push(movement);
      takenBack.push(entry);
    }
  }
  if (movements.length === 0) {
    const quantity = originals.reduce((sum, entry) => sum + abs(entry.quantity), 0n);
    throw overReversal('The delivery was taken back in full.', {
      quantity,
      reversed: quantity,
      remaining: 0n,
    });
  }
  const [outcome] = await recordRequests(tx, [{ actor: by.actor, movements }], locked);
  if (outcome === undefined) throw new Error('A request without an outcome');
  if (outcome.refusals !== null) throw await refuseReversal(tx, outcome.refusals, takenBack);

  const after: Line[] = [];
  for (const id of lineIds) after.push(await followLine(tx, by, id, note));
  for (const id of requirementIds) {
    const requirement = await refreshRequirement(tx, by, id);
    if (requirement.status === 'cancelled') await releaseRequirement(tx, by.actor, requirement, note);
  }
  return { entries: outcome.entries, lines: after };
}

/**
 * Returns the entries of its booking that are taken back with an entry: the other end of a transfer, the components of a build, and the
 * reservation of what was received for a requirement.
 */
function companionsOf(entry: LedgerEntry, booked: readonly BookedEntry[]): LedgerEntry[] {
  const own = booked.filter((one) => one.bookingId === entry.bookingId && one.reversesId === null);
  const isPair = (one: LedgerEntry) => one.itemId === entry.itemId && one.quantity === -entry.quantity;
  switch (entry.movementType) {
    case 'TransferOut':
      return own
        .filter((one) => one.movementType === 'TransferIn' && isPair(one) && one.id > entry.id)
        .slice(0, 1);
    case 'TransferIn':
      return own
        .filter((one) => one.movementType === 'TransferOut' && isPair(one) && one.id < entry.id)
        .slice(-1);
    case 'POReceipt':
    case 'MOReceipt':
      return own.filter(
        (one) =>
          (one.movementType === 'MRIssue' &&
            entry.movementType === 'MOReceipt' &&
            one.componentOf === entry.lineId) ||
          (one.movementType === 'MRReservation' &&
            one.requirementId === entry.requirementId &&
            one.itemId === entry.itemId &&
            one.locationId === entry.locationId),
      );
    default:
      return [];
  }
}

function isReceipt({ movementType }: LedgerEntry): boolean {
  return movementType === 'POReceipt' || movementType === 'MOReceipt';
}

async function readTaken(tx: Tx, entries: readonly LedgerEntry[]): Promise<Map<string, TakenBack>> {
  const rows = await tx.query<ReversedRow>(selectReversed, [tx.workspaceId, entries.map(({ id }) => id)]);
  return new Map(
    rows.map((row) => [
      row.id,
      { quantity: abs(microOfDecimal(row.quantity)), reserved: abs(microOfDecimal(row.reserved)) },
    ]),
  );
}

function takenOf(taken: ReadonlyMap<string, TakenBack>, { id }: LedgerEntry): TakenBack {
  return taken.get(id) ?? nothingTakenBack;
}

/** What went back to the supplier or came back from the customer cannot be taken back as never delivered. */
function requireNotReturned(line: Line | undefined, entry: LedgerEntry, amount: Micro): void {
  const isDelivery = entry.movementType === 'POReceipt' || entry.movementType === 'SOShipment';
  if (line === undefined || !isDelivery) return;
  const delivered = line.received + line.shipped;
  const remaining = delivered - line.returned;
  if (amount <= remaining) return;
  throw overReversal(
    `Of the ${numberOf(delivered)} that line ${line.number ?? line.id} ${isSupply(line.type) ? 'received' : 'shipped'}, ${numberOf(line.returned)} were returned: ${numberOf(remaining)} can be taken back. Take back the return first.`,
    { quantity: delivered, reversed: line.returned, remaining },
  );
}

/** Returns the release of so much of what a receipt reserved for its requirement, as far as it is still held there. */
async function releaseOf(
  tx: Tx,
  { itemId, locationId, requirementId, orderId }: LedgerEntry,
  amount: Micro,
  note: string | null,
): Promise<Movement | null> {
  const rows = await tx.query<{ location_id: string; held: string }>(selectHeld, [
    tx.workspaceId,
    requirementId,
  ]);
  const found = rows.find((row) => row.location_id === locationId);
  const held = found === undefined ? 0n : microOfDecimal(found.held);
  const release = held < amount ? held : amount;
  if (release <= 0n) return null;
  return { type: 'MRRelease', itemId, locationId, amount: release, note, orderId, requirementId };
}

function distinct(ids: readonly (string | null)[]): string[] {
  return [...new Set(ids)].filter((id) => id !== null).toSorted();
}
