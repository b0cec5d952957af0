/** One element of a batch as it was sent, beside what became of it: what to look for in the source. */
import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../client/ask.ts';
import type { SyncResult } from '../client/operations.ts';
import { Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { ReturnFocus } from '../components/use-return-focus.ts';
import { StatusWord } from '../components/words.tsx';
import { resultTone } from './batch-words.tsx';
import styles from './batches.module.css';

export function SentDialog({
  batchId,
  result,
  onClose,
}: {
  batchId: string;
  result: SyncResult;
  onClose: () => void;
}) {
  const { index, guid } = result;
  const query = useQuery(ask('listSentElements', { id: batchId, query: { from: index, limit: 1 } }));
  const sent = query.data?.items.find((item) => item.index === index);
  return (
    <Modal opened onClose={onClose} title={`Element ${index} as it was sent`} size="lg">
      <ReturnFocus />
      <p>
        <StatusWord tone={resultTone(result.result)}>{result.result}</StatusWord>{' '}
        {result.result === 'error'
          ? result.message
          : result.warnings?.map(({ message }) => message).join(' ')}
      </p>
      {query.isError ? (
        <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
      ) : sent === undefined ? (
        <Waiting lines={6} />
      ) : sent.element === null ? (
        <p className="muted">The line was not JSON, and so it was not kept.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        <section className={styles.sent} tabIndex={0} aria-label={`Element ${guid ?? index}`}>
          <pre>{JSON.stringify(sent.element, null, 2)}</pre>
        </section>
      )}
    </Modal>
  );
}
