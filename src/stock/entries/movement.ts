/** Movement types and their effect on a position (contract §4.2). */
import type { Money } from '../../money/money.ts';
import { MICRO_MAX, type Micro } from '../../quantity.ts';
import type { Rational } from '../../units/rational.ts';

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
  'TransferOut',
  'TransferIn',
  'POReturn',
  'SOReturn',
  'LotStatus',
  'LotHold',
] as const;
export type MovementType = (typeof movementTypes)[number];

/** Only available lots are used; what the others hold is not available (`LotStatus`). */
export const lotStatuses = ['available', 'quarantine', 'rejected'] as const;
export type LotStatus = (typeof lotStatuses)[number];

/** How a build takes its components from stock. */
export const consumeModes = ['proportional', 'asListed', 'none'] as const;
export type ConsumeMode = (typeof consumeModes)[number];

/** Facts that few entries state. An entry that states none of them is stored and hashed as before these facts existed. */
export interface StatedFacts {
  /** Shared by entries that belong together: the two entries of a transferred line, a delivery, a build. */
  readonly bookingId: string | null;
  /** The entry of the same position that this one takes back, in full or in part. */
  readonly reversesId: string | null;
  /** The day on which it happened, as `2026-11-20`; null if that is the day of recording. */
  readonly effectiveOn: string | null;
  /** The code of the reason for an adjustment, a return or scrap; of `LotStatus` the status that keeps the quantity from use. */
  readonly reason: string | null;
  /** How the components of a received build were taken. */
  readonly consume: ConsumeMode | null;
  /** The number of the item's revision. */
  readonly itemRevision: number | null;
  /** The number of the lot, or the serial number, that moves. */
  readonly lot: string | null;
  /** The quantity as it was entered, in `enteredUnit`; null if it was entered in the base unit of the item. */
  readonly enteredQuantity: Micro | null;
  readonly enteredUnit: string | null;
  /**
   * The quantity of the required component that a substitute covers, which a requirement reserves, releases or is issued; without the
   * sign of the quantity. A reversal states it below zero.
   */
  readonly coveredQuantity: Micro | null;
}

/** Facts in the order in which they are hashed: a new fact comes last. */
export const statedFacts = [
  'bookingId',
  'reversesId',
  'effectiveOn',
  'reason',
  'consume',
  'itemRevision',
  'lot',
  'enteredQuantity',
  'enteredUnit',
  'coveredQuantity',
] as const satisfies readonly (keyof StatedFacts)[];

/** A quantity in another unit than the base unit of its item. */
export interface Entered {
  readonly quantity: Micro;
  readonly unit: string;
  /** The quantity in the base unit. */
  readonly amount: Micro;
  /** How many base units one of the unit is. */
  readonly factor: Rational;
}

/** A movement that is wanted; `record-movements.ts` decides it. */
export interface Movement extends Partial<Omit<StatedFacts, 'enteredQuantity' | 'enteredUnit'>> {
  type: MovementType;
  itemId: string;
  locationId: string;
  /**
   * How much moves, above zero; of an `Adjustment`, a `LotStatus` or a `LotHold` either sign. The ledger's signed quantity follows from the type. A reversal
   * (`reversesId`) states the amount that it takes back, with the sign of the original.
   */
  amount: Micro;
  /**
   * `SOShipment` and `MRIssue` only: how much of the amount the line or requirement had reserved, 0 to all of it; of an issue by default
   * all, of a shipment nothing. The rest takes what is available. A reversal reserves this much again.
   */
  reservedAmount?: Micro;
  note?: string | null;
  /** Like `amount`, above zero or zero; of a reversal how much of the component is taken back. */
  coveredQuantity?: Micro | null;
  /** The stock line that moves; its quantities are sums over its entries. */
  lineId?: string | null;
  orderId?: string | null;
  requirementId?: string | null;
  /** Makes the lot if it does not exist yet; absent: an unknown lot is refused. */
  newLot?: NewLot | undefined;
  /** A release ends the hold of this lot first; a reservation holds it again, where the same request has freed it. */
  holdLot?: string | null | undefined;
  /** The quantity that was entered in another unit, of which this movement is all or a part. */
  entered?: Entered | null | undefined;
  /** The cost of arriving goods; read only where the workspace keeps costs. */
  unitCost?: UnitCost | undefined;
}

/** A price of goods. */
export interface UnitCost {
  readonly price: Money;
  readonly currency: string;
  /** How many base units the unit of the price is. */
  readonly factor: Rational;
}

/** Returns what a movement states of the entered quantity: its share, where the quantity was divided. */
export function enteredShare({ amount, entered }: Pick<Movement, 'amount' | 'entered'>): Micro | null {
  if (entered == null) return null;
  if (entered.amount === amount || entered.amount === 0n) return entered.quantity;
  const doubled = (2n * amount * entered.quantity) / entered.amount;
  return (doubled + (doubled < 0n ? -1n : 1n)) / 2n;
}

