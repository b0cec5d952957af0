/** Rules of taking back ledger entries, without any database. */
import { AppError } from '../../errors.ts';
import { type Micro, numberOf } from '../../quantity.ts';
import type { LedgerEntry } from '../../stock/entries/ledger-entry.ts';
import type { Movement, MovementType } from '../../stock/entries/movement.ts';

/** Movements that can be taken back, and the word for each in a refusal. What is only promised has calls of its own. */
const reversible: Readonly<Partial<Record<MovementType, string>>> = {
  Adjustment: 'adjusted',
  POReceipt: 'received',
  MOReceipt: 'received',
  SOShipment: 'shipped',
  MRIssue: 'issued',
  TransferOut: 'transferred',
  TransferIn: 'transferred',
  POReturn: 'returned',
  SOReturn: 'returned',
};

const insteadOf: Readonly<Partial<Record<MovementType, string>>> = {
  SOReservation: 'Release the reservation of the line.',
  SORelease: 'Reserve for the line again.',
  MRReservation: 'Release the reservation of the requirement.',
  MRRelease: 'Reserve for the requirement again.',
  OnOrderAdd: 'Change the quantity of the line, close it or cancel it.',
  OnOrderRelease: 'Change the quantity of the line, or order it again.',
  LotStatus: 'Change the status of the lot again.',
  LotHold: 'Hold the lot again, or end the hold.',
};

/** How much of an entry was taken back before, as positive amounts. */
export interface TakenBack {
  readonly quantity: Micro;
  readonly reserved: Micro;
  /** How much of the component an issue of a substitute covered. */
  readonly covered: Micro;
}

/** Whether it writes off units of a line that failed. */
export function isScrap({ movementType, lineId, reason }: LedgerEntry): boolean {
  return movementType === 'Adjustment' && lineId !== null && reason === 'scrap';
}

export const nothingTakenBack: TakenBack = { quantity: 0n, reserved: 0n, covered: 0n };

/** Throws `not_reversible`. */
export function requireReversible({ id, movementType, reversesId, lineId, reason }: LedgerEntry): void {
  if (reversesId !== null) {
    throw new AppError('not_reversible', {
      detail: `Entry ${id} takes back another entry. Book the movement again instead.`,
      extensions: { reversesId },
    });
  }
  if (movementType === 'Adjustment' && lineId !== null && reason === 'disassembly') {
    throw new AppError('not_reversible', {
      detail: `Entry ${id} takes built units apart, and their components came back. Build the units again instead.`,
      extensions: { movementType },
    });
  }
  if (movementType in reversible) return;
  throw new AppError('not_reversible', {
    detail:
      `Entry ${id} is a ${movementType}, which moves no goods. ${insteadOf[movementType] ?? ''}`.trimEnd(),
    extensions: { movementType },
  });
}

/** Returns what is left of the entry to be taken back, as a positive amount. */
export function remainingOf(entry: LedgerEntry, taken: TakenBack): Micro {
  return abs(entry.quantity) - taken.quantity;
}

/** Returns the amount to take back: all that is left unless an amount is given. Throws `over_reversal`. */
export function requireRemaining(entry: LedgerEntry, taken: TakenBack, amount: Micro | null): Micro {
  const remaining = remainingOf(entry, taken);
  if (remaining > 0n && (amount ?? remaining) <= remaining) return amount ?? remaining;
  const detail =
    remaining === 0n
      ? `Entry ${entry.id} was taken back in full.`
      : `Entry ${entry.id} has ${numberOf(remaining)} of ${numberOf(abs(entry.quantity))} left to take back, not ${numberOf(amount ?? 0n)}.`;
  throw overReversal(detail, { quantity: abs(entry.quantity), reversed: taken.quantity, remaining });
}

export function overReversal(
  detail: string,
  { quantity, reversed, remaining }: { quantity: Micro; reversed: Micro; remaining: Micro },
): AppError {
  return new AppError('over_reversal', {
    detail,
    extensions: {
      quantity: numberOf(quantity),
      reversedQty: numberOf(reversed),
      remainingQty: numberOf(remaining),
    },
  });
}

/**
 * Returns the movement that takes back so much of an entry. A shipment or an issue first gives back what it took from a reservation, because
 * the goods are to be shipped or issued again.
 */
export function reversalOf(
  entry: LedgerEntry,
  taken: TakenBack,
  amount: Micro,
  { note, bookingId }: { note: string | null; bookingId: string | null },
): Movement {
  const reservedLeft = abs(entry.reservedDelta) - taken.reserved;
  const { coveredQuantity } = entry;
  const coveredLeft = coveredQuantity === null ? null : coveredQuantity - taken.covered;
  const covered = coveredLeft === null ? null : (coveredLeft * amount) / remainingOf(entry, taken);
  // A part of a substitute that covers nothing by its share comes back as free stock.
  const held = covered === 0n ? 0n : reservedLeft < amount ? reservedLeft : amount;
  return {
    type: entry.movementType,
    itemId: entry.itemId,
    locationId: entry.locationId,
    amount: entry.movementType === 'Adjustment' && entry.quantity < 0n ? -amount : amount,
    ...(entry.movementType === 'SOShipment' || entry.movementType === 'MRIssue'
      ? { reservedAmount: held }
      : {}),
    ...(covered === null ? {} : { coveredQuantity: covered }),
    note,
    lineId: entry.lineId,
    orderId: entry.orderId,
    requirementId: entry.requirementId,
    reversesId: entry.id,
    reason: entry.reason,
    itemRevision: entry.itemRevision,
    lot: entry.lot,
    bookingId,
  };
}

/** Returns the part of what is left of a component's entry that belongs to so many of the built units that are left. */
export function shareOf(left: Micro, amount: Micro, unitsLeft: Micro): Micro {
  return (left * amount) / unitsLeft;
}

export function abs(value: Micro): Micro {
  return value < 0n ? -value : value;
}
