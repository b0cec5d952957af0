/**
 * Decides movements on locked positions: pure, in slices, in order of arrival, each request on its own. A refusal is a
 * result and leaves no trace on the balances that later requests see.
 */
import type { Stored } from '../../db/mapped-columns.ts';
import type { Slices } from '../../fairness/slices.ts';
import type { PositionRow } from '../entries/ledger.entity.ts';
import { entryIdsAt, hashEntry, type LedgerEntry } from '../entries/ledger-entry.ts';
import {
  addDeltas,
  type Balance,
  type Deltas,
  deltasOf,
  type Movement,
  type RefusalReason,
  refusalOf,
} from '../entries/movement.ts';

/** Movements that happen together or not at all. */
export interface MovementRequest {
  actorId: string;
  movements: readonly Movement[];
}

export interface Refusal {
  /** Which movement of its request. */
  index: number;
  reason: RefusalReason;
  movement: Movement;
  /** Balance before the movement. */
  balance: Balance;
}

/** The entries in order of the movements; or every movement that stands in the way, and nothing happened. */
export type Outcome = { entries: LedgerEntry[]; refusals: null } | { entries: null; refusals: Refusal[] };

/** A position; one without entries has sequence 0 and no hash. */
export type Position = Omit<Stored<PositionRow>, 'hash'> & { readonly hash: Buffer | null };

export interface Decided {
  outcomes: Outcome[];
  /** All that are to be appended, in order of arrival. */
  entries: LedgerEntry[];
  /** The positions that change, by key, as they will be. */
  changed: Map<string, Position>;
}

export function positionKey({ itemId, locationId }: { itemId: string; locationId: string }): string {
  return itemId + locationId;
}

/** Decides one request after the other: each finds the balances as those before it leave them. */
export class MovementDecisions implements Omit<Decided, 'outcomes'> {
  readonly entries: LedgerEntry[] = [];
  readonly changed = new Map<string, Position>();
  readonly #workspaceId: string;
  readonly #positions: ReadonlyMap<string, Position>;
  readonly #recordedUs: bigint;
  readonly #idOf: (ordinal: number) => string;

  /** `positions` holds what exists of the positions that the requests name; a missing one is an empty one. */
  constructor(workspaceId: string, positions: ReadonlyMap<string, Position>, recordedUs: bigint) {
    this.#workspaceId = workspaceId;
    this.#positions = positions;
    this.#recordedUs = recordedUs;
    this.#idOf = entryIdsAt(recordedUs);
  }

  async decide({ actorId, movements }: MovementRequest, slices: Slices): Promise<Outcome> {
    const { accepted, refusals } = judge(movements, (movement) => this.#positionOf(movement));
    if (refusals.length > 0) return { entries: null, refusals };
    const own: LedgerEntry[] = [];
    for (const { movement, deltas } of accepted) {
      if (slices.areDue) await slices.next();
      const entry = entryOf(
        this.#workspaceId,
        this.#positionOf(movement),
        { movement, deltas },
        { id: this.#idOf(this.entries.length), recordedUs: this.#recordedUs, actorId },
      );
      this.entries.push(entry);
      this.changed.set(positionKey(movement), positionAfter(entry));
      own.push(entry);
    }
    return { entries: own, refusals: null };
  }

  balanceOf(position: Pick<Movement, 'itemId' | 'locationId'>): Balance {
    return this.#positionOf(position);
  }

  #positionOf(movement: Pick<Movement, 'itemId' | 'locationId'>): Position {
    const key = positionKey(movement);
    return this.changed.get(key) ?? this.#positions.get(key) ?? emptyPosition(movement);
  }
}

/** Decides requests that are all known beforehand. */
export async function decideMovements(
  workspaceId: string,
  requests: readonly MovementRequest[],
  positions: ReadonlyMap<string, Position>,
  recordedUs: bigint,
  slices: Slices,
): Promise<Decided> {
  const decisions = new MovementDecisions(workspaceId, positions, recordedUs);
  const outcomes: Outcome[] = [];
  for (const request of requests) outcomes.push(await decisions.decide(request, slices));
  return { outcomes, entries: decisions.entries, changed: decisions.changed };
}

interface Accepted {
  movement: Movement;
  deltas: Deltas;
}

/** A refused movement is passed over, so that the ones behind it are judged as well and all are named at once. */
function judge(
  movements: readonly Movement[],
  positionOf: (movement: Movement) => Balance,
): { accepted: Accepted[]; refusals: Refusal[] } {
  const balances = new Map<string, Balance>();
  const accepted: Accepted[] = [];
  const refusals: Refusal[] = [];
  for (const [index, movement] of movements.entries()) {
    const key = positionKey(movement);
    const balance = balances.get(key) ?? positionOf(movement);
    const deltas = deltasOf(movement);
    const reason = refusalOf(movement, balance, deltas);
    if (reason !== null) refusals.push({ index, reason, movement, balance });
    else {
      balances.set(key, addDeltas(balance, deltas));
      accepted.push({ movement, deltas });
    }
  }
  return { accepted, refusals };
}

function entryOf(
  workspaceId: string,
  before: Position,
  { movement, deltas }: Accepted,
  { id, recordedUs, actorId }: Pick<LedgerEntry, 'id' | 'recordedUs' | 'actorId'>,
): LedgerEntry {
  const after = addDeltas(before, deltas);
  const entry: Omit<LedgerEntry, 'hash'> = {
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
    effectiveOn: movement.effectiveOn ?? null,
    reason: movement.reason ?? null,
    consume: movement.consume ?? null,
    itemRevision: movement.itemRevision ?? null,
  };
  return { ...entry, hash: hashEntry(workspaceId, before.hash, entry) };
}

/** The position that an entry leaves behind. */
export function positionAfter(entry: LedgerEntry): Position {
  return {
    itemId: entry.itemId,
    locationId: entry.locationId,
    onHand: entry.onHandAfter,
    reserved: entry.reservedAfter,
    onOrder: entry.onOrderAfter,
    sequence: entry.sequence,
    hash: entry.hash,
    updatedUs: entry.recordedUs,
  };
}

function emptyPosition({ itemId, locationId }: Pick<Movement, 'itemId' | 'locationId'>): Position {
  return {
    itemId,
    locationId,
    onHand: 0n,
    reserved: 0n,
    onOrder: 0n,
    sequence: 0n,
    hash: null,
    updatedUs: 0n,
  };
}
