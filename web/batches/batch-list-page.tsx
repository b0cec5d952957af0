/** The history of imports, newest first. */
import type { SyncBatch } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { LinkButton } from '../components/link-button.tsx';
import { momentColumn } from '../components/lists/columns.tsx';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { List } from '../components/lists/list-page.tsx';
import { EmptyState, PageFrame } from '../components/page-frame.tsx';
import { PausedNotice } from '../components/paused-notice.tsx';
import { Quantity, StatusWord } from '../components/words.tsx';
import { paths } from '../navigation/paths.ts';
import { BatchStatus } from './batch-words.tsx';

const statuses = ['queued', 'processing', 'completed', 'cancelled', 'failed'];

export function BatchListPage() {
  const mayEdit = useMay('engineering');
  return (
    <PageFrame title="Imports" filled>
      <PausedNotice work="batch" edged />
      <List
        label="Imports"
        noun={['import', 'imports']}
        name="listSyncBatches"
        input={{ query: { stillRejected: 'true' } }}
        columns={columns}
        rowKey={({ batchId }) => batchId}
        hrefOf={({ batchId }) => paths.batch(batchId)}
        nameOf={({ profileName, submittedAt }) => `${profileName} of ${submittedAt ?? 'now'}`}
        filters={[
          { key: 'status', label: 'Status', options: statuses.map((value) => ({ value, label: value })) },
          { key: 'profile', label: 'Source' },
        ]}
        empty={
          <EmptyState
            title="No imports yet"
            action={mayEdit && <LinkButton href={paths.imports()}>Import a file</LinkButton>}
          >
            Imports come from files and from connectors, which call <code>POST /pdm/sync</code>.
          </EmptyState>
        }
      />
    </PageFrame>
  );
}

const count = (key: keyof SyncBatch['counts'], header: string): GridColumn<SyncBatch> => ({
  key,
  header,
  width: 76,
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
  {
    key: 'profile',
    header: 'Source',
    width: 160,
    grow: 1,
    cell: ({ profileName, dryRun, commitOf, resendOf }) => (
      <>
        {profileName} {dryRun && <StatusWord tone="quiet">dry run</StatusWord>}
        {commitOf !== undefined && <StatusWord tone="quiet">commit</StatusWord>}
        {resendOf !== undefined && <StatusWord tone="quiet">retry</StatusWord>}
      </>
    ),
    text: ({ profileName }) => profileName,
    phone: 'title',
  },
  {
    key: 'status',
    header: 'Status',
    width: 104,
    cell: (batch) => <BatchStatus batch={batch} />,
    text: ({ status }) => status,
    phone: 'side',
  },
  momentColumn('submittedAt', 'Received', { width: 110, phone: 'detail' }),
  {
    key: 'by',
    header: 'By',
    width: 120,
    grow: 1,
    spare: 1,
    cell: ({ submittedBy }) => submittedBy.name,
    text: ({ submittedBy }) => submittedBy.name,
    phone: 'detail',
  },
  count('total', 'Items'),
  count('error', 'Rejected'),
  { ...count('warnings', 'Warnings'), spare: 2 },
  { ...count('created', 'Created'), spare: 3 },
  { ...count('updated', 'Updated'), spare: 4 },
  { ...count('skipped', 'Unchanged'), spare: 5 },
];
