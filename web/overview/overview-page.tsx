/** What happened and what needs somebody: batches with errors first, open requirements, where to go on. */
import { useQuery } from '@tanstack/react-query';
import { BatchStatus } from '../batches/batch-words.tsx';
import { ask } from '../client/ask.ts';
import { useMay } from '../client/session.ts';
import { PageFrame, Sheet, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { dayText, Moment, PartNumber, Quantity, quantityText } from '../components/words.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './overview.module.css';

const REFRESH_MS = 5000;

export function OverviewPage() {
  return (
    <PageFrame title="Overview">
      <div className={styles.sheets}>
        <Batches />
        <Requirements />
        <GoOn />
      </div>
    </PageFrame>
  );
}

function Batches() {
  const query = useQuery({
    ...ask('listSyncBatches', { query: { limit: 10 } }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Sheet title="Latest batches" actions={<Link href={paths.batches()}>All batches</Link>} flush>
      {query.isError ? (
        <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <Waiting lines={4} />
      ) : query.data.items.length === 0 ? (
        <p className={styles.nothing}>Nothing was sent yet.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th>Batch</th>
              <th>Status</th>
              <th>Sent</th>
              <th className="end">Created</th>
              <th className="end">Updated</th>
              <th className="end">Errors</th>
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
                <td>
                  <Moment at={batch.submittedAt} />
                </td>
                <td className="end">{quantityText(batch.counts.created)}</td>
                <td className="end">{quantityText(batch.counts.updated)}</td>
                <td className="end">
                  {batch.counts.error === 0 ? (
                    '0'
                  ) : (
                    <Link href={paths.batch(batch.batchId, { result: 'error' })} className="bad">
                      {quantityText(batch.counts.error)}
                    </Link>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Sheet>
  );
}

function Requirements() {
  const query = useQuery(ask('listRequirements', { query: { status: 'open', limit: 10 } }));
  return (
    <Sheet
      title="Open requirements"
      actions={<Link href={paths.requirements({ status: 'open' })}>All open</Link>}
      flush
    >
      {query.isError ? (
        <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <Waiting lines={4} />
      ) : query.data.items.length === 0 ? (
        <p className={styles.nothing}>Nothing is asked for that is not covered.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th>Item</th>
              <th className="end">Open</th>
              <th>Required by</th>
            </tr>
          </thead>
          <tbody>
            {query.data.items.map((requirement) => (
              <tr key={requirement.id}>
                <td>
                  <Link href={paths.requirement(requirement.id)}>
                    <PartNumber number={requirement.itemNumber} />
                  </Link>
                </td>
                <td className="end">
                  <Quantity value={requirement.openQty} />
                </td>
                <td>
                  <Due date={requirement.requiredBy} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Sheet>
  );
}

function Due({ date }: { date: string | null }) {
  if (date === null) return '–';
  const late = date < new Date().toISOString().slice(0, 10);
  return (
    <span className={late ? 'bad' : undefined}>{late ? `${dayText(date)}, overdue` : dayText(date)}</span>
  );
}

function GoOn() {
  const mayWrite = useMay('write');
  return (
    <Sheet title="Go on">
      <ul className={styles.ways}>
        <li>
          <Link href={paths.entities()}>Find a part</Link>
        </li>
        {mayWrite && (
          <li>
            <Link href={paths.imports()}>Import a file</Link>
          </li>
        )}
        {mayWrite && (
          <li>
            <Link href={paths.stockPage('count')}>Count a location</Link>
          </li>
        )}
        <li>
          <Link href={paths.procurement()}>See what projects are short of</Link>
        </li>
      </ul>
    </Sheet>
  );
}
