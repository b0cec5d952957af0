/** Every batch that was sent, newest first. */
import type { SyncBatch } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { momentColumn } from '../components/lists/columns.tsx';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { List } from '../components/lists/list-page.tsx';
import { EmptyState, PageFrame } from '../components/page-frame.tsx';
import { Quantity, StatusWord } from '../components/words.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { BatchStatus } from './batch-words.tsx';

const statuses = ['queued', 'processing', 'completed', 'cancelled', 'failed'];

export function BatchListPage() {
  const mayWrite = useMay('write');
  return (
    <PageFrame title="Batches" filled>
      <List
        label="Batches"
        noun={['batch', 'batches']}
        name="listSyncBatches"
        input={{}}
        columns={columns}
        rowKey={({ batchId }) => batchId}
        hrefOf={({ batchId }) => paths.batch(batchId)}
        nameOf={({ profileName, submittedAt }) => `${profileName} of ${submittedAt ?? 'now'}`}
        filters={[
          { key: 'status', label: 'Status', options: statuses.map((value) => ({ value, label: value })) },
          { key: 'profile', label: 'Profile' },
        ]}
        empty={
          <EmptyState
            title="Nothing was sent yet"
            action={mayWrite && <Link href={paths.imports()}>Import a file</Link>}
          >
            Batches come from connectors, by <code>POST /pdm/sync</code>, and from imported files.
          </EmptyState>
        }
      />
    </PageFrame>
  );
}

const count = (key: keyof SyncBatch['counts'], header: string): GridColumn<SyncBatch> => ({
  key,
  header,
  width: 80,
  align: 'end',
  cell: ({ counts }) =>
    counts[key] === 0 ? (
      <span className="muted">0</span>
    ) : (
      <span className={key === 'error' ? 'bad' : undefined}>
        <Quantity value={counts[key]} />
      </span>
    ),
  text: ({ counts }) => counts[key],
});

const columns: readonly GridColumn<SyncBatch>[] = [
  momentColumn('submittedAt', 'Sent', { width: 130, phone: 'title' }),
  {
    key: 'profile',
    header: 'Profile',
    width: 120,
    grow: 1,
    cell: ({ profileName, dryRun, commitOf, resendOf }) => (
      <>
        {profileName} {dryRun && <StatusWord tone="quiet">dry run</StatusWord>}
        {commitOf !== undefined && <StatusWord tone="quiet">commit</StatusWord>}
        {resendOf !== undefined && <StatusWord tone="quiet">again</StatusWord>}
      </>
    ),
    text: ({ profileName }) => profileName,
    phone: 'detail',
  },
  {
    key: 'by',
    header: 'By',
    width: 150,
    grow: 1,
    cell: ({ submittedBy }) => submittedBy.name,
    text: ({ submittedBy }) => submittedBy.name,
  },
  {
    key: 'status',
    header: 'Status',
    width: 110,
    cell: (batch) => <BatchStatus batch={batch} />,
    text: ({ status }) => status,
    phone: 'side',
  },
  count('total', 'Elements'),
  count('created', 'Created'),
  count('updated', 'Updated'),
  count('skipped', 'Skipped'),
  count('error', 'Errors'),
  count('warnings', 'Warnings'),
];
