/**
 * The one writer of positions and ledger. Everything that moves stock ends here: locks in key order,
 * decisions in order of arrival, one statement that writes both.
 */
import type { Actor } from '../../actor.ts';
import type { Costing } from '../../configuration/stock-settings/stock-settings.ts';
import type { Db } from '../../db/connect.ts';
import { type MappedColumn, mappedColumns } from '../../db/mapped-columns.ts';
import { type Tx, violatedConstraint } from '../../db/transaction.ts';
import { Slices } from '../../fairness/slices.ts';
import { microOfDecimal } from '../../quantity.ts';
import { ledgerAhead, ledgerWritten } from '../../telemetry/signals.ts';
import { costingOf } from '../costs/costing.ts';
import { recordCosts } from '../costs/record-costs.ts';
import { LedgerRow, PositionRow } from '../entries/ledger.entity.ts';
import type { LedgerEntry } from '../entries/ledger-entry.ts';
import type { Balance, Movement } from '../entries/movement.ts';
import { gatherEntries, type Heard } from '../events/gather-changes.ts';
import {
  emptyPosition,
  MovementDecisions,
  type Outcome,
  type Position,
  positionKey,
} from './decide-movements.ts';
import type { LotKind } from './lot-stock.ts';
import { nameActors } from './name-actors.ts';
import { lockPositions, selectClock, selectNamedPositions, writeMovements } from './record-requests.sql.ts';
import { AT_ONCE, PositionAppeared, writeLots } from './write-lots.ts';

/** Movements of one caller that happen together or not at all. */
export interface ActorRequest {
  actor: Actor;
  movements: readonly Movement[];
  /** The day on which it happened; absent or null: the day of recording. */
  effectiveOn?: string | null | undefined;
}

export interface LockedRow {
  item_id: string;
  location_id: string;
  on_hand: string;
  reserved: string;
  on_order: string;
  in_lots: string | null;
  blocked: string;
  /** The position; null if there is none. */
  sequence: string | null;
  hash: Buffer;
  updated_us: string;
  now_us: string;
  /** These are true or null. */
  moves_heard: true | null;
  orders_heard: true | null;
  /** How the item is tracked; only where there is no position. */
  tracking: LotKind | null;
  is_archived: true | null;
  costing: string | null;
}

type Clock = Pick<LockedRow, 'now_us' | 'moves_heard' | 'orders_heard' | 'costing'>;

/** Positions that are locked to the end of the transaction, and the server's clock. */
export interface LockedPositions {
  /** Existing positions, by key. */
  positions: ReadonlyMap<string, Position>;
  nowUs: bigint;
  heard: Heard;
  /** Keys of positions without stock whose item or location is archived: nothing may be booked there. */
  archived: ReadonlySet<string>;
  /** How the workspace values its stock; null: not at all. */
  costing: Costing | null;
}

/**
 * Decides each request on its own and writes those that can be; the outcomes stand in order of the requests.
 * The items and locations must exist. Locks the positions to the end of `tx`, unless they come as `locked`: a
 * transaction that calls this more than once may meet another crosswise, and is then run again by `inTransaction`.
 */
export async function recordRequests(
  tx: Tx,
  requests: readonly ActorRequest[],
  locked?: LockedPositions,
): Promise<Outcome[]> {
  const recording = await startRecording(
    tx,
    locked ??
      (await openPositions(
        tx,
        requests.flatMap(({ movements }) => movements),
      )),
  );
  const outcomes: Outcome[] = [];
  for (const request of requests) outcomes.push(await recording.decide(request));
  await recording.write();
  return outcomes;
}

/** Requests that are decided one by one, because what comes of one says what the next wants, and are written together. */
export interface Recording {
  /** When all of it is recorded, to the millisecond. */
  readonly recordedAt: Date;
  /** The balance of a position as the requests so far leave it. */
  balanceOf(position: Pick<Movement, 'itemId' | 'locationId'>): Balance;
  /** Returns the movements of goods that are available afterwards: those whose lots no status keeps from use. */
  available(movements: readonly Movement[]): Promise<readonly Movement[]>;
  decide(request: ActorRequest): Promise<Outcome>;
  /** Sends what was decided with the commit. To be called once, at the end. */
  write(): Promise<void>;
}

export async function startRecording(
  tx: Tx,
  { positions, nowUs, heard, archived, costing }: LockedPositions,
): Promise<Recording> {
  const { workspaceId } = tx;
  if (workspaceId === null) throw new Error('Stock moves inside one workspace');
  const slices = new Slices(tx.gone);
  // Reading thousands of positions was a turn of its own.
  if (positions.size > AT_ONCE) await slices.next();
  const recordedUs = timeAfter(positions.values(), nowUs);
  const decisions = new MovementDecisions(workspaceId, positions, recordedUs, archived);
  const actors = new Map<string, Actor>();
  return {
    recordedAt: new Date(Number(recordedUs / 1000n)),
    balanceOf: (position) => decisions.balanceOf(position),
    available: (movements) => decisions.lots.available(tx, movements),
    decide: async ({ actor, movements, effectiveOn }) => {
      if (actor.type !== 'apiKey' && actor.type !== 'member') actors.set(actor.id, actor);
      await decisions.load(tx, movements);
      return decisions.decide({ actorId: actor.id, movements, effectiveOn }, slices);
    },
    write: async () => {
      if (decisions.entries.length === 0) return;
      nameActors(tx, actors);
      ledgerWritten.send(() => ({ entries: decisions.entries.length }));
      ledgerAhead.send(() => ({ seconds: Number(recordedUs - nowUs) / 1e6 }));
      // What others took or brought before is read without the entries that are about to be written.
      if (costing !== null) await recordCosts(tx, costing, decisions.entries, decisions.unitCosts, slices);
      for (const portion of portionsOf(decisions)) {
        if (slices.areDue) await slices.next();
        tx.withCommit(write(tx, portion));
      }
      gatherEntries(tx, heard, decisions.entries);
      writeLots(tx, decisions, recordedUs);
    },
  };
}

