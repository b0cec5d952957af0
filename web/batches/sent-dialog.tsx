/** One row of an import as received, with its result. */
import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../client/ask.ts';
import type { SyncResult } from '../client/operations.ts';
import { ReturnFocus } from '../components/dialogs/use-return-focus.ts';
import { Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { StatusWord } from '../components/words.tsx';
import { resultText, resultTone } from './batch-words.tsx';
import styles from './batches.module.css';

export function SentDialog({
  batchId,
  index,
  result: known,
  onClose,
}: {
  batchId: string;
  index: number;
  /** Given when the list has it. */
  result: SyncResult | undefined;
  onClose: () => void;
}) {
  const query = useQuery(ask('listSentElements', { id: batchId, query: { from: index, limit: 1 } }));
  const sent = query.data?.items.find((item) => item.index === index);
  const result = known ?? sent;
  return (
    <Modal opened onClose={onClose} title={`Row ${index} as received`} size="lg">
      <ReturnFocus />
      {result === undefined ? (
        query.isError && <NotedOf batchId={batchId} index={index} />
      ) : (
        <p>
          <StatusWord tone={resultTone(result.result)}>{resultText(result.result)}</StatusWord>{' '}
          {result.result === 'error'
            ? result.message
            : result.warnings?.map(({ message }) => message).join(' ')}
        </p>
      )}
      {query.isError ? (
        <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <Waiting lines={6} />
      ) : sent === undefined ? (
        <p className="muted">This import has no row {index}, or has not processed it yet.</p>
      ) : sent.element === null ? (
        <p className="muted">The line was not valid JSON and was not kept.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        <section className={styles.sent} tabIndex={0} aria-label={`Row ${sent.guid ?? index}`}>
          <pre>{JSON.stringify(sent.element, null, 2)}</pre>
        </section>
      )}
    </Modal>
  );
}

/** The noted problems of the row, when its data is not kept any more. */
function NotedOf({ batchId, index }: { batchId: string; index: number }) {
  const { data } = useQuery(ask('listSyncProblems', { id: batchId }));
  const noted = (data?.items ?? []).flatMap(({ kind, message, examples }) =>
    examples.flatMap((one) =>
      one.index === index
        ? [[`${kind} ${message ?? one.message}`, kind, message ?? one.message] as const]
        : [],
    ),
  );
  // A problem that was noted twice is shown once.
  const each = [...new Map(noted.map((one) => [one[0], one])).values()];
  return each.map(([key, kind, text]) => (
    <p key={key} className={styles.noted}>
      <StatusWord tone={kind === 'error' ? 'bad' : 'warn'}>{kind}</StatusWord> {text}
    </p>
  ));
}