/** Returns the quantities that an entry of the movement states beside the one in the base unit. */
export function enteredFacts(
  movement: Movement,
): Pick<StatedFacts, 'enteredQuantity' | 'enteredUnit' | 'coveredQuantity'> {
  const { coveredQuantity: covered = null, entered } = movement;
  return {
    enteredQuantity: enteredShare(movement),
    enteredUnit: entered?.unit ?? null,
    coveredQuantity: covered !== null && isReversal(movement) ? -covered : covered,
  };
}

/** The fields that a call states of a lot that it may create. A lot that exists must not contradict it; undefined says nothing. */
export interface NewLot {
  readonly expiresOn?: string | null | undefined;
  readonly supplierLot?: string | null | undefined;
  readonly properties?: Readonly<Record<string, string>> | undefined;
  readonly status?: LotStatus | undefined;
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
 * Returns the changes of a movement. A reversal has the changes of its original with the opposite sign. A wrong amount is a bug of
 * the caller, not of the user, and throws a plain error.
 */
export function deltasOf(movement: Movement): Deltas {
  const { quantity, onHand, reserved, onOrder } = effectOf(movement);
  return isReversal(movement)
    ? { quantity: -quantity, onHand: -onHand, reserved: -reserved, onOrder: -onOrder }
    : { quantity, onHand, reserved, onOrder };
}

export function isReversal({ reversesId }: Pick<Movement, 'reversesId'>): boolean {
  return reversesId != null;
}

function effectOf(movement: Movement): Deltas {
  const { type, amount } = movement;
  const { reservedAmount = type === 'MRIssue' ? amount : 0n } = movement;
  const isSigned = type === 'Adjustment' || type === 'LotStatus' || type === 'LotHold';
  const valid = isSigned ? amount !== 0n : amount > 0n;
  const inRange = amount >= -MICRO_MAX && amount <= MICRO_MAX;
  const reservedFits =
    type === 'SOShipment' || type === 'MRIssue'
      ? reservedAmount >= 0n && reservedAmount <= amount
      : reservedAmount === 0n;
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
    case 'LotStatus':
      return { quantity: amount, onHand: 0n, reserved: amount, onOrder: 0n };
    case 'LotHold':
      return { quantity: amount, onHand: 0n, reserved: 0n, onOrder: 0n };
    case 'SORelease':
    case 'MRRelease':
      return { quantity: -amount, onHand: 0n, reserved: -amount, onOrder: 0n };
    case 'SOShipment':
    case 'MRIssue':
      return { quantity: -amount, onHand: -amount, reserved: -reservedAmount, onOrder: 0n };
    case 'OnOrderAdd':
      return { quantity: amount, onHand: 0n, reserved: 0n, onOrder: amount };
    case 'OnOrderRelease':
      return { quantity: -amount, onHand: 0n, reserved: 0n, onOrder: -amount };
    case 'TransferIn':
    case 'SOReturn':
      return { quantity: amount, onHand: amount, reserved: 0n, onOrder: 0n };
    case 'TransferOut':
    case 'POReturn':
      return { quantity: -amount, onHand: -amount, reserved: 0n, onOrder: 0n };
  }
}

/** Which figure of the position stands against a movement; `range`: the balance would not fit its field. */
export type FigureReason = 'onHand' | 'reserved' | 'onOrder' | 'available' | 'range';

/** Reasons that concern the lot of a movement. `lotOnHand`: the lot has less on hand at the location. */
export const lotReasons = [
  'lotOnHand',
  'lotRequired',
  'lotUnassigned',
  'lotUnknown',
  'lotExpired',
  'lotDiffers',
  'lotKind',
  'lotNotAvailable',
  'lotHeld',
  'lotNotHeld',
  'lotNotReserved',
  'notTracked',
  'serialQuantity',
  'serialInStock',
] as const;
export type LotReason = (typeof lotReasons)[number];

/** `archived`: the item or the location is archived. */
export type RefusalReason = FigureReason | LotReason | 'archived';

/**
 * Returns why the movement cannot be made on that balance, or null. Nothing falls below zero, and stock that is reserved stays
 * reserved: a movement that takes from Available needs enough of it. Only an adjustment and the status of a lot may push Available below
 * zero, because they are facts; taking an adjustment back may not.
 */
export function refusalOf(movement: Movement, before: Balance, deltas: Deltas): FigureReason | null {
  const after = addDeltas(before, deltas);
  if (after.onHand < 0n) return 'onHand';
  if (after.reserved < 0n) return 'reserved';
  if (after.onOrder < 0n) return 'onOrder';
  const takes = deltas.onHand - deltas.reserved < 0n;
  const { type } = movement;
  const isFact = type === 'LotStatus' || (type === 'Adjustment' && !isReversal(movement));
  if (!isFact && takes && after.onHand - after.reserved < 0n) return 'available';
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