/** Locks positions, of which each may be named more than once. */
export async function openPositions(
  tx: Tx,
  named: Iterable<Pick<Movement, 'itemId' | 'locationId'>>,
): Promise<LockedPositions> {
  const wanted = new Map(Array.from(named, (position) => [positionKey(position), position]));
  const keys = [...wanted].sort(byKey).map(([, position]) => position);
  return lockedBy(
    tx,
    tx.queryPrepared<LockedRow>(lockPositions, [
      tx.workspaceId,
      arrayOf(keys.map((key) => key.itemId)),
      arrayOf(keys.map((key) => key.locationId)),
    ]),
  );
}

/** Reads positions without locks. */
export function readPositions(
  tx: Tx,
  named: readonly Pick<Movement, 'itemId' | 'locationId'>[],
): Promise<LockedPositions> {
  const reading = tx.query<LockedRow>(selectNamedPositions, [
    tx.workspaceId,
    arrayOf(named.map((key) => key.itemId)),
    arrayOf(named.map((key) => key.locationId)),
  ]);
  return lockedBy(tx, reading);
}

/** Returns what a statement of `lockPositionsOf` has locked. */
export async function lockedBy(tx: Tx, locking: Promise<LockedRow[]>): Promise<LockedPositions> {
  const rows = await locking;
  const positions = new Map<string, Position>();
  const archived = new Set<string>();
  for (const row of rows) {
    if (row.is_archived === true)
      archived.add(positionKey({ itemId: row.item_id, locationId: row.location_id }));
    const position = positionOf(row);
    if (position !== null) positions.set(positionKey(position), position);
  }
  const [read] = rows.length > 0 ? rows.slice(-1) : await tx.query<Clock>(selectClock, [tx.workspaceId]);
  const heard = { moves: read?.moves_heard === true, orders: read?.orders_heard === true };
  return {
    positions,
    nowUs: BigInt(read?.now_us ?? 0),
    heard,
    archived,
    costing: costingOf(read?.costing),
  };
}

/** Returns null where there is no position of an item that is not tracked. */
function positionOf(row: LockedRow): Position | null {
  const { sequence, in_lots: inLots } = row;
  if (sequence === null)
    return row.tracking === null
      ? null
      : emptyPosition({ itemId: row.item_id, locationId: row.location_id }, 0n);
  return {
    itemId: row.item_id,
    locationId: row.location_id,
    onHand: microOfDecimal(row.on_hand),
    reserved: microOfDecimal(row.reserved),
    onOrder: microOfDecimal(row.on_order),
    inLots: inLots === null ? null : microOfDecimal(inLots),
    blocked: microOfDecimal(row.blocked),
    sequence: BigInt(sequence),
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

/** Yields portions of entries for one statement each, in order, with the positions after each portion. */
function* portionsOf({ entries, after, changed }: Portion): Generator<Portion> {
  if (entries.length <= AT_ONCE) yield { entries, after, changed };
  else {
    for (let from = 0; from < entries.length; from += AT_ONCE) {
      const some = entries.slice(from, from + AT_ONCE);
      const left = after.slice(from, from + AT_ONCE);
      yield {
        entries: some,
        after: left,
        changed: new Map(left.map((position) => [positionKey(position), position])),
      };
    }
  }
}

type Portion = Pick<MovementDecisions, 'entries' | 'after' | 'changed'>;

async function write(tx: Tx, { entries, changed }: Portion): Promise<void> {
  const positions = [...changed].sort(byKey).map(([, position]) => position);
  const { statement, ofPosition, ofEntry } = writerOf(tx);
  try {
    await tx.queryPrepared(statement, [
      tx.workspaceId,
      ...ofPosition.map((column) => column.arrayOf(positions)),
      ...ofEntry.map((column) => column.arrayOf(entries)),
    ]);
  } catch (error) {
    throw violatedConstraint(error) === 'stock_ledger_pkey' ? new PositionAppeared() : error;
  }
}

interface Writer {
  statement: string;
  ofPosition: readonly MappedColumn<Position>[];
  ofEntry: readonly MappedColumn<LedgerEntry>[];
}

/** The statement and its parameters, made once from the mapping of a process. */
const writers = new WeakMap<Db, Writer>();

function writerOf(tx: Tx): Writer {
  const known = writers.get(tx.db);
  if (known !== undefined) return known;
  const ofPosition = mappedColumns<Position>(tx, PositionRow);
  const ofEntry = mappedColumns<LedgerEntry>(tx, LedgerRow);
  const writer = { statement: writeMovements(ofPosition, ofEntry), ofPosition, ofEntry };
  writers.set(tx.db, writer);
  return writer;
}

/** Ids are lowercase text of one length, so this is the order of the primary key. */
function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** An array in PostgreSQL's text form, of texts that need no quotes: the driver's own looks at each character. */
function arrayOf(texts: readonly (string | null)[]): string {
  return `{${texts.map((text) => text ?? 'null').join()}}`;
}
