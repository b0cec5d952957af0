/** Divides movements by the lots that a call names, or by the lots that expire first. */
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { type Micro, microOfDecimal, microOfNumber, numberOf } from '../../quantity.ts';
import { isSameUnit } from '../../units/item-units.ts';
import { convert } from '../entries/given-quantity.ts';
import { LOT_NUMBER_CHARS_MAX, LOT_SHARES_MAX, type LotsGiven } from '../entries/lot.schema.ts';
import type { Entered, Movement, NewLot } from '../entries/movement.ts';
import { byShares, type LotShare } from './by-shares.ts';
import { positionKey } from './decide-movements.ts';
import { selectHeldChoices } from './lot-holds.sql.ts';
import { holderOf } from './lot-holds.ts';
import { selectFirstExpired, selectPlacesOfLots } from './lot-stock.sql.ts';

/** Lots of a call; `firstExpired`: those that expire first; null: none are named. */
export type LotsWanted = readonly LotShare[] | 'firstExpired' | null;

const UNIT: Micro = 1_000_000n;
/** A range; its second end may repeat what stands before the digits. */
const RANGE = /^(.*?)(\d+)\.\.(?:\1)?(\d+)$/;
/** Lots that are read to choose from, over all positions, and of one. */
const CHOICES_MAX = LOT_SHARES_MAX;
const CHOICE_MAX = 1000;

/** Counts the lots of a call: its lines share the limit, because a range of serial numbers is short to send. */
export class LotCount {
  #left = LOT_SHARES_MAX;

  /** Returns whether the call may name one more. */
  take(): boolean {
    return --this.#left >= 0;
  }
}

/** Goods that are divided by lots: an amount in the base unit, and what was entered if that is in another unit. */
interface Divided {
  amount: Micro;
  entered?: Entered | null | undefined;
}

/** Reads the lots of a line of a call for goods of this amount. Throws `validation_failed`. */
export function lotsWanted(given: LotsGiven, goods: Divided, count?: LotCount): LotsWanted {
  return given === 'firstExpired' ? given : namedLots(given, goods, count);
}

/** Reads lots that are named one by one. Throws `validation_failed`, and `quantity_inexact` for a quantity in another unit. */
export function namedLots(
  given: Exclude<LotsGiven, 'firstExpired'>,
  { amount, entered = null }: Divided,
  count = new LotCount(),
): readonly LotShare[] | null {
  if (given === undefined) return null;
  const field = 'lots';
  const shares: LotShare[] = [];
  const named = new Set<string>();
  const add = (index: number, share: LotShare) => {
    if (named.has(share.lot)) throw invalid(`${field}/${index}`, `${share.lot} is named twice.`);
    if (!count.take())
      throw invalid(`${field}/${index}`, `A call moves up to ${LOT_SHARES_MAX} lots. Send several.`);
    named.add(share.lot);
    shares.push(share);
  };
  for (const [index, { lot, serials, quantity, unit, ...facts }] of given.entries()) {
    const newLot = facts as NewLot;
    if (serials !== undefined) {
      for (const number of serialsOf(serials, `${field}/${index}/serials`))
        add(index, { lot: number, amount: UNIT, newLot });
      continue;
    }
    const own = quantity === undefined ? UNIT : microOfNumber(quantity);
    if (own === null || own <= 0n) {
      const message = `${quantity} is not above 0 with at most 9 integer and 6 fractional digits.`;
      throw invalid(`${field}/${index}/quantity`, message);
    }
    const share = unit === undefined ? own : inUnitOfCall(own, unit, entered, `${field}/${index}`);
    add(index, { lot: lot as string, amount: share, newLot });
  }
  const sum = shares.reduce((total, share) => total + share.amount, 0n);
  if (sum !== amount)
    throw invalid(field, `The lots add up to ${numberOf(sum)}, and the quantity is ${numberOf(amount)}.`);
  return shares;
}

/** Lots are in the unit of their call, with its factor: they add up to the same amount. */
function inUnitOfCall(quantity: Micro, unit: string, entered: Entered | null, field: string): Micro {
  if (entered !== null && isSameUnit(entered.unit, unit))
    return convert({ ...entered, quantity, rounding: null }, `${field}/quantity`).amount;
  const its = entered === null ? 'no unit' : `the unit ${entered.unit}`;
  throw invalid(`${field}/unit`, `The call names ${its}, and the lot ${unit}: use one unit for both.`);
}

