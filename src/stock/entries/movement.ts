/** Movement types and their effect on a position (contract §4.2). */
import { MICRO_MAX, type Micro } from '../../quantity.ts';

export const movementTypes = [
  'Adjustment',
  'POReceipt',
  'SOReservation',
  'SORelease',
  'SOShipment',
  'OnOrderAdd',
  'OnOrderRelease',
  'MRReservation',
  'MRRelease',
  'MOReceipt',
  'MRIssue',
] as const;
export type MovementType = (typeof movementTypes)[number];

/** A movement that is wanted; `record-movements.ts` decides it. */
export interface Movement {
  type: MovementType;
  itemId: string;
  locationId: string;
  /** How much moves, above zero; of an `Adjustment` either sign. The ledger's signed quantity follows from the type. */
  amount: Micro;
  /** `SOShipment` only: how much of the amount this line had reserved, 0 to all of it. The rest takes what is available. */
  reservedAmount?: Micro;
  note?: string | null;
  /** The stock line that moves; its quantities are sums over its entries. */
  lineId?: string | null;
  orderId?: string | null;
  requirementId?: string | null;
}

export interface Balance {
  readonly onHand: Micro;
  readonly reserved: Micro;
  readonly onOrder: Micro;
}

export interface Deltas extends Balance {
  /** Signed, as the ledger shows it. */
  readonly quantity: Micro;
}

/**
 * Returns the changes of a movement. A wrong amount is a bug of the caller, not of the user, and throws a plain
 * error.
 */
export function deltasOf(movement: Movement): Deltas {
  const { type, amount, reservedAmount = 0n } = movement;
  const valid = type === 'Adjustment' ? amount !== 0n : amount > 0n;
  const inRange = amount >= -MICRO_MAX && amount <= MICRO_MAX;
  const reservedFits =
    type === 'SOShipment' ? reservedAmount >= 0n && reservedAmount <= amount : reservedAmount === 0n;
  if (!valid || !inRange || !reservedFits) {
    throw new Error(`A movement ${type} of ${amount} (${reservedAmount} reserved) millionths makes no sense`);
  }
  switch (type) {
    case 'Adjustment':
      return { quantity: amount, onHand: amount, reserved: 0n, onOrder: 0n };
    case 'POReceipt':
    case 'MOReceipt':
      return { quantity: amount, onHand: amount, reserved: 0n, onOrder: -amount };
    case 'SOReservation':
    case 'MRReservation':
      return { quantity: amount, onHand: 0n, reserved: amount, onOrder: 0n };
    case 'SORelease':
    case 'MRRelease':
      return { quantity: -amount, onHand: 0n, reserved: -amount, onOrder: 0n };
    case 'SOShipment':
      return { quantity: -amount, onHand: -amount, reserved: -reservedAmount, onOrder: 0n };
    case 'OnOrderAdd':
      return { quantity: amount, onHand: 0n, reserved: 0n, onOrder: amount };
    case 'OnOrderRelease':
      return { quantity: -amount, onHand: 0n, reserved: 0n, onOrder: -amount };
    case 'MRIssue':
      return { quantity: -amount, onHand: -amount, reserved: -amount, onOrder: 0n };
  }
}

/** Which figure of the position stands against a movement; `range`: the balance would not fit its field. */
export type RefusalReason = 'onHand' | 'reserved' | 'onOrder' | 'available' | 'range';

/**
 * Why the movement cannot be made on that balance, or null. Nothing may fall below zero, and what is
 * reserved stays so: whatever takes from Available needs it there. Only an adjustment may push Available
 * below zero, because a count is a fact.
 */
export function refusalOf(type: MovementType, before: Balance, deltas: Deltas): RefusalReason | null {
  const after = addDeltas(before, deltas);
  if (after.onHand < 0n) return 'onHand';
  if (after.reserved < 0n) return 'reserved';
  if (after.onOrder < 0n) return 'onOrder';
  const takes = deltas.onHand - deltas.reserved < 0n;
  if (type !== 'Adjustment' && takes && after.onHand - after.reserved < 0n) return 'available';
  if (after.onHand > MICRO_MAX || after.reserved > MICRO_MAX || after.onOrder > MICRO_MAX) return 'range';
  return null;
}

export function addDeltas(before: Balance, deltas: Deltas): Balance {
  return {
    onHand: before.onHand + deltas.onHand,
    reserved: before.reserved + deltas.reserved,
    onOrder: before.onOrder + deltas.onOrder,
  };
}
