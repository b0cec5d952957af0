/** Says where work is held back by the operator of the installation: else what waits looks as if it were about to begin. */
import { useQuery } from '@tanstack/react-query';
import { ask } from '../client/ask.ts';
import type { Overview } from '../client/operations.ts';
import styles from './paused-notice.module.css';
import { Moment } from './words.tsx';

type Work = Overview['paused'][number]['work'];

/** The stream of the workspace tells of neither pauses nor of what stands still. */
export const STANDING_POLL_MS = 60_000;

const held: Readonly<Record<Work, { what: string; after: string }>> = {
  batch: {
    what: 'Batches',
    after: 'What is sent is accepted and kept, and applied in its order when they are resumed.',
  },
  automation: {
    what: 'Automations',
    after: 'What happens meanwhile is kept, and they run for it afterwards.',
  },
  webhook: {
    what: 'Webhooks',
    after: 'What happens meanwhile is kept, and is told to receivers afterwards.',
  },
};

/** Of batches, where what is sent is refused. */
const AFTER_FULL =
  'The line is full, and nothing more is accepted; what stands in it is applied in its order when they are resumed.';

/** What stands still and what is held back just now, for pages that show nothing else of the overview. */
export function useStanding() {
  return useQuery({ ...ask('getOverview', { query: { hours: 1 } }), refetchInterval: STANDING_POLL_MS });
}

/** Nothing where that kind of work goes on. */
export function PausedNotice({ work, edged = false }: { work: Work; edged?: boolean }) {
  const { data } = useStanding();
  const paused = data?.paused.find((one) => one.work === work);
  if (data === undefined || paused === undefined) return null;
  return (
    <p className={edged ? `${styles.notice} ${styles.edged}` : styles.notice} role="status">
      <PausedText paused={paused} line={data.waitingBatches} />
    </p>
  );
}

export function PausedText({
  paused: { work, since },
  line,
}: {
  paused: Overview['paused'][number];
  line: Overview['waitingBatches'];
}) {
  return (
    <>
      {held[work].what} of this workspace are paused by the operator since <Moment at={since} />.{' '}
      {work === 'batch' && line.isFull ? AFTER_FULL : held[work].after}
    </>
  );
}