/** Returns the serial numbers of a range such as `SN-0101..0150`. */
function serialsOf(text: string, field: string): string[] {
  const found = RANGE.exec(text);
  const longest = found === null ? text : `${found[1]}${found[3]}`;
  if (longest.length > LOT_NUMBER_CHARS_MAX)
    throw invalid(field, `A serial number has up to ${LOT_NUMBER_CHARS_MAX} characters.`);
  if (found === null && text.includes('..'))
    throw invalid(
      field,
      `${text} is no range of serial numbers. Write a range as SN-0101..0150; one number with ".." in it is named as a lot, with its quantity.`,
    );
  if (found === null) return [text];
  const [, prefix = '', from = '', to = ''] = found;
  const [first, last] = [BigInt(from), BigInt(to)];
  if (from.length !== to.length || last < first)
    throw invalid(field, `${text} is no range: both ends have as many digits, and the second is not lower.`);
  if (last - first >= BigInt(LOT_SHARES_MAX))
    throw invalid(field, `${text} has more than ${LOT_SHARES_MAX} serial numbers. Send several calls.`);
  const count = Number(last - first) + 1;
  return Array.from(
    { length: count },
    (_, index) => prefix + String(first + BigInt(index)).padStart(from.length, '0'),
  );
}

function invalid(field: string, message: string): AppError {
  return new AppError('validation_failed', {
    detail: message,
    errors: [{ pointer: `/${field}`, code: 'invalid_value', message }],
  });
}

/** Returns the movements that hold lots for what a movement reserves. */
export function holdsFor(movement: Movement, lots: LotsWanted | undefined): Movement[] {
  if (lots == null || lots === 'firstExpired') return [];
  const { itemId, locationId, orderId = null, note = null, bookingId = null } = movement;
  const isRequirement = movement.type === 'MRReservation';
  const lineId = isRequirement ? null : (movement.lineId ?? null);
  const requirementId = isRequirement ? (movement.requirementId ?? null) : null;
  const common = {
    type: 'LotHold',
    itemId,
    locationId,
    orderId,
    note,
    bookingId,
    lineId,
    requirementId,
  } as const;
  return lots.map(({ lot, amount }) => ({ ...common, lot, amount }));
}

/** A lot of a component that a call names. */
export interface ComponentLot {
  itemId: string;
  lot: string;
}

/** Divides the movements of one transaction by lots. Each take is seen by those after it. */
export interface LotDivider {
  /** An amount that no lot has left stays without one, which is refused if the item is tracked. */
  divide(movement: Movement): Movement[];
}

interface Choice {
  readonly lot: string;
  left: Micro;
}

type PlacedChoice = Choice & Pick<Movement, 'itemId' | 'locationId'>;

/** Returns the movements of goods, each divided by the lots, which the movements share in their order. */
export function byLots(
  movements: readonly Movement[],
  lots: LotsWanted | undefined,
  firstExpired: LotDivider | null,
): readonly Movement[] {
  if (lots == null) return movements;
  if (lots === 'firstExpired')
    return movements.flatMap((movement) => firstExpired?.divide(movement) ?? [movement]);
  const left = lots.map((share) => ({ ...share }));
  return movements.flatMap((movement) => {
    const own: LotShare[] = [];
    for (let wanted = movement.amount; wanted > 0n; ) {
      const [first] = left;
      if (first === undefined) break;
      const some = first.amount < wanted ? first.amount : wanted;
      own.push({ ...first, amount: some });
      first.amount -= some;
      wanted -= some;
      if (first.amount === 0n) left.shift();
    }
    return byShares(movement, own);
  });
}

/** Returns the divider of requests that leave the choice of lots to the service; null if none does. The positions are locked. */
export async function firstExpiredOf(
  tx: Tx,
  requests: readonly { moves: readonly { lots?: LotsWanted }[] }[],
  places: readonly Pick<Movement, 'itemId' | 'locationId'>[],
): Promise<LotDivider | null> {
  const isAsked = requests.some(({ moves }) => moves.some(({ lots }) => lots === 'firstExpired'));
  return isAsked ? dividingByExpiry(tx, places) : null;
}

