/** Says why a running import makes no progress: others are ahead of it, or it is stuck. */
import type { SyncBatch } from '../client/operations.ts';
import { PausedNotice, useStanding } from '../components/paused-notice.tsx';
import { countText, Moment } from '../components/words.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { isRunning } from './batch-words.tsx';

export function LineNotice({ batch }: { batch: SyncBatch }) {
  return isRunning(batch) ? <InLine batch={batch} /> : null;
}

function InLine({ batch }: { batch: SyncBatch }) {
  const { paused = [], waitingBatches: line } = useStanding().data ?? {};
  if (paused.some(({ work }) => work === 'batch')) return <PausedNotice work="batch" />;
  if (line === undefined || line.first === null) return null;
  const { first, count, isAtLeast } = line;
  if (first.batchId !== batch.batchId)
    return batch.status === 'queued' ? (
      <p>
        Waiting for <Link href={paths.batch(first.batchId)}>the import at the head of the queue</Link>;{' '}
        {isAtLeast && 'more than '}
        {countText(count, 'import')} queued.
      </p>
    ) : null;
  return first.standsStill ? (
    <p className="bad">
      No progress since <Moment at={first.movedAt} />. The service retries by itself; if this stays, tell the
      operator the id of this import.
    </p>
  ) : null;
}
