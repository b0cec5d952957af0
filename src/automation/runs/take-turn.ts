/**
 * The handlers of `automation.turn` and `automation.slowTurn`: one workspace's turn at its events. All state is
 * in PostgreSQL, and the lane's lock admits one turn at a time: events of a workspace are handled in their
 * order. What a turn does commits as a whole: the runs' writes, their rows, how far the outbox is read.
 */
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import { isServerAway } from '../../db/server-away.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import {
  anyUnread,
  failLane,
  type Lane,
  markPart,
  markRead,
  passLane,
  selectUnread,
  takeLane,
} from '../../events/outbox.sql.ts';
import type { CostAccounts } from '../../fairness/cost-accounts.ts';
import { pauseBehind } from '../../fairness/fair-share.ts';
import type { Queues } from '../../queue/queues.ts';
import type { ScriptPool } from '../conductor/script-pool.ts';
import { hostError } from '../sandbox/script-result.ts';
import { SCRIPT_LOCK_TIMEOUT_MS } from './open-script-calls.ts';
import { performRuns, withoutRun } from './perform-runs.ts';
import { type DueRun, type OutboxRow, planRuns } from './plan-runs.ts';
import { dropQueued } from './run.sql.ts';
import { saveRuns } from './save-runs.ts';

export interface AutomationWorker {
  config: Config;
  log: Logger;
  db: Db;
  queues: Queues;
  scripts: ScriptPool;
  costs: CostAccounts;
}

export interface TurnRef {
  workspaceId: string;
  turn: string;
}

const READER = 'automation';
/** Rows of the outbox that one turn looks at. */
const ROWS_MAX = 50;
/** A turn begins with this many runs, because it is unknown how long they take. */
const FIRST_RUNS = 1;
/** A workspace whose runs take longer than that on average waits with its like, and not with the quick ones. */
const SLOW_RUN_MS = 40;
/** Turns that failed for no reason that passes; then runs are made singly, so that the bad one is found. */
const FAILURES_MAX = 3;
const CAREFUL_RUNS = 256;
/** A priority behind every job without one. */
const SLOW_PRIORITY = 10;

interface Passed {
  next: string | null;
  slow: boolean | null;
  /** The CPU time of the turn's scripts. */
  cpuMs: number;
}

export async function takeTurn(worker: AutomationWorker, ref: TurnRef): Promise<void> {
  const { costs } = worker;
  const pauseMs = pauseBehind();
  const taken: { lane: Lane | null } = { lane: null };
  let passed: Passed | null;
  try {
    const work = async (tx: Tx) => {
      const [lane] = await tx.query<Lane>(takeLane, [ref.workspaceId, READER, ref.turn]);
      taken.lane = lane ?? null;
      return lane === undefined ? null : makeTurn(worker, tx, lane);
    };
    const options = { runsScripts: true, lockTimeoutMs: SCRIPT_LOCK_TIMEOUT_MS };
    passed = await inTransaction(worker.db, { workspaceId: ref.workspaceId }, work, options);
  } catch (error) {
    if (taken.lane === null || isServerAway(error)) throw error;
    return noteFailure(worker, ref, taken.lane, error);
  }
  costs.charge(ref.workspaceId, passed?.cpuMs ?? 0);
  if (passed?.next == null) return;
  const times = costs.pauseTimes(ref.workspaceId);
  const delayMs = pauseMs(times);
  // More is there to be done.
  costs.missedBehind(ref.workspaceId, times)();
  await announceTurn(worker.queues, { ...ref, turn: passed.next }, passed.slow, delayMs);
}

/** Announces quick workspaces in a queue of their own; among the others, those of unknown speed go first. */
export async function announceTurn(
  queues: Queues,
  ref: TurnRef,
  slow: boolean | null,
  delayMs = 0,
): Promise<void> {
  const delayed = delayMs > 0 ? { delayMs } : {};
  const priority = slow === true ? { priority: SLOW_PRIORITY } : {};
  await queues.announce(slow === false ? 'automation.turn' : 'automation.slowTurn', ref, {
    ...delayed,
    ...priority,
  });
}

