/** Retries the failed runs of one automation or of all. It shows the number first and queues them in portions. */
import { NativeSelect } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../client/request.ts';
import { isUnanswered, Unanswered } from '../client/unanswered.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
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
      notify(`${countText(queued, 'run')} queued.`);
      onClose();
    } catch (refused) {
      // Runs that were queued do not match any more: the next attempt does not queue them twice.
      setError(isUnanswered(refused) ? new Unanswered(refused) : refused);
      setDone(null);
      void count.refetch();
    }
    await refresh(client, ['listAllAutomationRuns', 'listAutomationRuns', 'listAutomations', 'getOverview']);
  };
  return (
    <Dialog
      title="Retry failed runs"
      submit={
        found === undefined || found.matching === 0 ? 'Retry' : `Retry ${countText(found.matching, 'run')}`
      }
      onClose={onClose}
      onSubmit={() => void run()}
      busy={done !== null}
      error={error ?? count.error}
      notYet={found === undefined ? 'Counting…' : found.matching === 0 ? 'No failed runs to retry.' : null}
    >
      <p role="status">{found === undefined ? 'Counting…' : wordsOf(found)}</p>
      <NativeSelect
        label="Script version"
        value={script}
        onChange={(event) => setScript(event.currentTarget.value === 'same' ? 'same' : 'current')}
        data={[
          { value: 'current', label: 'Current version: the script was fixed' },
          { value: 'same', label: 'Version of each failed run: the cause was elsewhere' },
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
  const more = isPartial ? ' Older failed runs were not counted.' : '';
  const off =
    disabled === 0
      ? ''
      : ` ${countText(disabled, 'more failed run')} cannot be retried: the automation is off or deleted.`;
  return matching === 0
    ? `No failed runs to retry.${off}`
    : `${countText(matching, 'run')} failed and ${matching === 1 ? 'has' : 'have'} not been retried.${more}${off}`;
}
