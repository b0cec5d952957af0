/**
 * Decides movements on locked positions: pure, in slices, in order of arrival, each request on its own. A refusal is a
 * result and leaves no trace on the balances that later requests see.
 */
import type { Stored } from '../../db/mapped-columns.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Slices } from '../../fairness/slices.ts';
import type { Micro } from '../../quantity.ts';
import type { PositionRow } from '../entries/ledger.entity.ts';
import { entryIdsAt, hashEntry, type LedgerEntry, NO_HASH } from '../entries/ledger-entry.ts';
import {
  addDeltas,
  type Balance,
  type Deltas,
  deltasOf,
  enteredFacts,
  type LotStatus,
  type Movement,
  type RefusalReason,
  refusalOf,
  type UnitCost,
} from '../entries/movement.ts';
import { type Followed, type HoldChanges, LotHolds } from './lot-holds.ts';
import { inLotsAfter, type LotChanges, LotStock, statusMovementOf } from './lot-stock.ts';

/** Movements that happen together or not at all. */
export interface MovementRequest {
  actorId: string;
  /** The day of all movements that state none. */
  effectiveOn?: string | null | undefined;
  movements: readonly Movement[];
}

export interface Refusal {
  /** Which movement of its request. */
  index: number;
  reason: RefusalReason;
  movement: Movement;
  /** Balance before the movement. */
  balance: Balance;
  /** On Hand of its lot at the location; 0 if it names none. */
  lotOnHand: Micro;
  /** Status of its lot; null if it names none. */
  lotStatus: LotStatus | null;
}

/** The entries in order of the movements; or every movement that stands in the way, and nothing happened. */
export type Outcome = { entries: LedgerEntry[]; refusals: null } | { entries: null; refusals: Refusal[] };

/** A position; one without entries has sequence 0 and no hash. */
export type Position = Omit<Stored<PositionRow>, 'hash'> & { readonly hash: Buffer | null };

export function positionKey({ itemId, locationId }: { itemId: string; locationId: string }): string {
  return itemId + locationId;
}

/** Decides one request after the other: each finds the balances as those before it leave them. */
export class MovementDecisions {
  /** All that are to be appended, in order of arrival. */
  readonly entries: LedgerEntry[] = [];
  /** The position that each of them leaves behind. */
  readonly after: Position[] = [];
  /** Lots that requests name must be loaded before these are decided (`load`). */
  readonly lots: LotStock;
  readonly holds = new LotHolds();
  /** The positions that change, by key, as they will be. */
  readonly changed = new Map<string, Position>();
  /** The costs that movements state, by the id of their entry. */
  readonly unitCosts = new Map<string, UnitCost>();
  readonly #workspaceId: string;
  readonly #positions: ReadonlyMap<string, Position>;
  readonly #recordedUs: bigint;
  readonly #archived: ReadonlySet<string>;
  /** Whether a position is in lots. */
  readonly #hasTracked: boolean;
  readonly #idOf: (ordinal: number) => string;

  /**
   * `positions` holds what exists of the positions that the requests name; a missing one is an empty one. `archived` are the keys of
   * those where nothing may be booked.
   */
  constructor(
    workspaceId: string,
    positions: ReadonlyMap<string, Position>,
    recordedUs: bigint,
    archived: ReadonlySet<string> = new Set(),
  ) {
    this.#archived = archived;
    this.#workspaceId = workspaceId;
    this.#positions = positions;
    this.#recordedUs = recordedUs;
    this.#hasTracked = positions.values().some(({ inLots }) => inLots !== null);
    this.lots = new LotStock(recordedUs);
    this.#idOf = entryIdsAt(recordedUs);
  }

