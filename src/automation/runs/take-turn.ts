/**
 * The handlers of `automation.turn` and `automation.slowTurn`: one workspace's turn at its events (src/events/read-lane.ts). The runs'
 * writes, their rows and how far the outbox is read commit together.
 */
import type { Logger } from 'pino';
import type { Db } from '../../db/connect.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Lane } from '../../events/outbox.sql.ts';
import {
  type OutboxRow,
  type Portion,
  type Position,
  readLane,
  type TurnRef,
} from '../../events/read-lane.ts';
import type { CostAccounts } from '../../fairness/cost-accounts.ts';
import { pauseBehind } from '../../fairness/fair-share.ts';
import type { Queues } from '../../queue/queues.ts';
import { hostError } from '../sandbox/script-result.ts';
import { SCRIPT_LOCK_TIMEOUT_MS } from './open-script-calls.ts';
import { performRuns, type RunsWorker, withoutRun } from './perform-runs.ts';
import { planRuns } from './plan-runs.ts';
import { dropQueued } from './run.sql.ts';
import { saveRuns } from './save-runs.ts';

export interface AutomationWorker extends RunsWorker {
  log: Logger;
  db: Db;
  queues: Queues;
  costs: CostAccounts;
}

/** Rows of the outbox that one turn looks at. */
const ROWS_MAX = 50;
/** A turn begins with this many runs, because it is unknown how long they take. */
const FIRST_RUNS = 1;
/** A workspace whose runs take longer than that on average waits with its like, and not with the quick ones. */
const SLOW_RUN_MS = 40;
/** A priority behind every job without one. */
const SLOW_PRIORITY = 10;

export async function takeTurn(worker: AutomationWorker, ref: TurnRef): Promise<void> {
  const { db, log, costs } = worker;
  const pauseMs = pauseBehind();
  const transaction = { runsScripts: true, lockTimeoutMs: SCRIPT_LOCK_TIMEOUT_MS };
  const lanes = { db, log, reader: 'automation' as const, rowsMax: ROWS_MAX, transaction, giveUp };
  const passed = await readLane(lanes, ref, (tx, rows, lane) => makeTurn(worker, tx, rows, lane));
  if (passed === null) return;
  costs.charge(ref.workspaceId, passed.answer.cpuMs);
  if (passed.turn === null) return;
  const times = costs.pauseTimes(ref.workspaceId);
  const delayMs = pauseMs(times);
  // More is there to be done.
  costs.missedBehind(ref.workspaceId, times)();
  await announceTurn(worker.queues, { ...ref, turn: passed.turn }, passed.slow, delayMs);
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

async function makeTurn(
  worker: AutomationWorker,
  tx: Tx,
  rows: readonly OutboxRow[],
  lane: Lane,
): Promise<Portion<{ cpuMs: number }>> {
  const { config } = worker;
  const { runs, chains, orphans, crossings, stoppedAt } = await planRuns(tx, rows);
  if (orphans.length > 0) await dropOrphans(tx, orphans);
  const done = await performRuns(tx, { runs, chains }, worker, {
    ms: config.AUTOMATION_TURN_MS,
    runs: lane.careful > 0 ? 1 : config.AUTOMATION_TURN_RUNS,
    firstRuns: FIRST_RUNS,
  });
  const slow = done.runs === 0 ? lane.slow : done.scriptMs / done.runs > SLOW_RUN_MS;
  const next = done.next ?? stoppedAt();
  await crossings.save(tx, rows, next);
  return { next, slow, answer: { cpuMs: done.cpuMs } };
}

async function dropOrphans(tx: Tx, orphans: readonly string[]): Promise<void> {
  const error = hostError('AutomationGoneError', 'The automation was deleted before its turn came.');
  await tx.query(dropQueued, [tx.workspaceId, orphans, JSON.stringify(error)]);
}

/** Ends the first run as failed. */
async function giveUp(tx: Tx, rows: readonly OutboxRow[], error: unknown): Promise<Position | null> {
  const { runs: due, crossings, stoppedAt } = await planRuns(tx, rows);
  const run = await due.next();
  if (run.done === true) return stoppedAt();
  const name = error instanceof Error ? error.name : 'Error';
  const message = `The service could not make this run (${name}). Its operators find the reason in the log.`;
  await saveRuns(tx, [withoutRun(run.value, hostError('ServiceError', message))], { ifNew: true });
  const next = await due.next();
  const goesOnAt = next.done === true ? stoppedAt() : next.value;
  await crossings.save(tx, rows, goesOnAt);
  return goesOnAt;
}
