/** Runs again what failed, of one automation or of all: the number is shown first, and they go in portions. */
import { NativeSelect } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../client/request.ts';
import { isUnanswered, Unanswered } from '../client/unanswered.ts';
import { Dialog } from '../components/dialog.tsx';
import { notify } from '../components/notices.tsx';
import { refresh } from '../components/refresh.ts';
import { countText } from '../components/words.tsx';
import styles from './automations.module.css';

export function RetryDialog({ automationId, onClose }: { automationId?: string; onClose: () => void }) {
  const client = useQueryClient();
  const [script, setScript] = useState<'current' | 'same'>('current');
  const [done, setDone] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const of = automationId === undefined ? {} : { automationId };
  const count = useQuery({
    queryKey: ['retryFailedRuns', automationId],
    queryFn: ({ signal }) => call('retryFailedRuns', { body: { ...of, dryRun: true } }, { signal }),
    gcTime: 0,
  });
  const found = count.data;
  const run = async () => {
    setError(null);
    let queued = 0;
    setDone(0);
    try {
      for (let left = 1; left > 0; ) {
        const answer = await call('retryFailedRuns', { body: { ...of, script } });
        queued += answer.runs.length;
        setDone(queued);
        left = answer.runs.length === 0 ? 0 : answer.left;
      }
      notify(`${countText(queued, 'run')} queued again.`);
      onClose();
    } catch (refused) {
      // What was queued does not wait for another try: it is not queued twice.
      setError(isUnanswered(refused) ? new Unanswered(refused) : refused);
      setDone(null);
      void count.refetch();
    }
    await refresh(client, ['listAllAutomationRuns', 'listAutomationRuns', 'listAutomations', 'getOverview']);
  };
  return (
    <Dialog
      title="Run again what failed"
      submit={
        found === undefined || found.matching === 0
          ? 'Run again'
          : `Run ${countText(found.matching, 'event')} again`
      }
      onClose={onClose}
      onSubmit={() => void run()}
      busy={done !== null}
      error={error ?? count.error}
      notYet={
        found === undefined ? 'Counting…' : found.matching === 0 ? 'There is nothing to run again.' : null
      }
    >
      <p role="status">{found === undefined ? 'Counting…' : wordsOf(found)}</p>
      <NativeSelect
        label="By which script"
        value={script}
        onChange={(event) => setScript(event.currentTarget.value === 'same' ? 'same' : 'current')}
        data={[
          { value: 'current', label: 'As it is now: the fault is mended' },
          { value: 'same', label: 'As it was when each failed: the fault was elsewhere' },
        ]}
      />
      {done !== null && found !== undefined && (
        <progress className={styles.progress} value={done} max={found.matching} aria-label="Progress" />
      )}
    </Dialog>
  );
}

function wordsOf({
  matching,
  isPartial,
  disabled,
}: {
  matching: number;
  isPartial: boolean;
  disabled: number;
}) {
  const more = isPartial ? ' There are older ones, which were not looked at.' : '';
  const off =
    disabled === 0 ? '' : ` ${countText(disabled, 'further one')} stay: their automation is off or gone.`;
  return matching === 0
    ? `Nothing that failed waits for another try.${off}`
    : `${countText(matching, 'event')} failed and nobody has tried again since.${more}${off}`;
}
