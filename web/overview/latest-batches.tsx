/** The latest imports and dry runs. */

import { BatchStatus } from '../batches/batch-words.tsx';
import type { Overview, SyncBatch } from '../client/operations.ts';
import { Moment, quantityText } from '../components/words.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './overview.module.css';

export function LatestBatches({
  batches,
  rejected,
}: {
  batches: readonly SyncBatch[];
  rejected: Overview['rejected'] | undefined;
}) {
  const leftIn = ({ batchId, dryRun }: SyncBatch): number | undefined => {
    if (rejected === undefined || dryRun) return undefined;
    const known = rejected.batches.find((one) => one.batchId === batchId);
    return known?.count ?? (rejected.batchCount > rejected.batches.length ? undefined : 0);
  };
  return (
    <table className={styles.latest}>
      <thead>
        <tr>
          <th>Latest imports</th>
          <th>Status</th>
          <th className="end">Rejected</th>
          <th>Received</th>
          <th className="end wide-only">Created</th>
          <th className="end wide-only">Updated</th>
        </tr>
      </thead>
      <tbody>
        {batches.map((batch) => (
          <tr key={batch.batchId}>
            <td>
              <Link href={paths.batch(batch.batchId)}>{batch.profileName}</Link>
              {batch.dryRun && <span className="muted"> dry run</span>}
            </td>
            <td>
              <BatchStatus batch={batch} stillRejected={leftIn(batch)} />
            </td>
            <td className="end">
              {batch.counts.error === 0 ? (
                '0'
              ) : (
                <Link href={paths.batch(batch.batchId, { result: 'error' })}>
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
  );
}
