/**
 * Scripts that callers wait for, in this process: shared fairly among workspaces, so that nobody's looping script keeps
 * the others' waiting. Whoever has a share has a thread too: a transaction that is opened in it does not wait for one.
 */
import { AppError } from '../errors.ts';
import { FairShare, ShareError } from '../fair-share.ts';

/** Of one workspace, beside those that run. */
const WAITING_MAX = 10;
/** As long as all of these can take with the default limits. */
const PATIENCE_MS = 60_000;

export function shareScriptThreads(threads: number): FairShare {
  return new FairShare({ units: threads, waitingMax: WAITING_MAX, patienceMs: PATIENCE_MS });
}

/** Does the work in the workspace's share of the threads. Throws `scripts_busy` where too many wait already. */
export async function onSharedScriptThread<T>(
  threads: FairShare,
  workspaceId: string,
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await threads.run(workspaceId, work, signal);
  } catch (error) {
    // One of the work's own is of connections, and of another share.
    if (!(error instanceof ShareError) || error.share !== threads) throw error;
    throw new AppError('scripts_busy', {
      detail: `Scripts of this workspace are being tested already: ${error.message}. Wait for one of them to end.`,
      headers: { 'Retry-After': '1' },
      cause: error,
    });
  }
}
