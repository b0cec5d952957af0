/**
 * Lots that reservations hold. A hold is a part of what a sales line or a requirement has reserved at a position, and names a lot. Its
 * changes are movements of type `LotHold`, which change no figure of the position. Read and written under the locks of the positions.
 */
import type { Tx } from '../../db/transaction.ts';
import { type Micro, microOfDecimal } from '../../quantity.ts';
import { type Deltas, isReversal, type LotReason, type Movement } from '../entries/movement.ts';
import { selectHeldOfLots, selectHoldsOfHolders } from './lot-holds.sql.ts';

type Place = Pick<Movement, 'itemId' | 'locationId'>;

/** A quantity of a lot that a line or requirement holds at a location. */
export interface LotHold extends Place {
  readonly lot: string;
  readonly lineId: string | null;
  readonly requirementId: string | null;
  readonly orderId: string | null;
  readonly quantity: Micro;
}

/** Figures of the lot of a movement at its location, before it. */
interface LotFigures {
  readonly onHand: Micro;
  /** Whether it is kept from use, or has expired. */
  readonly refusal: LotReason | null;
}

/** The movements that a movement entails, before and after it; or why it cannot be made. */
export type Followed =
  | { reason: LotReason }
  | { reason: null; before: readonly Movement[]; after: readonly Movement[] };

const nothing: Followed = { reason: null, before: [], after: [] };

/** Returns the line or requirement whose reservation a movement changes; null if it changes none. */
export function holderOf({ type, lineId, requirementId }: Movement): string | null {
  switch (type) {
    case 'SOReservation':
    case 'SORelease':
    case 'SOShipment':
      return lineId ?? null;
    case 'MRReservation':
    case 'MRRelease':
    case 'MRIssue':
      return requirementId ?? null;
    case 'LotHold':
      return requirementId ?? lineId ?? null;
    default:
      return null;
  }
}

const placeKey = ({ itemId, locationId }: Place) => itemId + locationId;

/** Quantities by key: what was read, and what requests have changed since. */
class Sums {
  readonly #read = new Map<string, Micro>();
  readonly #changed = new Map<string, Micro>();

  has(key: string): boolean {
    return this.#read.has(key);
  }
  read(key: string, amount: Micro): void {
    this.#read.set(key, amount);
  }
  at(key: string, pending: ReadonlyMap<string, Micro>): Micro {
    return (this.#read.get(key) ?? 0n) + (this.#changed.get(key) ?? 0n) + (pending.get(key) ?? 0n);
  }
  keep(pending: ReadonlyMap<string, Micro>): void {
    for (const [key, delta] of pending) this.#changed.set(key, (this.#changed.get(key) ?? 0n) + delta);
  }
}

export class LotHolds {
  /** Held of a lot at a location, over all holders. */
  readonly #ofLot = new Sums();
  /** Held of a lot at a location by one holder. */
  readonly #ofHolder = new Sums();
  /** Reserved by a holder at a location. */
  readonly #reserved = new Sums();
  /** Lots of a holder at a location, in order of their numbers. */
  readonly #lots = new Map<string, Set<string>>();
  readonly #changed = new Map<string, Omit<LotHold, 'quantity'>>();

