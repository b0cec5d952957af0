/** Waits for the end of a batch, prints its outcome, and returns the exit code. */
import type { SyncBatch } from '../typescript/generated/types.ts';
import type { Batch } from '../typescript/sync-batch.ts';
import { tellRefused, tellWaiting, tellWarnings } from './batch-findings.ts';
import { cancelledBy, outcomeText } from './batch-words.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { pausedText, pausedWhileQueued } from './held-batches.ts';
import type { Session } from './session.ts';
import { here } from './surroundings.ts';

/** `wanted` is the status that counts as success. */
export async function finish(
  session: Session,
  file: string,
  batch: Batch,
  isAwaited: boolean,
  wanted: 'completed' | 'cancelled' = 'completed',
): Promise<ExitCode> {
  const { output } = session;
  if (!isAwaited) {
    output.answer(batch.envelope, () => `${file}: batch ${batch.id} is accepted`);
    return exitCodes.done;
  }
  const envelope = await followBatch(session, batch);
  const { error } = envelope.counts;
  output.answer(withoutResults(envelope), () => `${file}: ${outcomeText(envelope)} (batch ${batch.id})`);
  if (envelope.status !== wanted) {
    if (envelope.failure !== undefined) output.say(envelope.failure.message, 'red');
    if (envelope.cancellation !== undefined) output.say(cancelledBy(envelope.cancellation), 'red');
    return envelope.failure?.code === 'plan_stale' ? exitCodes.planStale : exitCodes.failed;
  }
  if (wanted === 'cancelled') return exitCodes.done;
  await tellWarnings(session, batch);
  await tellRefused(session, batch);
  await tellWaiting(session, batch);
  return error === 0 ? exitCodes.done : exitCodes.elementErrors;
}

function withoutResults({ results: _, ...envelope }: SyncBatch): Omit<SyncBatch, 'results'> {
  return envelope;
}

/** Waits for the end and shows the progress on a terminal. */
export async function followBatch({ partbook, output, signal }: Session, batch: Batch): Promise<SyncBatch> {
  const isShown = output.form === 'text' && here().stderr.isTTY === true;
  const clear = () => isShown && here().stderr.write('\r\u001b[K');
  const ended = new AbortController();
  const asking = { partbook, signal: AbortSignal.any([signal, ended.signal]) };
  const told = pausedWhileQueued(asking, batch).then((since) => {
    if (since === null) return;
    clear();
    output.say(`${pausedText(since)} Ctrl-C leaves the batch in line.`, 'yellow');
  });
  const onProgress = ({ counts: { processed, total } }: SyncBatch) => {
    if (isShown && total > 0)
      here().stderr.write(`\r${Math.floor((100 * processed) / total)} % of ${total} `);
  };
  try {
    return await batch.wait({ signal, onProgress });
  } catch (error) {
    if (signal.aborted)
      output.say(
        `The batch goes on without being waited for. It can be stopped: partbook cancel ${batch.id}`,
      );
    throw error;
  } finally {
    ended.abort();
    await told;
    clear();
  }
}
