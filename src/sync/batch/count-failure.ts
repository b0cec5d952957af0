/** Counts failed attempts at a part of a batch, and says what the batch fails with when there are none left. */
import type { Config } from '../../config.ts';
import { sqlState, type Tx } from '../../db/transaction.ts';
import {
  countAttempt,
  countBatchAttempt,
  countHeldAttempt,
  countHeldBatchAttempt,
} from '../chunk/batch.sql.ts';
import { type BatchRef, pair } from '../chunk/thread-context.ts';

const LOCK_NOT_AVAILABLE = '55P03';

/** PostgreSQL's error codes in words, by code or by class (the first two characters). */
const causes: Readonly<Record<string, string>> = {
  [LOCK_NOT_AVAILABLE]: 'somebody else holds a lock on what it changes, and did not let it go in time',
  '25006': 'the database takes no writes',
  '40P01': 'others wanted the same rows in another order, again and again',
  '53': 'the database is short of disk, memory or connections',
  '57': 'the database stopped it, or was stopped',
  '58': 'the system below the database failed',
  XX: 'the database found itself damaged',
};

function causeOf(code: string | null): string {
  if (code === null) return 'an error of the service';
  const words = causes[code] ?? causes[code.slice(0, 2)];
  return `database error ${code}${words === undefined ? '' : ` (${words})`}`;
}

/** Whether somebody else holds what a step wanted to change. */
export const isLockKept = (error: unknown): boolean => sqlState(error) === LOCK_NOT_AVAILABLE;

interface FailedPass {
  phase: string;
  request_id: string | null;
}

/** Counts a failed attempt. Returns the failure of the batch, or null while attempts are left. */
export async function countFailure(
  tx: Tx,
  ref: BatchRef,
  { phase, request_id: requestId }: FailedPass,
  { config, chunk, error }: { config: Config; chunk: number | null; error: unknown },
): Promise<{ code: string; message: string } | null> {
  const code = sqlState(error);
  const isHeld = isLockKept(error);
  const seconds = isHeld ? [config.SYNC_LOCK_SECONDS] : [];
  const [counted] =
    chunk === null
      ? await tx.query<{ attempts: number }>(isHeld ? countHeldBatchAttempt : countBatchAttempt, [
          ...pair(ref),
          ...seconds,
        ])
      : await tx.query<{ attempts: number }>(isHeld ? countHeldAttempt : countAttempt, [
          ...pair(ref),
          chunk,
          ...seconds,
        ]);
  if (counted === undefined || counted.attempts < config.SYNC_CHUNK_ATTEMPTS) return null;
  const where =
    chunk === null ? `The pass "${phase}"` : `Part ${chunk} of the batch, in the pass "${phase}",`;
  return {
    code: 'chunk_failed',
    message:
      `${where} failed after ${counted.attempts} attempts with ${causeOf(code)}. ` +
      `The log has it under request id ${requestId ?? '(none)'} and batch id ${ref.batchId}. ` +
      'What was applied stays; retry the batch once the cause is mended.',
  };
}
