/**
 * Scripts that callers wait for, in this process: shared fairly among workspaces, so that nobody's looping script keeps
 * the others' waiting. Whoever has a share has a thread too: a transaction that is opened in it does not wait for one.
 */

import { AppError } from '../errors.ts';
import type { CostAccounts } from '../fairness/cost-accounts.ts';
import { type FairShare, pauseBehind, ShareError } from '../fairness/fair-share.ts';
import { openShare } from '../fairness/shares.ts';

/** A script that took longer is followed by a pause while other workspaces call: of a thread they have half of the time at least. */
const LONG_MS = 50;
const PAUSE_TIMES = 1;

export interface ScriptThreads {
  share: FairShare;
  /** Whether several workspaces call now. */
  areSeveral: () => boolean;
  costs: CostAccounts;
}

export function shareScriptThreads(
  threads: number,
  { areSeveral, costs }: Pick<ScriptThreads, 'areSeveral' | 'costs'>,
): ScriptThreads {
  const share = openShare('scriptThreads', { units: threads });
  return { share, areSeveral, costs };
}

/** The result of a script and the CPU time of its thread: its duration depends on how busy the processors are. */
export interface Computed<T> {
  value: T;
  cpuMs: number;
}

/** Does the work in the workspace's share of the threads. Throws `scripts_busy` where too many wait already. */
export async function onSharedScriptThread<T>(
  { share, areSeveral, costs }: ScriptThreads,
  workspaceId: string,
  work: () => Promise<Computed<T>>,
  signal: AbortSignal,
): Promise<T> {
  try {
    const release = await share.acquire(workspaceId, 1, signal);
    const pauseMs = pauseBehind();
    // Where it fails nobody says what it has computed.
    let computedMs = () => pauseMs(1);
    try {
      const { value, cpuMs } = await work();
      computedMs = () => cpuMs;
      return value;
    } finally {
      costs.charge(workspaceId, computedMs());
      const least = computedMs() > LONG_MS && areSeveral() ? PAUSE_TIMES : 0;
      const times = costs.pauseTimes(workspaceId);
      release(pauseMs(Math.max(least, times)), costs.missedBehind(workspaceId, times));
    }
  } catch (error) {
    // One of the work's own is of connections, and of another share.
    if (!(error instanceof ShareError) || error.share !== share) throw error;
    throw new AppError('scripts_busy', {
      detail: `Scripts of this workspace are being tested already: ${error.message}. Wait for one of them to end.`,
      headers: { 'Retry-After': '1' },
      cause: error,
    });
  }
}
