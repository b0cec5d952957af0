/** Says that the operator has paused work, so that waiting work does not look as if it were about to start. */
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
    what: 'Imports',
    after: 'New imports are accepted and applied in order when the operator resumes them.',
  },
  automation: {
    what: 'Automations',
    after: 'Events are kept, and the automations run for them afterwards.',
  },
  webhook: {
    what: 'Webhooks',
    after: 'Events are kept and sent afterwards.',
  },
};

/** For imports, when the queue is full. */
const AFTER_FULL =
  'The queue is full and no more imports are accepted; queued ones are applied in order when the operator resumes them.';

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
      {held[work].what} of this workspace are paused by the operator (<Moment at={since} />
      ). {work === 'batch' && line.isFull ? AFTER_FULL : held[work].after}
    </>
  );
}
