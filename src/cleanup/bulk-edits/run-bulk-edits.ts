/**
 * Runs the bulk edits of all workspaces in the worker, a step of each workspace at a time, so that none waits for another's. PostgreSQL has
 * all of their state: each worker looks for what is left every second, after a crash too.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isServerAway } from '../../db/server-away.ts';
import { inTransaction } from '../../db/transaction.ts';
import { workInTurn } from '../../db/turns/work-in-turn.ts';
import { AppError } from '../../errors.ts';
import { type PeriodicLoop, startPeriodic } from '../../process/start-periodic.ts';
import { advanceBulkEdit, type BulkEditor, type BulkEditRef } from './advance-bulk-edit.ts';
import { countAttempt, endBulkEdit, selectFirstInLine } from './bulk-edits.sql.ts';

const PERIOD_MS = 1000;
const WORKSPACES_MAX = 1000;
const ATTEMPTS_MAX = 5;
/** The job rests as long as a step took, so that other calls get the processor, too. */
const REST_MS_MAX = 500;

export interface BulkEditing extends BulkEditor {
  log: Pick<Logger, 'warn' | 'error'>;
}

export function startBulkEditing(editing: BulkEditing): PeriodicLoop {
  return startPeriodic({
    periodMs: PERIOD_MS,
    first: 'at random',
    run: (signal) => runBulkEdits(editing, signal),
    failure: { log: editing.log, message: 'bulk edits have to wait' },
  });
}

/** Runs until nothing is left that no other worker does. */
export async function runBulkEdits(editing: BulkEditing, signal?: AbortSignal): Promise<void> {
  const { db, log } = editing;
  await workInTurn({
    db,
    log,
    signal,
    find: (tx) => tx.query<{ workspace_id: string; id: string }>(selectFirstInLine, [WORKSPACES_MAX]),
    work: async ({ workspace_id: workspaceId, id }) => {
      const began = performance.now();
      try {
        return await takeStep(editing, { workspaceId, id });
      } finally {
        await delay(Math.min(REST_MS_MAX, performance.now() - began));
      }
    },
    failure: 'a step of a bulk edit failed',
  });
}

/** Returns how many steps were taken. A bulk edit whose step fails again and again ends with the reason, so that the next in line begins. */
async function takeStep(editing: BulkEditing, ref: BulkEditRef): Promise<number> {
  try {
    return (await advanceBulkEdit(editing, ref)) ? 1 : 0;
  } catch (error) {
    if (error instanceof AppError) {
      await fail(editing, ref, { code: error.code, message: error.message });
      return 1;
    }
    if (!isServerAway(error)) await countFailure(editing, ref);
    throw error;
  }
}

async function countFailure(editing: BulkEditing, ref: BulkEditRef): Promise<void> {
  const [counted] = await inTransaction(editing.db, ref, (tx) =>
    tx.query<{ attempts: number }>(countAttempt, [ref.workspaceId, ref.id]),
  );
  if (counted !== undefined && counted.attempts >= ATTEMPTS_MAX)
    await fail(editing, ref, {
      code: 'internal_error',
      message: `A step failed ${ATTEMPTS_MAX} times; the log says why. Changes that were made stay, and can be undone.`,
    });
}

async function fail(
  { db }: BulkEditing,
  ref: BulkEditRef,
  failure: { code: string; message: string },
): Promise<void> {
  await inTransaction(db, ref, (tx) =>
    tx.query(endBulkEdit, [ref.workspaceId, ref.id, 'failed', JSON.stringify(failure)]),
  );
}
