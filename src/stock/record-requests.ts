/**
 * The one writer of positions and ledger. Everything that moves stock ends here: locks in key order,
 * decisions in order of arrival, one statement that writes both.
 */
import type { Actor } from '../access/actor.ts';
import { type Tx, violatedConstraint } from '../db/transaction.ts';
import { decimalOf, microOfDecimal } from '../quantity.ts';
import {
  type Decided,
  decideMovements,
  type Outcome,
  type Position,
  positionKey,
} from './decide-movements.ts';
import type { Movement } from './movement.ts';
import { ensureActors, lockPositions, selectClock, writeMovements } from './record-requests.sql.ts';

/** Movements of one caller that happen together or not at all. */
export interface ActorRequest {
  actor: Actor;
  movements: readonly Movement[];
}

interface PositionRow {
  item_id: string;
  location_id: string;
  on_hand: string;
  reserved: string;
  on_order: string;
  sequence: string;
  hash: Buffer;
  updated_us: string;
  now_us: string;
}

/**
 * Decides each request on its own and writes those that can be; the outcomes stand in order of the requests.
 * The items and locations must exist. Locks the positions to the end of `tx`: a transaction that calls this
 * more than once may meet another crosswise, and is then run again by `inTransaction`.
 */
export async function recordRequests(tx: Tx, requests: readonly ActorRequest[]): Promise<Outcome[]> {
  const { workspaceId } = tx;
  if (workspaceId === null) throw new Error('Stock moves inside one workspace');
  const { positions, nowUs } = await lock(tx, workspaceId, requests);
  const wanted = requests.map(({ actor, movements }) => ({ actorId: actor.id, movements }));
  const recordedUs = timeAfter(positions.values(), nowUs);
  const decided = decideMovements(workspaceId, wanted, positions, recordedUs);
  if (decided.entries.length > 0) {
    await nameActors(tx, workspaceId, requests);
    await write(tx, workspaceId, positions, decided, recordedUs);
  }
  return decided.outcomes;
}

async function lock(
  tx: Tx,
  workspaceId: string,
  requests: readonly ActorRequest[],
): Promise<{ positions: Map<string, Position>; nowUs: bigint }> {
  const wanted = new Map<string, Movement>();
  for (const { movements } of requests) {
    for (const movement of movements) wanted.set(positionKey(movement), movement);
  }
  const keys = [...wanted].sort(byKey).map(([, movement]) => movement);
  const rows = await tx.queryPrepared<PositionRow>(lockPositions, [
    workspaceId,
    keys.map((key) => key.itemId),
    keys.map((key) => key.locationId),
  ]);
  const positions = new Map<string, Position>();
  for (const row of rows) {
    const position = positionOf(row);
    positions.set(positionKey(position), position);
  }
  const now = rows.at(-1)?.now_us ?? (await tx.query<{ now_us: string }>(selectClock))[0]?.now_us;
  return { positions, nowUs: BigInt(now ?? 0) };
}

function positionOf(row: PositionRow): Position {
  return {
    itemId: row.item_id,
    locationId: row.location_id,
    onHand: microOfDecimal(row.on_hand),
    reserved: microOfDecimal(row.reserved),
    onOrder: microOfDecimal(row.on_order),
    sequence: BigInt(row.sequence),
    hash: row.hash,
    updatedUs: BigInt(row.updated_us),
  };
}

/** Later than every entry of these positions, even where the clock was set back: time rises with sequence. */
function timeAfter(positions: Iterable<Position>, nowUs: bigint): bigint {
  let us = nowUs;
  for (const { updatedUs } of positions) if (updatedUs >= us) us = updatedUs + 1n;
  return us;
}

async function nameActors(tx: Tx, workspaceId: string, requests: readonly ActorRequest[]): Promise<void> {
  const actors = new Map(
    requests.filter(({ actor }) => actor.type !== 'apiKey').map(({ actor }) => [actor.id, actor]),
  );
  if (actors.size === 0) return;
  const rows = [...actors.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  await tx.query(ensureActors, [
    workspaceId,
    rows.map((actor) => actor.id),
    rows.map((actor) => actor.type),
    rows.map((actor) => actor.name),
  ]);
}

async function write(
  tx: Tx,
  workspaceId: string,
  before: ReadonlyMap<string, Position>,
  { entries, changed }: Decided,
  recordedUs: bigint,
): Promise<void> {
  const positions = [...changed].sort(byKey).map(([, position]) => position);
  const written = tx.queryPrepared<{ moved: number }>(writeMovements, [
    workspaceId,
    positions.map((position) => position.itemId),
    positions.map((position) => position.locationId),
    positions.map((position) => position.sequence.toString()),
    positions.map((position) => decimalOf(position.onHand)),
    positions.map((position) => decimalOf(position.reserved)),
    positions.map((position) => decimalOf(position.onOrder)),
    positions.map((position) => bytea(position.hash)),
    recordedUs.toString(),
    entries.map((entry) => entry.id),
    entries.map((entry) => entry.itemId),
    entries.map((entry) => entry.locationId),
    entries.map((entry) => entry.sequence.toString()),
    entries.map((entry) => entry.movementType),
    entries.map((entry) => decimalOf(entry.quantity)),
    entries.map((entry) => decimalOf(entry.onHandDelta)),
    entries.map((entry) => decimalOf(entry.reservedDelta)),
    entries.map((entry) => decimalOf(entry.onOrderDelta)),
    entries.map((entry) => decimalOf(entry.onHandAfter)),
    entries.map((entry) => decimalOf(entry.reservedAfter)),
    entries.map((entry) => decimalOf(entry.onOrderAfter)),
    entries.map((entry) => entry.note),
    entries.map((entry) => entry.lineId),
    entries.map((entry) => entry.orderId),
    entries.map((entry) => entry.requirementId),
    entries.map((entry) => entry.actorId),
    entries.map((entry) => bytea(entry.hash)),
  ]);
  let moved: number | undefined;
  try {
    moved = (await written)[0]?.moved;
  } catch (error) {
    if (violatedConstraint(error) !== 'stock_ledger_pkey') throw error;
  }
  if (moved === positions.length) return;
  if ([...changed.keys()].every((key) => before.has(key)))
    throw new Error('A locked position changed under its lock');
  throw new PositionAppeared();
}

/** Ids are lowercase text of one length, so this is the order of the primary key. */
function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}

function bytea(hash: Buffer | null): string {
  return `\\x${hash?.toString('hex') ?? ''}`;
}

/**
 * Another transaction made a position that was not there to be locked. As a serialization failure by its
 * SQLSTATE it runs the whole transaction again, which then finds the position. Waiting for the lock here
 * instead would break the lock order.
 */
class PositionAppeared extends Error {
  override name = 'PositionAppeared';
  readonly code = '40001';
}