async function makeTurn(worker: AutomationWorker, tx: Tx, lane: Lane): Promise<Passed> {
  const { config } = worker;
  const rows = await tx.query<OutboxRow>(selectUnread(READER), [tx.workspaceId, ROWS_MAX]);
  const { runs, chains, orphans } = await planRuns(tx, rows);
  if (orphans.length > 0) await dropOrphans(tx, orphans);
  const careful = lane.careful > 0;
  const done = await performRuns(tx, { runs, chains }, worker, {
    ms: config.AUTOMATION_TURN_MS,
    runs: careful ? 1 : config.AUTOMATION_TURN_RUNS,
    firstRuns: FIRST_RUNS,
  });
  await markPosition(tx, rows, done.next);
  const slow = done.runs === 0 ? lane.slow : done.scriptMs / done.runs > SLOW_RUN_MS;
  const passed = await passOn(tx, { slow, failures: 0, careful: careful ? lane.careful - 1 : 0 });
  return { ...passed, cpuMs: done.cpuMs };
}

/** How far the rows are read: up to the event of the next run, or to their end. */
async function markPosition(tx: Tx, rows: readonly OutboxRow[], next: DueRun | null): Promise<void> {
  const at = next === null ? rows.length : rows.indexOf(next.row);
  const read = rows.slice(0, at).map((row) => row.id);
  if (read.length > 0) await tx.query(markRead(READER), [tx.workspaceId, read]);
  if (next !== null && next.index > next.row.next) {
    await tx.query(markPart(READER), [tx.workspaceId, next.row.id, next.index]);
  }
}

async function passOn(tx: Tx, { slow, failures, careful }: Lane): Promise<Omit<Passed, 'cpuMs'>> {
  const [left] = await tx.query<{ any: boolean }>(anyUnread(READER), [tx.workspaceId]);
  const goesOn = left?.any === true;
  const params = [tx.workspaceId, READER, goesOn, slow, failures, careful];
  const [lane] = await tx.query<{ turn: string }>(passLane, params);
  return { next: goesOn ? String(lane?.turn) : null, slow };
}

async function dropOrphans(tx: Tx, orphans: readonly string[]): Promise<void> {
  const error = hostError('AutomationGoneError', 'The automation was deleted before its turn came.');
  await tx.query(dropQueued, [tx.workspaceId, orphans, JSON.stringify(error)]);
}

/**
 * A turn that failed, though the servers are there: it is tried again; then run by run; and the run that fails
 * alone again and again ends as failed, so that those behind it have their turn.
 */
async function noteFailure(
  worker: AutomationWorker,
  { workspaceId, turn }: TurnRef,
  lane: Lane,
  error: unknown,
): Promise<void> {
  const failures = lane.failures + 1;
  worker.log.error(
    { workspaceId, failures, careful: lane.careful > 0, err: error },
    'a turn at events failed',
  );
  await inTransaction(worker.db, { workspaceId }, async (tx) => {
    if (failures < FAILURES_MAX) {
      await tx.query(failLane, [workspaceId, READER, turn, failures, lane.careful]);
    } else if (lane.careful === 0) {
      await tx.query(failLane, [workspaceId, READER, turn, 0, CAREFUL_RUNS]);
    } else {
      const [held] = await tx.query<Lane>(takeLane, [workspaceId, READER, turn]);
      if (held !== undefined) await giveUp(tx, error);
      await tx.query(failLane, [workspaceId, READER, turn, 0, 0]);
    }
  });
}

async function giveUp(tx: Tx, error: unknown): Promise<void> {
  const rows = await tx.query<OutboxRow>(selectUnread(READER), [tx.workspaceId, ROWS_MAX]);
  const { runs: due } = await planRuns(tx, rows);
  const run = due.next();
  if (run.done === true) return markPosition(tx, rows, null);
  const name = error instanceof Error ? error.name : 'Error';
  const message = `The service could not make this run (${name}). Its operators find the reason in the log.`;
  await saveRuns(tx, [withoutRun(run.value, hostError('ServiceError', message))], { ifNew: true });
  const next = due.next();
  await markPosition(tx, rows, next.done === true ? null : next.value);
}