  /** Reads the lots that movements name, and what reservations hold of them. */
  async load(tx: Tx, movements: readonly Movement[]): Promise<void> {
    await this.lots.load(tx, movements);
    if (!this.#hasTracked && !this.lots.hasTracked()) return;
    const tracked = movements.filter((movement) => this.balanceOf(movement).inLots !== null);
    if (tracked.length > 0) await this.holds.load(tx, tracked);
  }

  async decide({ actorId, movements, effectiveOn }: MovementRequest, slices: Slices): Promise<Outcome> {
    const [lots, holds] = [this.lots.begin(), this.holds.begin()];
    const { accepted, refusals } = judge(movements, { lots, holds }, this.#archived, (movement, key) =>
      this.#positionOf(movement, key),
    );
    if (refusals.length > 0) return { entries: null, refusals };
    lots.keep();
    holds.keep();
    const own: LedgerEntry[] = [];
    for (const one of accepted) {
      const { movement, key, deltas, isOwn } = one;
      if (slices.areDue) await slices.next();
      const before = this.#positionOf(movement, key);
      const day = movement.effectiveOn ?? effectiveOn ?? null;
      const ids = { id: this.#idOf(this.entries.length), recordedUs: this.#recordedUs, actorId };
      const entry = entryOf(this.#workspaceId, before, one, day, ids);
      this.entries.push(entry);
      if (movement.unitCost !== undefined) this.unitCosts.set(entry.id, movement.unitCost);
      const position = positionAfter(entry, before, inLotsAfter(before.inLots, movement, deltas));
      this.after.push(position);
      this.changed.set(key, position);
      if (isOwn) own.push(entry);
    }
    return { entries: own, refusals: null };
  }

  balanceOf(position: Pick<Movement, 'itemId' | 'locationId'>): Balance & Pick<Position, 'inLots'> {
    return this.#positionOf(position, positionKey(position));
  }

  #positionOf(movement: Pick<Movement, 'itemId' | 'locationId'>, key: string): Position {
    const position = this.changed.get(key) ?? this.#positions.get(key) ?? emptyPosition(movement);
    const inLots = this.lots.inLotsOf(position);
    return inLots === position.inLots ? position : { ...position, inLots };
  }
}

interface Accepted {
  movement: Movement;
  /** The key of its position: making one costs as much as a look-up. */
  key: string;
  deltas: Deltas;
  /** Whether the request wants it: movements that its lot entails, by a status or a hold, are not in the outcome. */
  isOwn: boolean;
}

/** A refused movement is passed over, so that the ones behind it are judged as well and all are named at once. */
function judge(
  movements: readonly Movement[],
  { lots, holds }: { lots: LotChanges; holds: HoldChanges },
  archived: ReadonlySet<string>,
  positionOf: (movement: Movement, key: string) => Position,
): { accepted: Accepted[]; refusals: Refusal[] } {
  const balances = new Map<string, Pick<Position, keyof Balance | 'inLots'>>();
  const accepted: Accepted[] = [];
  const refusals: Refusal[] = [];
  for (const [index, movement] of movements.entries()) {
    const key = positionKey(movement);
    const balance = balances.get(key) ?? positionOf(movement, key);
    const deltas = deltasOf(movement);
    const [lotOnHand, lotStatus] = [lots.onHandOf(movement), lots.statusOf(movement)];
    const ofStatus = statusMovementOf(movement, deltas, lots);
    const kept = ofStatus === null ? null : deltasOf(ofStatus);
    const before = kept === null ? balance : { ...balance, ...addDeltas(balance, kept) };
    const refused = archived.has(key)
      ? 'archived'
      : (refusalOf(movement, before, deltas) ?? lots.refusalOf(movement, deltas, before));
    const followed: Followed | null =
      refused !== null ? null : followHolds(movement, deltas, { lots, holds, lotOnHand, balance });
    const reason = refused ?? followed?.reason ?? null;
    if (reason !== null) refusals.push({ index, reason, movement, balance, lotOnHand, lotStatus });
    else {
      const entailed = (some: readonly Movement[]) =>
        some.map((one) => ({ movement: one, key: positionKey(one), deltas: deltasOf(one), isOwn: false }));
      const inLots = inLotsAfter(balance.inLots, movement, deltas);
      balances.set(key, { ...addDeltas(before, deltas), inLots });
      if (ofStatus !== null && kept !== null)
        accepted.push({ movement: ofStatus, key, deltas: kept, isOwn: false });
      if (followed?.reason === null) accepted.push(...entailed(followed.before));
      accepted.push({ movement, key, deltas, isOwn: true });
      if (followed?.reason === null) accepted.push(...entailed(followed.after));
    }
  }
  return { accepted, refusals };
}

/** Returns what the movement does to holds of lots; null for an item that is not tracked. */
function followHolds(
  movement: Movement,
  deltas: Deltas,
  {
    lots,
    holds,
    lotOnHand,
    balance,
  }: { lots: LotChanges; holds: HoldChanges; lotOnHand: Micro; balance: Pick<Position, 'inLots'> },
): Followed | null {
  const isHold = movement.type === 'LotHold';
  if (balance.inLots === null) return isHold ? { reason: 'notTracked' } : null;
  return holds.follow(movement, deltas, {
    onHand: lotOnHand,
    refusal: isHold ? lots.unusableReasonOf(movement) : null,
  });
}

function entryOf(
  workspaceId: string,
  before: Position,
  { movement, deltas }: Accepted,
  effectiveOn: string | null,
  { id, recordedUs, actorId }: Pick<LedgerEntry, 'id' | 'recordedUs' | 'actorId'>,
): LedgerEntry {
  const after = addDeltas(before, deltas);
  const { enteredQuantity, enteredUnit, coveredQuantity } = enteredFacts(movement);
  const entry: LedgerEntry & { hash: Buffer } = {
    id,
    itemId: movement.itemId,
    locationId: movement.locationId,
    sequence: before.sequence + 1n,
    recordedUs,
    movementType: movement.type,
    quantity: deltas.quantity,
    onHandDelta: deltas.onHand,
    reservedDelta: deltas.reserved,
    onOrderDelta: deltas.onOrder,
    onHandAfter: after.onHand,
    reservedAfter: after.reserved,
    onOrderAfter: after.onOrder,
    note: movement.note || null,
    lineId: movement.lineId ?? null,
    orderId: movement.orderId ?? null,
    requirementId: movement.requirementId ?? null,
    actorId,
    bookingId: movement.bookingId ?? null,
    reversesId: movement.reversesId ?? null,
    effectiveOn,
    reason: movement.reason ?? null,
    consume: movement.consume ?? null,
    itemRevision: movement.itemRevision ?? null,
    lot: movement.lot ?? null,
    enteredQuantity,
    enteredUnit,
    coveredQuantity,
    hash: NO_HASH,
  };
  entry.hash = hashEntry(workspaceId, before.hash, entry);
  return entry;
}

/** The position that an entry leaves behind. */
function positionAfter(entry: LedgerEntry, before: Position, inLots: Micro | null): Position {
  return {
    itemId: entry.itemId,
    locationId: entry.locationId,
    onHand: entry.onHandAfter,
    reserved: entry.reservedAfter,
    onOrder: entry.onOrderAfter,
    inLots,
    blocked: before.blocked + (entry.movementType === 'LotStatus' ? entry.quantity : 0n),
    sequence: entry.sequence,
    hash: entry.hash,
    updatedUs: entry.recordedUs,
  };
}

/** Returns a position without entries. */
export function emptyPosition(
  { itemId, locationId }: Pick<Movement, 'itemId' | 'locationId'>,
  inLots: Micro | null = null,
): Position {
  const balance = { onHand: 0n, reserved: 0n, onOrder: 0n, blocked: 0n };
  return { itemId, locationId, ...balance, inLots, sequence: 0n, hash: null, updatedUs: 0n };
}
