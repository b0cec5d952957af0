/** Why a batch that is under way does not get on: others stand before it, or it stands still itself. */
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
        It waits for <Link href={paths.batch(first.batchId)}>the batch that is first in line</Link>;{' '}
        {countText(count, 'batch', 'batches')}
        {isAtLeast && ' and more'} are in line.
      </p>
    ) : null;
  return first.standsStill ? (
    <p className="bad">
      It has not got on since <Moment at={first.movedAt} />. It is tried again by itself; if it stays so, tell
      the operator its id.
    </p>
  ) : null;
}
