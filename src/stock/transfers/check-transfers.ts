/** Turns the lines of a transfer into movements. */
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import { type Micro, microOfDecimal, numberOf } from '../../quantity.ts';
import type { Entered, Movement } from '../entries/movement.ts';
import { checkEach, checkPlaces, type Named, placeErrors } from '../movements/check-places.ts';
import { nameOf, type StockEntity } from '../movements/find-stock-entities.ts';
import { type HeldRow, selectHeld } from './held.sql.ts';
import type { TransferLine } from './transfer.schema.ts';

/** The refusals of transfers, for the routes' declarations. */
export const transferErrors = [
  ...placeErrors,
  'same_location',
  'stock_closed',
  'entity_archived',
  'insufficient_stock',
  'lot_refused',
  'too_many_adjustments',
] as const satisfies readonly ErrorCode[];

/** A line that can be decided on. */
export interface CheckedTransfer {
  item: StockEntity;
  from: StockEntity;
  to: StockEntity;
  amount: Micro;
  entered: Entered | null;
  requirementId: string | null;
  lot: string | null;
}

export function refsOf(lines: readonly TransferLine[]): EntityRef[] {
  return lines.flatMap((line) => [line.itemEntityId, line.fromLocationEntityId, line.toLocationEntityId]);
}

/** Throws the first finding's code, with all findings in `errors`. */
export function checkTransfers(lines: readonly TransferLine[], named: Named): CheckedTransfer[] {
  return checkEach(lines, (line, index) => {
    const pointer = `/lines/${index}`;
    const { fromLocationEntityId, toLocationEntityId } = line;
    const checked = checkPlaces(line, { fromLocationEntityId, toLocationEntityId }, named, pointer);
    if (Array.isArray(checked)) return checked;
    const { item, amount, entered, locations } = checked;
    const { fromLocationEntityId: from, toLocationEntityId: to } = locations;
    if (amount < 0n) {
      const message = 'The quantity must be above 0: exchange the two locations to move stock back.';
      return [{ pointer: `${pointer}/quantity`, code: 'quantity_out_of_range', message }];
    }
    if (from.id === to.id) {
      const message = `Stock cannot move from ${nameOf(from)} to itself.`;
      return [{ pointer: `${pointer}/toLocationEntityId`, code: 'same_location', message }];
    }
    const { requirementId = null, lot = null } = line;
    return { item, from, to, amount, entered, requirementId, lot };
  });
}

/** The quantity that a requirement holds of an item at a location. */
interface HeldPart {
  readonly held: Micro;
  /** How much of the required item a substitute covers; null for the required item itself. */
  readonly covers: Micro | null;
}

interface HeldThere {
  readonly held: Micro;
  readonly parts: readonly HeldPart[];
  readonly orderId: string | null;
}

/** The quantities that requirements hold, by `heldKey`. */
export type Held = ReadonlyMap<string, HeldThere>;

const heldKey = ({ requirementId, item, from }: CheckedTransfer) => `${requirementId}${item.id}${from.id}`;

/** Reads what the named requirements hold; while the positions are locked, nobody changes it. */
export async function readHeld(tx: Tx, transfers: readonly CheckedTransfer[]): Promise<Held> {
  const named = new Map(
    transfers.filter(({ requirementId }) => requirementId !== null).map((one) => [heldKey(one), one]),
  );
  if (named.size === 0) return new Map();
  const some = [...named.values()];
  const rows = await tx.query<HeldRow>(selectHeld, [
    tx.workspaceId,
    some.map(({ requirementId }) => requirementId),
    some.map(({ item }) => item.id),
    some.map(({ from }) => from.id),
  ]);
  return new Map(
    [...Map.groupBy(rows, ({ place }) => place)].map(([place, own]) => {
      const parts = own.map(({ held, covers }) => ({
        held: microOfDecimal(held),
        covers: covers === null ? null : microOfDecimal(covers),
      }));
      return [
        heldKey(some[place - 1] as CheckedTransfer),
        { held: parts.reduce((sum, part) => sum + part.held, 0n), parts, orderId: own[0]?.order_id ?? null },
      ];
    }),
  );
}

