/** The batches that came last, and where to look at what was refused. */
import { useQuery } from '@tanstack/react-query';
import { BatchStatus } from '../batches/batch-words.tsx';
import { ask } from '../client/ask.ts';
import { useMay } from '../client/session.ts';
import { Sheet, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { Moment, quantityText } from '../components/words.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './overview.module.css';

const LATEST = { query: { limit: 10 } };

export function LatestBatches() {
  const query = useQuery(ask('listSyncBatches', LATEST));
  const mayWrite = useMay('write');
  return (
    <Sheet title="Latest batches" actions={<Link href={paths.batches()}>All batches</Link>} flush>
      {query.isError ? (
        <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <Waiting lines={4} />
      ) : query.data.items.length === 0 ? (
        <p className={styles.nothing}>
          Nothing was sent yet. Parts come from a design-data system by its connector
          {mayWrite ? ', or begin with a list: ' : '.'}
          {mayWrite && <Link href={paths.imports()}>import a file</Link>}
          {mayWrite && '.'}
        </p>
      ) : (
        <table>
          <thead>
            <tr>
              <th>Batch</th>
              <th>Status</th>
              <th className="end">Errors</th>
              <th>Sent</th>
              <th className="end wide-only">Created</th>
              <th className="end wide-only">Updated</th>
            </tr>
          </thead>
          <tbody>
            {query.data.items.map((batch) => (
              <tr key={batch.batchId}>
                <td>
                  <Link href={paths.batch(batch.batchId)}>{batch.profileName}</Link>
                  {batch.dryRun && <span className="muted"> dry run</span>}
                </td>
                <td>
                  <BatchStatus batch={batch} />
                </td>
                <td className="end">
                  {batch.counts.error === 0 ? (
                    '0'
                  ) : (
                    <Link href={paths.batch(batch.batchId, { result: 'error' })} className="bad">
                      {quantityText(batch.counts.error)}
                    </Link>
                  )}
                </td>
                <td>
                  <Moment at={batch.submittedAt} />
                </td>
                <td className="end wide-only">{quantityText(batch.counts.created)}</td>
                <td className="end wide-only">{quantityText(batch.counts.updated)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Sheet>
  );
}

/** Where to look at what was refused: the newest batch that has some, or the list where it lies further back. */
export function RefusedIn() {
  const latest = useQuery(ask('listSyncBatches', LATEST)).data?.items ?? [];
  const batch = latest.find(({ counts }) => counts.error > 0);
  if (batch === undefined) return <Link href={paths.batches()}>See the batches</Link>;
  return <Link href={paths.batch(batch.batchId, { result: 'error' })}>See what was refused last</Link>;
}
