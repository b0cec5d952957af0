/** Repeats a past run: the same event, at the same time and with the same chance, by whichever script is wanted. */
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { findOwnAutomation } from '../find-automation.ts';
import { findRun } from './find-run.ts';
import { queueRun } from './queue-run.ts';
import type { Run } from './run.schema.ts';
import { selectLastAttempt } from './run.sql.ts';
import { requireCaller } from './run-caller.ts';

/**
 * Returns the id of the new run, which is queued. Throws `automation_run_not_found`, `run_not_finished`,
 * `automation_not_found`, `automation_disabled`, and `member_ended` or `api_key_revoked` for the caller that triggered it.
 */
export async function retryRun(tx: Tx, id: string, script: 'current' | 'same'): Promise<string> {
  const run = await findRun(tx, id);
  if (run.status === 'queued') throw new AppError('run_not_finished', 'The run still waits for its turn.');
  const automation = await findOwnAutomation(tx, run.automationId);
  if (!automation.enabled) throw automationDisabled();
  const { event, triggeredBy } = run;
  if (triggeredBy !== null) await requireCaller(tx, triggeredBy.id);
  await lockRetries(tx);
  const last = await lastAttempt(tx, run);
  return queueRun(tx, {
    automationId: run.automationId,
    scriptVersion: script === 'same' ? run.scriptVersion : automation.scriptVersion,
    contextType: event.contextType,
    context: run.context,
    triggeredBy: triggeredBy?.id ?? null,
    retry: {
      of: id,
      eventId: event.id,
      eventIndex: event.index,
      eventAt: event.at,
      attempt: last + 1,
    },
  });
}

/** Whether somebody has retried the run by now; nobody does until the transaction ends. Throws `automation_run_not_found`. */
export async function isRetried(tx: Tx, id: string): Promise<boolean> {
  await lockRetries(tx);
  const run = await findRun(tx, id);
  return (await lastAttempt(tx, run)) > run.attempt;
}

async function lastAttempt(tx: Tx, { event, automationId, attempt }: Run): Promise<number> {
  const at = [tx.workspaceId, event.id, event.index, automationId];
  const [last] = await tx.query<{ attempt: number | null }>(selectLastAttempt, at);
  return last?.attempt ?? attempt;
}

/** Retries of a workspace are made one after the other: an attempt is the one after the last. Held to the end. */
export async function lockRetries(tx: Tx): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('retry-runs:' || $1, 0))`, [tx.workspaceId]);
}

export function automationDisabled(): AppError {
  return new AppError('automation_disabled', 'The automation is disabled. Enable it to have it run.');
}
