/** Batches that the operator holds back: whoever waits for one, or sees it queued, is told so, and that it goes on by itself. */
import { wait } from '../typescript/connect.ts';
import type { Overview } from '../typescript/generated/types.ts';
import type { Batch } from '../typescript/sync-batch.ts';
import type { Session } from './session.ts';

const FIRST_LOOK_MS = 2_000;
const LOOKS_MS_MAX = 60_000;

/** Since when; null where they are not paused, or where it cannot be learnt: nothing else depends on it. */
export async function pausedSince(
  { partbook, signal }: Pick<Session, 'partbook' | 'signal'>,
  held: Overview['paused'][number]['work'] = 'batch',
): Promise<string | null> {
  try {
    const { paused } = await partbook('GET /overview', { query: { hours: 1 } }, { signal });
    return paused.find(({ work }) => work === held)?.since ?? null;
  } catch {
    // A key that may not read it, a service that is away or does not say it, or the end of the command.
    return null;
  }
}

export function pausedText(since: string): string {
  return `Batches are paused by the operator since ${since}: what is queued goes on by itself when they are resumed.`;
}

/** While a batch stands in line: looks more and more rarely, and answers once; null where it was begun, or the signal came. */
export async function pausedWhileQueued(
  session: Pick<Session, 'partbook' | 'signal'>,
  batch: Pick<Batch, 'envelope'>,
): Promise<string | null> {
  for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(2 * waitMs, LOOKS_MS_MAX)) {
    await wait(waitMs, session.signal).catch(() => undefined);
    if (session.signal.aborted || batch.envelope.status !== 'queued') return null;
    const since = await pausedSince(session);
    if (since !== null && batch.envelope.status === 'queued' && !session.signal.aborted) return since;
  }
}