/**
 * Divides a moved quantity by what is held: the required item moves before a substitute. `before` is what lines of the request have moved
 * of it already; what the shares cover is rounded from the first on.
 */
function sharesOfHeld(
  parts: readonly HeldPart[],
  before: Micro,
  amount: Micro,
): Pick<Movement, 'amount' | 'coveredQuantity'>[] {
  const shares: Pick<Movement, 'amount' | 'coveredQuantity'>[] = [];
  let start = 0n;
  for (const { held, covers } of parts) {
    const within = (at: Micro) => (at < start ? 0n : at > start + held ? held : at - start);
    const [from, to] = [within(before), within(before + amount)];
    start += held;
    if (to === from) continue;
    const covered = covers === null ? {} : { coveredQuantity: (covers * to) / held - (covers * from) / held };
    shares.push({ amount: to - from, ...covered });
  }
  return shares;
}

/** Adds up what lines take of the reservations that requirements hold. */
export class HeldTaken {
  readonly #held: Held;
  readonly #sums = new Map<string, Micro>();

  constructor(held: Held) {
    this.#held = held;
  }

  /** Throws `insufficient_stock` where the lines so far move more than the requirement holds at the location. */
  take(transfer: CheckedTransfer, index: number): void {
    if (transfer.requirementId === null) return;
    const key = heldKey(transfer);
    const sum = (this.#sums.get(key) ?? 0n) + transfer.amount;
    const most = this.#held.get(key)?.held ?? 0n;
    if (sum > most) {
      const { item, from, requirementId } = transfer;
      const message = `Requirement ${requirementId} holds ${numberOf(most)} of item ${nameOf(item)} at location ${nameOf(from)}, not ${numberOf(sum)}.`;
      throw new AppError('insufficient_stock', {
        detail: message,
        errors: [{ pointer: `/lines/${index}/requirementId`, code: 'insufficient_stock', message }],
        extensions: { heldQty: numberOf(most) },
      });
    }
    this.#sums.set(key, sum);
  }
}

export interface PlannedMovements {
  movements: Movement[];
  /** The line of each movement. */
  lineOf: number[];
}

/**
 * Returns the movements of the lines, in order. The two entries of a line name each other by their booking. A reservation is released
 * before its stock leaves and made again after it has arrived. Goods in transit are on order at their destination.
 */
export function movementsOf(
  transfers: readonly CheckedTransfer[],
  held: Held,
  { note, inTransit }: { note: string | null; inTransit: boolean },
): PlannedMovements {
  const lineOf: number[] = [];
  const before = new Map<string, Micro>();
  const movements = transfers.flatMap((transfer, index): Movement[] => {
    const { item, from, to, amount, entered, requirementId, lot } = transfer;
    const itemId = item.id;
    const moved = { itemId, amount, entered, note, bookingId: newId(), lot };
    const out: Movement = { ...moved, type: 'TransferOut', locationId: from.id };
    const into: Movement = inTransit
      ? { ...moved, lot: null, type: 'OnOrderAdd', locationId: to.id }
      : { ...moved, type: 'TransferIn', locationId: to.id };
    const own = [out, into];
    if (requirementId !== null) {
      const key = heldKey(transfer);
      const there = held.get(key);
      const reserved = { itemId, holdLot: lot, note, requirementId, orderId: there?.orderId ?? null };
      const moved = before.get(key) ?? 0n;
      before.set(key, moved + amount);
      for (const share of sharesOfHeld(there?.parts ?? [], moved, amount)) {
        own.unshift({ ...reserved, ...share, type: 'MRRelease', locationId: from.id });
        // A part that covers nothing by its share arrives as free stock.
        if (share.coveredQuantity !== 0n)
          own.push({ ...reserved, ...share, type: 'MRReservation', locationId: to.id });
      }
    }
    for (let i = 0; i < own.length; i++) lineOf.push(index);
    return own;
  });
  return { movements, lineOf };
}
