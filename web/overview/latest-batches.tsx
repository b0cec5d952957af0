/** The latest imports, without dry runs. */
import { BatchStatus } from '../batches/batch-words.tsx';
import type { SyncBatch } from '../client/operations.ts';
import { Moment, quantityText } from '../components/words.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './overview.module.css';

export function LatestBatches({ batches }: { batches: readonly SyncBatch[] }) {
  return (
    <table className={styles.latest}>
      <thead>
        <tr>
          <th>Latest imports</th>
          <th>Status</th>
          <th className="end">Still rejected</th>
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
            </td>
            <td>
              <BatchStatus batch={batch} />
            </td>
            <td className="end">
              {(batch.stillRejected ?? batch.counts.error) === 0 ? (
                '0'
              ) : (
                <Link href={paths.batch(batch.batchId, { result: 'error' })}>
                  {quantityText(batch.stillRejected ?? batch.counts.error)}
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
