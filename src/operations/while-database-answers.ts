/**
 * Waits for a read for the operator as long as PostgreSQL answers others, so that the operator does not wait for a
 * PostgreSQL that hangs.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import type { Readiness } from './readiness.ts';

/** Nearly all pages that work are read within this time, so nothing else is queried for them. */
const LOOK_AFTER_MS = 1000;
const PATIENCE_MS = 1500;

/** PostgreSQL says nothing. What was asked of it may be done yet. */
export class SilentDatabaseError extends AppError {
  constructor(mayBeDone: boolean) {
    super('unavailable', {
      detail: mayBeDone
        ? 'PostgreSQL has not answered. Whether what you asked for was done is not known yet: look under Actions, or in the log under this request, before you ask again.'
        : 'What this page shows is kept in PostgreSQL, which has not answered.',
      headers: { 'Retry-After': '5' },
    });
  }
}

export async function whileDatabaseAnswers<T>(
  readiness: Pick<Readiness, 'databaseAnswers'>,
  work: Promise<T>,
  { mayBeDone = false }: { mayBeDone?: boolean } = {},
): Promise<T> {
  const over = new AbortController();
  try {
    return await Promise.race([work, silence(readiness, over.signal, mayBeDone)]);
  } finally {
    over.abort();
    // Nobody hears any more how it ends.
    work.catch(() => undefined);
  }
}

/** Rejects when PostgreSQL is silent; never resolves before it is over. */
async function silence(
  readiness: Pick<Readiness, 'databaseAnswers'>,
  over: AbortSignal,
  mayBeDone: boolean,
): Promise<never> {
  for (;;) {
    await delay(LOOK_AFTER_MS, undefined, { signal: over }).catch(() => undefined);
    if (over.aborted) return new Promise<never>(() => {});
    if (!(await readiness.databaseAnswers(PATIENCE_MS)) && !over.aborted)
      throw new SilentDatabaseError(mayBeDone);
  }
}