  /** Reads what decides about movements of tracked items. */
  async load(tx: Tx, movements: readonly Movement[]): Promise<void> {
    const lots = new Map<string, Place & { lot: string }>();
    const holders = new Map<string, Place & { holder: string }>();
    for (const movement of movements) {
      const { itemId, locationId, lot } = movement;
      const key = placeKey(movement);
      if (lot != null && !this.#ofLot.has(key + lot)) lots.set(key + lot, { itemId, locationId, lot });
      const holder = holderOf(movement);
      if (holder !== null && !this.#reserved.has(key + holder))
        holders.set(key + holder, { itemId, locationId, holder });
    }
    if (lots.size > 0) {
      const named = [...lots.values()];
      const rows = await tx.query<{ place: number; held: string }>(selectHeldOfLots, [
        tx.workspaceId,
        named.map(({ itemId }) => itemId),
        named.map(({ locationId }) => locationId),
        named.map(({ lot }) => lot),
      ]);
      for (const { place, held } of rows) {
        const one = named[place - 1] as (typeof named)[number];
        this.#ofLot.read(placeKey(one) + one.lot, microOfDecimal(held));
      }
    }
    if (holders.size === 0) return;
    const named = [...holders.values()];
    const rows = await tx.query<{ place: number; reserved: string; lots: string[]; quantities: string[] }>(
      selectHoldsOfHolders,
      [
        tx.workspaceId,
        named.map(({ itemId }) => itemId),
        named.map(({ locationId }) => locationId),
        named.map(({ holder }) => holder),
      ],
    );
    for (const row of rows) {
      const one = named[row.place - 1] as (typeof named)[number];
      const key = placeKey(one) + one.holder;
      this.#reserved.read(key, microOfDecimal(row.reserved));
      for (const [index, lot] of row.lots.entries()) {
        this.#ofHolder.read(`${key} ${lot}`, microOfDecimal(row.quantities[index] as string));
        this.#lotsOf(key).add(lot);
      }
    }
  }

  #lotsOf(key: string): Set<string> {
    const known = this.#lots.get(key) ?? new Set();
    this.#lots.set(key, known);
    return known;
  }

  /** Begins a request: its changes are seen by its own later movements, and by others once they are kept. */
  begin(): HoldChanges {
    const ofLot = new Map<string, Micro>();
    const ofHolder = new Map<string, Micro>();
    const reserved = new Map<string, Micro>();
    /** Quantities that releases of this request have freed, which later reservations may hold again. */
    const freed = new Map<string, Micro>();
    const changed = new Map<string, Omit<LotHold, 'quantity'>>();
    const add = (sums: Map<string, Micro>, key: string, delta: Micro) =>
      sums.set(key, (sums.get(key) ?? 0n) + delta);
    const ownOf = (key: string, lot: string) => this.#ofHolder.at(`${key} ${lot}`, ofHolder);
    const change = (movement: Movement, holder: string, lot: string, delta: Micro): Movement => {
      const { itemId, locationId, orderId = null, bookingId = null } = movement;
      const isRequirement = holder === movement.requirementId;
      const lineId = isRequirement ? null : holder;
      const requirementId = isRequirement ? holder : null;
      const key = placeKey(movement);
      add(ofLot, key + lot, delta);
      add(ofHolder, `${key + holder} ${lot}`, delta);
      this.#lotsOf(key + holder).add(lot);
      changed.set(`${key + holder} ${lot}`, { itemId, locationId, lot, lineId, requirementId, orderId });
      const common = { itemId, locationId, lot, lineId, requirementId, orderId, bookingId };
      return { ...common, type: 'LotHold', amount: delta };
    };
    const hold = (movement: Movement, holder: string, figures: LotFigures): LotReason | null => {
      const { amount, lot } = movement;
      if (lot == null) throw new Error('A hold without a lot');
      const key = placeKey(movement);
      if (amount < 0n) {
        if (ownOf(key + holder, lot) + amount < 0n) return 'lotNotHeld';
      } else {
        if (figures.refusal !== null) return figures.refusal;
        const held = this.#ofLot.at(key + lot, ofLot);
        if (figures.onHand < held + amount) return held > 0n ? 'lotHeld' : 'lotOnHand';
        const own = [...this.#lotsOf(key + holder)].reduce((sum, one) => sum + ownOf(key + holder, one), 0n);
        if (this.#reserved.at(key + holder, reserved) < own + amount) return 'lotNotReserved';
      }
      change(movement, holder, lot, amount);
      return null;
    };
    /** Ends holds of a reservation that becomes less: that of the lot that is taken first, then those beyond what stays reserved. */
    const release = (movement: Movement, holder: string, less: Micro): Movement[] => {
      const key = placeKey(movement) + holder;
      const lots = [...this.#lotsOf(key)].filter((lot) => ownOf(key, lot) > 0n).toSorted();
      if (lots.length === 0) return [];
      const first = movement.lot ?? movement.holdLot;
      let excess = lots.reduce((sum, lot) => sum + ownOf(key, lot), 0n) - this.#reserved.at(key, reserved);
      const ended: Movement[] = [];
      const end = (lot: string, most: Micro) => {
        const own = ownOf(key, lot);
        const some = own < most ? own : most;
        if (some <= 0n) return;
        excess -= some;
        add(freed, `${holder} ${lot}`, some);
        ended.push(change(movement, holder, lot, -some));
      };
      if (first != null) end(first, less);
      for (const lot of lots) end(lot, excess);
      return ended;
    };
    return {
      follow: (movement, deltas, figures) => {
        const holder = holderOf(movement);
        if (movement.type === 'LotHold') {
          if (holder === null) throw new Error('A hold without a holder');
          const reason = hold(movement, holder, figures);
          return reason === null ? nothing : { reason };
        }
        const key = placeKey(movement);
        const before: Movement[] = [];
        const after: Movement[] = [];
        if (holder !== null && deltas.reserved !== 0n) {
          add(reserved, key + holder, deltas.reserved);
          if (deltas.reserved < 0n) before.push(...release(movement, holder, -deltas.reserved));
          else if (movement.holdLot != null) {
            const again = freed.get(`${holder} ${movement.holdLot}`) ?? 0n;
            const some = again < deltas.reserved ? again : deltas.reserved;
            if (some > 0n) {
              add(freed, `${holder} ${movement.holdLot}`, -some);
              after.push(change(movement, holder, movement.holdLot, some));
            }
          }
        }
        const { lot } = movement;
        // A count is a fact, as it is for what is reserved.
        const isFact = movement.type === 'Adjustment' && !isReversal(movement);
        if (lot != null && deltas.onHand < 0n && !isFact) {
          const held = this.#ofLot.at(key + lot, ofLot);
          if (held > 0n && figures.onHand + deltas.onHand < held) return { reason: 'lotHeld' };
        }
        return before.length + after.length === 0 ? nothing : { reason: null, before, after };
      },
      keep: () => {
        this.#ofLot.keep(ofLot);
        this.#ofHolder.keep(ofHolder);
        this.#reserved.keep(reserved);
        for (const [key, one] of changed) this.#changed.set(key, one);
      },
    };
  }

  /** The holds that change, as they will be, in the order of their key. */
  get changed(): LotHold[] {
    const none = new Map<string, Micro>();
    return [...this.#changed]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => ({ ...one, quantity: this.#ofHolder.at(key, none) }));
  }
}

/** Changes of one request. A refused movement may leave changes: then nothing of the request is kept. */
export interface HoldChanges {
  /** Follows a movement of a tracked item. `figures` are those of its lot before it. */
  follow(movement: Movement, deltas: Deltas, figures: LotFigures): Followed;
  keep(): void;
}
