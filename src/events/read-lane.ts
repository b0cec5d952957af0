/**
 * Reads the outbox of a workspace, in order, for one reader: automations, webhooks or the inbox of members. Each reader has its own mark in every row of the
 * outbox (`READER_done`, `READER_next`) and one lane per workspace, a row of `event_lane`. The turn of a lane counts its reads.
 *
 * | state of a lane | in PostgreSQL                                   | next state                                                        |
 * |-----------------|-------------------------------------------------|-------------------------------------------------------------------|
 * | idle            | no unread row                                   | an event is recorded: due                                         |
 * | due             | unread rows, `announced_at` is null             | the relay announces turn n (relay-events.ts): announced           |
 * | announced       | unread rows, `announced_at` is set              | a job of turn n locks the lane: read                              |
 * |                 |                                                 | no job within EVENT_HEAL_SECONDS: the relay announces n again     |
 * | read            | the lane is locked; others skip it              | commits, nothing is left: idle, turn n + 1                        |
 * |                 |                                                 | commits, rows are left: announced, turn n + 1                     |
 * |                 |                                                 | fails: due, turn n, `failures` + 1                                |
 * | careful         | `careful` > 0: so many reads of one run each;   | `failures` reach FAILURES_MAX again: the first run is given up;   |
 * |                 | begins when `failures` reach FAILURES_MAX       | ends when `careful` reads have succeeded                          |
 * | paused          | a row of `operator_pause`                       | the operator resumes: due                                         |
 *
 * A job whose turn is not that of the lane does nothing, so it does not matter how often a turn is announced. What a read writes commits
 * together with how far it has read. A read that fails because a server is away is not counted: the queue repeats its job.
 */
import type { Logger } from 'pino';
import type { Db } from '../db/connect.ts';
import { isServerAway } from '../db/server-away.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import {
  anyUnread,
  failLane,
  type Lane,
  markMember,
  markPart,
  markRead,
  passLane,
  type Reader,
  selectUnread,
  takeLane,
} from './outbox.sql.ts';

/** A row of the outbox: events of one kind, recorded together. */
export interface OutboxRow {
  id: string;
  context_type: number;
  events: Buffer;
  event_count: number;
  depth: number;
  cause_run_id: string | null;
  /** The row that its chain began with: itself where no script caused it. */
  root_id: string;
  target_run_id: string | null;
  recorded_at: string;
  /** The trace of the cause; null if it was not traced. */
  traceparent: string | null;
  /** The member, or key, that caused the events; null where that is unknown. */
  actor_id: string | null;
  /** The first event that the reader has not read. */
  next: number;
  /** Only of the inbox: the last member who was notified of the events that begin with `next`. */
  after?: string | null;
}

/** The first event that is still to be read. */
export interface Position {
  row: OutboxRow;
  index: number;
  /** The inbox alone: see `OutboxRow`. */
  after?: string | null;
}

export interface LaneReader {
  db: Db;
  log: Logger;
  reader: Reader;
  /** Rows of the outbox that one turn looks at. */
  rowsMax: number;
  transaction?: Parameters<typeof inTransaction>[3];
  /**
   * Gives up the first event of these rows, whose handling failed with this error, and returns where reading goes on. Without it a
   * failed turn is repeated by its job alone.
   */
  giveUp?(tx: Tx, rows: readonly OutboxRow[], error: unknown): Promise<Position | null>;
}

export interface TurnRef {
  workspaceId: string;
  turn: string;
}

/** The outcome of handling some rows. */
export interface Portion<T> {
  /** The position at which the next turn goes on; null if all rows are read. */
  next: Position | null;
  /** See `Lane`. */
  slow: boolean | null;
  answer: T;
}

export interface ReadTurn<T> extends Omit<Portion<T>, 'next'> {
  /** The next turn, which the caller announces; null if nothing is left. */
  turn: string | null;
}

/** Turns that failed for no reason that passes; then runs are made one by one, so that the bad one is found. */
const FAILURES_MAX = 3;
const CAREFUL_READS = 256;

/** Takes the turn and handles its rows. Returns null if the turn is not due, another job has it, or it failed. */
export async function readLane<T>(
  lanes: LaneReader,
  ref: TurnRef,
  handle: (tx: Tx, rows: OutboxRow[], lane: Lane) => Promise<Portion<T>>,
): Promise<ReadTurn<T> | null> {
  const { db, reader, rowsMax } = lanes;
  const taken: { lane: Lane | null } = { lane: null };
  const work = async (tx: Tx): Promise<ReadTurn<T> | null> => {
    const [lane] = await tx.query<Lane>(takeLane, [ref.workspaceId, reader, ref.turn]);
    taken.lane = lane ?? null;
    if (lane === undefined) return null;
    const rows = await tx.query<OutboxRow>(selectUnread(reader), [tx.workspaceId, rowsMax]);
    const { next, slow, answer } = await handle(tx, rows, lane);
    await markPosition(tx, reader, rows, next);
    const [left] = await tx.query<{ any: boolean }>(anyUnread(reader), [tx.workspaceId]);
    const goesOn = left?.any === true;
    const careful = Math.max(0, lane.careful - 1);
    const params = [tx.workspaceId, reader, goesOn, slow, 0, careful];
    const [passed] = await tx.query<{ turn: string }>(passLane, params);
    return { turn: goesOn ? String(passed?.turn) : null, slow, answer };
  };
  try {
    return await inTransaction(db, { workspaceId: ref.workspaceId }, work, lanes.transaction);
  } catch (error) {
    if (lanes.giveUp === undefined || taken.lane === null || isServerAway(error)) throw error;
    await noteFailure(lanes, ref, taken.lane, error);
    return null;
  }
}

async function markPosition(
  tx: Tx,
  reader: Reader,
  rows: readonly OutboxRow[],
  next: Position | null,
): Promise<void> {
  const at = next === null ? rows.length : rows.indexOf(next.row);
  const read = rows.slice(0, at).map((row) => row.id);
  if (read.length > 0) await tx.query(markRead(reader), [tx.workspaceId, read]);
  if (next === null) return;
  if (reader === 'inbox')
    await tx.query(markMember, [tx.workspaceId, next.row.id, next.index, next.after ?? null]);
  else if (next.index > next.row.next)
    await tx.query(markPart(reader), [tx.workspaceId, next.row.id, next.index]);
}

/**
 * Notes a turn that failed although the servers are there: it is tried again, then run by run. The run that fails alone again and again
 * is given up, so that those behind it have their turn.
 */
async function noteFailure(
  { db, log, reader, rowsMax, giveUp }: LaneReader,
  { workspaceId, turn }: TurnRef,
  lane: Lane,
  error: unknown,
): Promise<void> {
  const failures = lane.failures + 1;
  log.error({ workspaceId, failures, careful: lane.careful > 0, err: error }, 'a turn at events failed');
  await inTransaction(db, { workspaceId }, async (tx) => {
    const fail = (count: number, careful: number) =>
      tx.query(failLane, [workspaceId, reader, turn, count, careful]);
    if (failures < FAILURES_MAX) return fail(failures, lane.careful);
    if (lane.careful === 0) return fail(0, CAREFUL_READS);
    const [held] = await tx.query<Lane>(takeLane, [workspaceId, reader, turn]);
    if (held !== undefined && giveUp !== undefined) {
      const rows = await tx.query<OutboxRow>(selectUnread(reader), [workspaceId, rowsMax]);
      await markPosition(tx, reader, rows, await giveUp(tx, rows, error));
    }
    return fail(0, 0);
  });
}
