/** A refusal as the caller reads it: which figure stands in the way, and what the figures are. */
import { AppError, type ErrorCode } from '../../errors.ts';
import { numberOf } from '../../quantity.ts';
import { deltasOf, type FigureReason, isReversal, type LotReason, lotReasons } from '../entries/movement.ts';
import type { Refusal } from './decide-movements.ts';

const SHOWN_MAX = 100;

const names: Record<Exclude<FigureReason, 'range'>, string> = {
  onHand: 'On Hand',
  reserved: 'Reserved',
  onOrder: 'On Order',
  available: 'Available',
};

/** Names of items and locations, by id, because people know them by their numbers. */
export type Names = ReadonlyMap<string, { number: string | null; name: string }>;

/** The error with up to 100 refusals in `refusals`, each with its movement's index, why, and the position as it was found. */
export function refuseMovements(refusals: readonly Refusal[], known: Names): AppError {
  const short = refusals.find((refusal) => refusal.reason !== 'range');
  const first = short ?? refusals[0];
  if (first === undefined) throw new Error('A refusal without a reason');
  const more =
    refusals.length > 1 ? ` ${refusals.length - 1} more of the movements cannot be made either.` : '';
  return new AppError(codeOf(first), {
    detail: `${sentenceOf(first, known)}${more}`,
    extensions: {
      refusals: refusals.slice(0, SHOWN_MAX).map((refusal) => figuresOf(refusal, known)),
      refusalCount: refusals.length,
    },
  });
}

/** A lot with too little on hand lacks stock; whatever else is wrong with a lot has a code of its own. */
function codeOf({ reason }: Refusal): ErrorCode {
  if (reason === 'range') return 'quantity_out_of_range';
  if (reason === 'archived') return 'entity_archived';
  return isLotReason(reason) && reason !== 'lotOnHand' ? 'lot_refused' : 'insufficient_stock';
}

function isLotReason(reason: Refusal['reason']): reason is LotReason {
  return lotReasons.some((one) => one === reason);
}

/** The ids of the items and locations that the error names. */
export function namedIn(refusals: readonly Refusal[]): string[] {
  const shown = refusals.slice(0, SHOWN_MAX);
  const first = refusals.find((refusal) => refusal.reason !== 'range') ?? refusals[0];
  return [...shown, ...(first === undefined ? [] : [first])].flatMap(({ movement }) => [
    movement.itemId,
    movement.locationId,
  ]);
}

function sentenceOf(refusal: Refusal, known: Names): string {
  const { reason, movement, balance } = refusal;
  const { type, itemId, locationId } = movement;
  const { quantity: signed } = deltasOf(movement);
  // How much is taken, whichever way it counts in the ledger.
  const quantity = numberOf(signed < 0n ? -signed : signed);
  const nameOf = (id: string) => known.get(id)?.number ?? known.get(id)?.name ?? id;
  const at = `item ${nameOf(itemId)} at location ${nameOf(locationId)}`;
  const what = isReversal(movement) ? `Taking back ${quantity} of ${type}` : `${type} of ${quantity}`;
  if (reason === 'range') return `${what}: a balance of ${at} would have more than 9 integer digits.`;
  if (reason === 'archived')
    return `${what} of ${at} is refused: the item or the location is archived. Unarchive it first.`;
  if (isLotReason(reason)) return `${what} of ${at} is refused: ${lotSentenceOf(refusal, reason)}`;
  const figure = reason === 'available' ? balance.onHand - balance.reserved : balance[reason];
  return `${what} is more than ${names[reason]} of ${at}, which is ${numberOf(figure)}.`;
}

function lotSentenceOf({ movement, balance, lotOnHand, lotStatus }: Refusal, reason: LotReason): string {
  const { lot } = movement;
  switch (reason) {
    case 'lotOnHand':
      return `lot ${lot} has ${numberOf(lotOnHand)} on hand there.`;
    case 'lotRequired':
      return 'the item is tracked. Name the lot or the serial number.';
    case 'lotUnassigned':
      return `of the ${numberOf(balance.onHand)} on hand, too little is without a lot. Name the lot.`;
    case 'lotUnknown':
      return `the item has no lot ${lot}. Correct the number${deltasOf(movement).onHand > 0n ? ', or state `newLot` to create the lot' : ''}.`;
    case 'lotExpired':
      return `lot ${lot} has expired. Choose another lot, or write this one off.`;
    case 'lotDiffers':
      return `lot ${lot} exists with another expiry date or supplier lot. Correct the lot, or leave these fields out.`;
    case 'lotKind':
      return `${lot} is from when the item was tracked in another way. Use another number.`;
    case 'lotNotAvailable':
      return `lot ${lot} is in status ${lotStatus}. Only available lots are shipped and issued.`;
    case 'lotHeld':
      return `reservations of others hold lot ${lot}, of which ${numberOf(lotOnHand)} are on hand there. Take another lot, or end a hold first.`;
    case 'lotNotHeld':
      return `the reservation does not hold so much of lot ${lot} there.`;
    case 'lotNotReserved':
      return `less than that is reserved there and holds no lot. Reserve it first.`;
    case 'notTracked':
      return 'the item is not tracked. Switch tracking on, or leave the lot out.';
    case 'serialQuantity':
      return `${lot} is a serial number, which is one unit.`;
    case 'serialInStock':
      return `serial number ${lot} is in stock already.`;
  }
}

function figuresOf(refusal: Refusal, known: Names): Record<string, unknown> {
  const { index, reason, movement, balance, lotStatus } = refusal;
  return {
    index,
    reason,
    movementType: movement.type,
    itemEntityId: movement.itemId,
    itemNumber: known.get(movement.itemId)?.number ?? null,
    locationEntityId: movement.locationId,
    locationNumber: known.get(movement.locationId)?.number ?? null,
    quantity: numberOf(deltasOf(movement).quantity),
    onHand: numberOf(balance.onHand),
    reserved: numberOf(balance.reserved),
    onOrder: numberOf(balance.onOrder),
    available: numberOf(balance.onHand - balance.reserved),
    lot: movement.lot ?? null,
    lotStatus,
    message: sentenceOf(refusal, known),
  };
}
