/**
 * Lots and serial numbers as a transaction reads them under the locks of their positions. Rules on them are decided here, and changes are
 * kept until they are written with the ledger. Items that are not tracked cost nothing.
 */
import { dayOf } from '../../calendar/days.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import { type Micro, microOfDecimal } from '../../quantity.ts';
import {
  type Deltas,
  isReversal,
  type LotReason,
  type LotStatus,
  type Movement,
  type NewLot,
} from '../entries/movement.ts';
import { selectNamedLots } from './lot-stock.sql.ts';

export type LotKind = 'lot' | 'serial';

/** A serial number is one unit. */
const UNIT: Micro = 1_000_000n;

export interface Lot {
  readonly itemId: string;
  readonly number: string;
  readonly kind: LotKind;
  /** A day such as `2026-11-20`. */
  readonly expiresOn: string | null;
  readonly supplierLot: string | null;
  readonly status: LotStatus;
  /** Facts of a lot that this transaction creates; null for one that exists. */
  readonly created: { readonly id: string; readonly properties: Readonly<Record<string, string>> } | null;
}

/** The quantity of a lot at one location. */
export interface LotPosition {
  readonly itemId: string;
  readonly locationId: string;
  readonly lot: string;
  readonly isSerial: boolean;
  readonly onHand: Micro;
}

/** Figures of a position that decide about lots. */
interface Tracked {
  readonly onHand: Micro;
  /** It is null for an item that is not tracked. */
  readonly inLots: Micro | null;
}

interface NamedLotRow {
  place: number;
  tracking: LotKind | null;
  kind: LotKind | null;
  expires_on: string | null;
  supplier_lot: string | null;
  status: LotStatus | null;
  on_hand: string;
  elsewhere: string | null;
}

type Named = Pick<Movement, 'itemId' | 'locationId'> & { readonly lot: string };

const lotKey = ({ itemId, lot }: Pick<Named, 'itemId' | 'lot'>) => itemId + lot;
const placeKey = ({ itemId, locationId, lot }: Named) => itemId + locationId + lot;

export class LotStock {
  readonly #today: string;
  readonly #tracking = new Map<string, LotKind>();
  /** Whether a movement has named a lot of an item that is tracked. */
  readonly hasTracked = () => this.#tracking.size > 0;
  readonly #lots = new Map<string, Lot>();
  readonly #positions = new Map<string, LotPosition>();
  /** The location of each serial number that is in stock. */
  readonly #serialAt = new Map<string, string | null>();
  readonly #read = new Set<string>();
  readonly #changed = new Set<string>();

  constructor(recordedUs: bigint) {
    this.#today = dayOf(Number(recordedUs / 1000n));
  }

