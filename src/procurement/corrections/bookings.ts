/** Bookings: entries that were written together, and which of them are taken back together. */
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import type { LedgerEntry } from '../../stock/entries/ledger-entry.ts';
import { type EntryRow, entryOfRow } from '../../stock/ledger/ledger.sql.ts';
import { selectBookings, selectLinesOfComponents } from './corrections.sql.ts';
import { isScrap } from './reversal.ts';

/** Entries of one delivery or build that a call takes back: 10 000 components, each reserved and issued at some locations. */
const BOOKING_ENTRIES_MAX = 50_000;

export interface BookedEntry extends LedgerEntry {
  /** The line of which the entry's requirement is a component. */
  componentOf: string | null;
}

/** Returns the bookings of those entries that are not taken back alone. */
export function bookingsOf(entries: readonly LedgerEntry[]): string[] {
  return distinct(entries.filter(hasCompanions).map(({ bookingId }) => bookingId));
}

/** Throws `tree_too_large`. */
export async function readBookings(tx: Tx, bookings: readonly string[]): Promise<BookedEntry[]> {
  if (bookings.length === 0) return [];
  const rows = await tx.query<EntryRow>(selectBookings, [tx.workspaceId, bookings, BOOKING_ENTRIES_MAX + 1]);
  if (rows.length > BOOKING_ENTRIES_MAX) {
    throw new AppError('tree_too_large', {
      detail: `The build has more than ${BOOKING_ENTRIES_MAX} entries. Take back the issues of its components one by one instead.`,
      extensions: { limit: BOOKING_ENTRIES_MAX },
    });
  }
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

/** Returns the entries of its booking that record built units of the line of an entry: receipts and scrap share the components. */
export function unitsOf(entry: LedgerEntry, booked: readonly BookedEntry[]): BookedEntry[] {
  return booked.filter(
    (one) =>
      one.bookingId === entry.bookingId &&
      one.lineId === entry.lineId &&
      one.reversesId === null &&
      (one.movementType === 'MOReceipt' || (isScrap(one) && one.quantity < 0n)),
  );
}

/**
 * Returns the entries of its booking that are taken back with an entry: the other end of a transfer, and the components of a build.
 */
export function companionsOf(entry: LedgerEntry, booked: readonly BookedEntry[]): LedgerEntry[] {
  const own = booked.filter((one) => one.bookingId === entry.bookingId && one.reversesId === null);
  const isPair = (one: LedgerEntry) =>
    one.itemId === entry.itemId && one.lot === entry.lot && one.quantity === -entry.quantity;
  switch (entry.movementType) {
    case 'TransferOut':
      return own
        .filter((one) => one.movementType === 'TransferIn' && isPair(one) && one.id > entry.id)
        .slice(0, 1);
    case 'TransferIn':
      return own
        .filter((one) => one.movementType === 'TransferOut' && isPair(one) && one.id < entry.id)
        .slice(-1);
    case 'MOReceipt':
      return own.filter((one) => isComponent(one, entry));
    case 'Adjustment': {
      if (!isOutput(entry)) return [];
      const isOther = (one: LedgerEntry) => isOutput(one) && one.lineId === entry.lineId && isPair(one);
      return own.filter((one) => isOther(one) || isComponent(one, entry));
    }
    default:
      return [];
  }
}

function isComponent(one: BookedEntry, { lineId }: LedgerEntry): boolean {
  return one.movementType === 'MRIssue' && one.componentOf === lineId;
}

/** Whether it is an adjustment of the output of a line: scrap in or out. */
export function isOutput({ movementType, lineId }: LedgerEntry): boolean {
  return movementType === 'Adjustment' && lineId !== null;
}

function hasCompanions(entry: LedgerEntry): boolean {
  return entry.movementType === 'TransferOut' || entry.movementType === 'TransferIn' || isBuild(entry);
}

export function isBuild(entry: LedgerEntry): boolean {
  return entry.movementType === 'MOReceipt' || isOutput(entry);
}

export function distinct(ids: readonly (string | null)[]): string[] {
  return [...new Set(ids)].filter((id) => id !== null).toSorted();
}
