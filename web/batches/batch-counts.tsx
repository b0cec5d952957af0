/** The counts of an import in one line, each a link to its items, with the progress while it runs. */
import type { SyncBatch } from '../client/operations.ts';
import { quantityText } from '../components/words.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { isRunning } from './batch-words.tsx';
import styles from './batches.module.css';

const kinds = [
  { key: 'created', label: 'Created', result: 'created' },
  { key: 'updated', label: 'Updated', result: 'updated' },
  { key: 'skipped', label: 'Unchanged', result: 'skipped' },
  { key: 'error', label: 'Rejected', result: 'error' },
] as const;

export function BatchCounts({ batch }: { batch: SyncBatch }) {
  const { counts, batchId } = batch;
  return (
    <div className={styles.counts}>
      <div className={styles.figures}>
        <Link href={paths.batch(batchId)} className={styles.figure}>
          <strong>{quantityText(counts.total)}</strong>
          <span>Items</span>
        </Link>
        {kinds.map(({ key, label, result }) => (
          <Link key={key} href={paths.batch(batchId, { result })} className={styles.figure}>
            <strong className={key === 'error' && counts[key] > 0 ? 'bad' : undefined}>
              {quantityText(counts[key])}
            </strong>
            <span>{label}</span>
          </Link>
        ))}
        <span className={styles.figure}>
          <strong>{quantityText(counts.warnings)}</strong>
          <span>Warnings</span>
        </span>
      </div>
      {isRunning(batch) && (
        <div className={styles.progress}>
          <progress
            value={counts.processed}
            max={Math.max(1, counts.total)}
            aria-label="Progress of the import"
          />
          <span role="status">
            {quantityText(counts.processed)} of {quantityText(counts.total)}
          </span>
        </div>
      )}
    </div>
  );
}