/**
 * Divides by the lots that the reservation holds, then by those that expire first, have not expired and are held by none. The positions are locked. The more positions there are, the fewer lots of each
 * are read; the divider throws `validation_failed` where these do not suffice.
 */
export async function dividingByExpiry(
  tx: Tx,
  places: readonly Pick<Movement, 'itemId' | 'locationId'>[],
): Promise<LotDivider> {
  const named = [...new Map(places.map((place) => [positionKey(place), place])).values()];
  const most = Math.min(CHOICE_MAX, Math.max(1, Math.floor(CHOICES_MAX / named.length)));
  const rows = await tx.query<{ place: number; lot: string; on_hand: string }>(selectFirstExpired, [
    tx.workspaceId,
    named.map(({ itemId }) => itemId),
    named.map(({ locationId }) => locationId),
    most,
  ]);
  const held = await tx.query<{ place: number; lot: string; holder_id: string; quantity: string }>(
    selectHeldChoices,
    [tx.workspaceId, named.map(({ itemId }) => itemId), named.map(({ locationId }) => locationId), most],
  );
  const placed = (place: number, lot: string, quantity: string) => {
    const { itemId, locationId } = named[place - 1] as (typeof named)[number];
    return { itemId, locationId, lot, left: microOfDecimal(quantity) };
  };
  return dividerOf(
    rows.map((row) => placed(row.place, row.lot, row.on_hand)),
    {
      most,
      held: held.map((row) => ({ ...placed(row.place, row.lot, row.quantity), holder: row.holder_id })),
    },
  );
}

/** Divides by the lots that a call names, in their order. The positions are locked. */
export async function dividingByName(tx: Tx, lots: readonly ComponentLot[]): Promise<LotDivider> {
  const rows = await tx.query<{ place: number; location_id: string; on_hand: string }>(selectPlacesOfLots, [
    tx.workspaceId,
    lots.map(({ itemId }) => itemId),
    lots.map(({ lot }) => lot),
    CHOICE_MAX,
  ]);
  return dividerOf(
    rows.map((row) => {
      const { itemId, lot } = lots[row.place - 1] as ComponentLot;
      return { itemId, locationId: row.location_id, lot, left: microOfDecimal(row.on_hand) };
    }),
  );
}

/** A position that has `most` rows may have more lots, which were not read. `held` are lots that reservations hold. */
function dividerOf(
  rows: readonly PlacedChoice[],
  {
    most = Number.POSITIVE_INFINITY,
    held = [],
  }: { most?: number; held?: readonly (PlacedChoice & { holder: string })[] } = {},
): LotDivider {
  const choices = Map.groupBy(rows, positionKey);
  const heldBy = Map.groupBy(held, (choice) => positionKey(choice) + choice.holder);
  return {
    divide: (movement) => {
      const key = positionKey(movement);
      const own = choices.get(key) ?? [];
      const divided = dividedBy(movement, [...(heldBy.get(key + (holderOf(movement) ?? '')) ?? []), ...own]);
      if (own.length >= most && divided.some(({ lot }) => lot == null)) {
        const message = `\`firstExpired\` chooses among ${most} lots of each position here, and they have too little. Name the lots, or send several calls.`;
        throw invalid('lots', message);
      }
      return divided;
    },
  };
}

function dividedBy(movement: Movement, choices: readonly Choice[]): Movement[] {
  const shares: LotShare[] = [];
  let left = movement.amount;
  for (const choice of choices) {
    if (left <= 0n) break;
    const some = choice.left < left ? choice.left : left;
    if (some <= 0n) continue;
    choice.left -= some;
    left -= some;
    shares.push({ lot: choice.lot, amount: some });
  }
  if (shares.length === 0) return [movement];
  const divided = byShares(movement, shares);
  if (left === 0n) return divided;
  const reserved =
    (movement.reservedAmount ?? 0n) - divided.reduce((sum, one) => sum + (one.reservedAmount ?? 0n), 0n);
  const { coveredQuantity: covered } = movement;
  const of = {
    ...(movement.reservedAmount === undefined ? {} : { reservedAmount: reserved }),
    ...(covered == null
      ? {}
      : { coveredQuantity: divided.reduce((rest, one) => rest - (one.coveredQuantity ?? 0n), covered) }),
  };
  return [...divided, { ...movement, ...of, amount: left }];
}