  /** Reads the lots that the movements name and that were not read yet. The positions are locked, unless nothing is written. */
  async load(tx: Tx, movements: readonly Movement[]): Promise<void> {
    const wanted = new Map<string, Named>();
    for (const { itemId, locationId, lot } of movements) {
      if (lot == null) continue;
      const named = { itemId, locationId, lot };
      const key = placeKey(named);
      if (!this.#read.has(key)) wanted.set(key, named);
    }
    if (wanted.size === 0) return;
    const named = [...wanted.values()];
    const rows = await tx.query<NamedLotRow>(selectNamedLots, [
      tx.workspaceId,
      named.map(({ itemId }) => itemId),
      named.map(({ locationId }) => locationId),
      named.map(({ lot }) => lot),
    ]);
    for (const row of rows) this.#keep(named[row.place - 1] as Named, row);
  }

  #keep(named: Named, row: NamedLotRow): void {
    const { itemId, locationId, lot } = named;
    this.#read.add(placeKey(named));
    if (row.tracking !== null) this.#tracking.set(itemId, row.tracking);
    if (row.kind === null) return;
    const key = lotKey(named);
    // What this transaction has changed already is newer than what it reads.
    if (!this.#lots.has(key)) {
      this.#lots.set(key, {
        itemId,
        number: lot,
        kind: row.kind,
        expiresOn: row.expires_on,
        supplierLot: row.supplier_lot,
        status: row.status ?? 'available',
        created: null,
      });
      if (row.kind === 'serial') this.#serialAt.set(key, row.elsewhere);
    }
    const isSerial = row.kind === 'serial';
    this.#positions.set(placeKey(named), {
      itemId,
      locationId,
      lot,
      isSerial,
      onHand: microOfDecimal(row.on_hand),
    });
  }

  /** Returns the movements whose lots no status keeps from use. */
  async available(tx: Tx, movements: readonly Movement[]): Promise<readonly Movement[]> {
    if (movements.every(({ lot }) => lot == null)) return movements;
    await this.load(tx, movements);
    const { statusOf } = this.begin();
    return movements.filter((movement) => (statusOf(movement) ?? 'available') === 'available');
  }

  /** On Hand in lots; null for an item that is not tracked. */
  inLotsOf({ itemId, inLots }: { itemId: string; inLots: Micro | null }): Micro | null {
    return inLots ?? (this.#tracking.has(itemId) ? 0n : null);
  }

  #unusableReasonOf({ status, expiresOn }: Lot): 'lotNotAvailable' | 'lotExpired' | null {
    if (status !== 'available') return 'lotNotAvailable';
    return expiresOn !== null && expiresOn < this.#today ? 'lotExpired' : null;
  }

  /** Begins a request: its changes are seen by its own later movements, and by others once they are kept. */
  begin(): LotChanges {
    const lots = new Map<string, Lot>();
    const positions = new Map<string, LotPosition>();
    const serialAt = new Map<string, string | null>();
    const lotOf = (named: Named) => lots.get(lotKey(named)) ?? this.#lots.get(lotKey(named));
    const onHandOf = (named: Named) =>
      (positions.get(placeKey(named)) ?? this.#positions.get(placeKey(named)))?.onHand ?? 0n;
    const placeOf = (named: Named) => {
      const key = lotKey(named);
      return (serialAt.has(key) ? serialAt.get(key) : this.#serialAt.get(key)) ?? null;
    };
    return {
      refusalOf: (movement, deltas, position) => {
        if (deltas.onHand === 0n) return null;
        const { lot: number } = movement;
        if (number == null) return refusalWithoutLot(movement, deltas, position);
        const named = { itemId: movement.itemId, locationId: movement.locationId, lot: number };
        const tracking = this.#tracking.get(movement.itemId);
        if (position.inLots === null || tracking === undefined) return 'notTracked';
        const known = lotOf(named);
        if (known === undefined && (movement.newLot === undefined || deltas.onHand < 0n)) return 'lotUnknown';
        const lot = known ?? newLotOf(named, tracking, movement.newLot ?? {});
        if (known !== undefined && contradicts(known, movement.newLot)) return 'lotDiffers';
        if (lot.kind !== tracking) return 'lotKind';
        const isSerial = lot.kind === 'serial';
        if (isSerial && deltas.onHand !== UNIT && deltas.onHand !== -UNIT) return 'serialQuantity';
        if (isSerial && deltas.onHand > 0n && placeOf(named) !== null) return 'serialInStock';
        const unused = isUse(movement) ? this.#unusableReasonOf(lot) : null;
        if (unused === 'lotNotAvailable') return unused;
        const onHand = onHandOf(named) + deltas.onHand;
        if (onHand < 0n) return 'lotOnHand';
        if (unused !== null) return unused;
        if (known === undefined) lots.set(lotKey(named), lot);
        positions.set(placeKey(named), { ...named, isSerial, onHand });
        if (isSerial) serialAt.set(lotKey(named), onHand > 0n ? movement.locationId : null);
        return null;
      },
      unusableReasonOf: ({ itemId, locationId, lot }) => {
        const known = lot == null ? undefined : lotOf({ itemId, locationId, lot });
        return known === undefined ? 'lotUnknown' : this.#unusableReasonOf(known);
      },
      onHandOf: ({ itemId, locationId, lot }) => (lot == null ? 0n : onHandOf({ itemId, locationId, lot })),
      has: ({ itemId, locationId, lot }) => lot != null && lotOf({ itemId, locationId, lot }) !== undefined,
      statusOf: ({ itemId, lot, newLot }) =>
        lot == null
          ? null
          : ((lots.get(itemId + lot) ?? this.#lots.get(itemId + lot))?.status ??
            newLot?.status ??
            'available'),
      keep: () => {
        for (const [key, lot] of lots) this.#lots.set(key, lot);
        for (const [key, at] of serialAt) this.#serialAt.set(key, at);
        for (const [key, position] of positions) {
          this.#positions.set(key, position);
          this.#changed.add(key);
        }
      },
    };
  }

  /** Lots that this transaction creates, in the order of their key. */
  get created(): Lot[] {
    return [...this.#lots.values()]
      .filter(({ created }) => created !== null)
      .toSorted((a, b) => (a.itemId + a.number < b.itemId + b.number ? -1 : 1));
  }

  /** The lot positions that change: emptied ones first, so that a serial number leaves before it arrives. */
  get changed(): LotPosition[] {
    return [...this.#changed]
      .map((key) => this.#positions.get(key) as LotPosition)
      .toSorted((a, b) =>
        a.onHand === b.onHand ? (placeKey(a) < placeKey(b) ? -1 : 1) : a.onHand < b.onHand ? -1 : 1,
      );
  }
}

/** Changes of one request. */
export interface LotChanges {
  /** Returns why the lot cannot move so, or null; then the change is seen by later movements. */
  refusalOf(movement: Movement, deltas: Deltas, position: Tracked): LotReason | null;
  /** On Hand of the lot of a movement at its location, as it is now. */
  onHandOf(movement: Movement): Micro;
  /** Whether the item has the lot. */
  has(movement: Movement): boolean;
  /** Returns why the lot of a movement cannot be used, or null. */
  unusableReasonOf(movement: Movement): LotReason | null;
  /** Status of the lot of a movement, also of one that it creates; null if it names none. */
  statusOf(movement: Movement): LotStatus | null;
  keep(): void;
}

/** On Hand in lots after a movement. */
export function inLotsAfter(inLots: Micro | null, movement: Movement, deltas: Deltas): Micro | null {
  return inLots === null || movement.lot == null ? inLots : inLots + deltas.onHand;
}

/**
 * Stock of a tracked item without a lot was there before the item was tracked. A count may write it off, and entries from before may be
 * taken back; every other movement names a lot.
 */
function refusalWithoutLot(
  movement: Movement,
  deltas: Deltas,
  { onHand, inLots }: Tracked,
): LotReason | null {
  if (inLots === null) return null;
  const isCorrection = isReversal(movement) || (movement.type === 'Adjustment' && deltas.onHand < 0n);
  if (!isCorrection) return 'lotRequired';
  return onHand + deltas.onHand < inLots ? 'lotUnassigned' : null;
}

/**
 * Returns the movement that goes before a movement of a lot that is not available: what arrives is kept from use, and what leaves is not any
 * more. Null if there is none.
 */
export function statusMovementOf(movement: Movement, deltas: Deltas, lots: LotChanges): Movement | null {
  const status = lots.statusOf(movement);
  if (status === null || status === 'available' || deltas.onHand === 0n) return null;
  if (lots.onHandOf(movement) + deltas.onHand < 0n) return null;
  const { itemId, locationId, lot = null, bookingId = null } = movement;
  return { type: 'LotStatus', itemId, locationId, amount: deltas.onHand, reason: status, lot, bookingId };
}

/** Expired goods are neither shipped nor used; they can be moved, counted, written off and returned. */
function isUse(movement: Movement): boolean {
  return (movement.type === 'SOShipment' || movement.type === 'MRIssue') && !isReversal(movement);
}

function newLotOf({ itemId, lot }: Named, kind: LotKind, given: NewLot): Lot {
  const { expiresOn = null, supplierLot = null, properties = {}, status = 'available' } = given;
  return { itemId, number: lot, kind, expiresOn, supplierLot, status, created: { id: newId(), properties } };
}

function contradicts(lot: Lot, given: NewLot | undefined): boolean {
  const differs = (value: string | null, said: string | null | undefined) => said != null && said !== value;
  return (
    differs(lot.expiresOn, given?.expiresOn) ||
    differs(lot.supplierLot, given?.supplierLot) ||
    differs(lot.status, given?.status)
  );
}
