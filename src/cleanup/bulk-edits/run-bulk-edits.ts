/**
 * Runs the bulk edits of all workspaces in the worker, a step of each workspace at a time, so that none waits for another's. PostgreSQL has
 * all of their state: each worker looks for what is left every second, after a crash too.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { restingState } from '../../db/resting.ts';
import { isServerAway } from '../../db/server-away.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { type PeriodicLoop, startPeriodic } from '../../process/start-periodic.ts';
import { advanceBulkEdit, type BulkEditor, type BulkEditRef } from './advance-bulk-edit.ts';
import { countAttempt, endBulkEdit, selectFirstInLine } from './bulk-edits.sql.ts';

const PERIOD_MS = 1000;
const WORKSPACES_MAX = 1000;
const ATTEMPTS_MAX = 5;
/** The job rests as long as a step took: whoever calls meanwhile has the machine, too. */
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
  for (let worked = true; worked; ) {
    const heads = await inTransaction(editing.db, 'instance', (tx) =>
      tx.query<{ workspace_id: string; id: string }>(selectFirstInLine, [WORKSPACES_MAX]),
    );
    worked = false;
    for (const { workspace_id: workspaceId, id } of heads) {
      if (signal?.aborted === true) return;
      const began = performance.now();
      worked = (await takeStep(editing, { workspaceId, id })) || worked;
      await delay(Math.min(REST_MS_MAX, performance.now() - began));
    }
  }
}

/** Returns whether it went on. What fails again and again ends with the reason, so that the next in line begins. */
async function takeStep(editing: BulkEditing, ref: BulkEditRef): Promise<boolean> {
  try {
    return await advanceBulkEdit(editing, ref);
  } catch (error) {
    if (error instanceof AppError) {
      await fail(editing, ref, { code: error.code, message: error.message });
      return true;
    }
    // A workspace that moves has its bulk edits wait; the others go on.
    if (restingState(error) !== null) return false;
    if (isServerAway(error)) throw error;
    const { log, db } = editing;
    const [counted] = await inTransaction(db, ref, (tx) =>
      tx.query<{ attempts: number }>(countAttempt, [ref.workspaceId, ref.id]),
    );
    const isLast = counted !== undefined && counted.attempts >= ATTEMPTS_MAX;
    log.error({ ...ref, err: error, failed: isLast }, 'a step of a bulk edit failed');
    if (isLast)
      await fail(editing, ref, {
        code: 'internal_error',
        message: `A step failed ${ATTEMPTS_MAX} times; the log says why. Changes that were made stay, and can be undone.`,
      });
    return false;
  }
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
