/** One import: its progress, results and problems. A million items read as quickly as ten. */

import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SyncBatch } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { CommentsPanel } from '../collaboration/comments-panel.tsx';
import { FollowButton } from '../collaboration/follow-button.tsx';
import { ActButton } from '../components/act-button.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { LinkButton } from '../components/link-button.tsx';
import { Facts, PageFrame, Sheet, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useAction } from '../components/use-action.ts';
import { countText, durationText, Moment, StatusWord } from '../components/words.tsx';
import { useAddress, usePathParam } from '../navigation/address.ts';
import { Link, useGo } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { BatchCounts } from './batch-counts.tsx';
import { BatchProblems } from './batch-problems.tsx';
import { BatchResults } from './batch-results.tsx';
import { BatchStatus, isRunning } from './batch-words.tsx';
import { importedFileOf } from './imported-file.ts';
import { LineNotice } from './line-notice.tsx';
import { useBatch } from './use-batch.ts';

const above = { label: 'Imports', href: '' };

export function BatchPage() {
  const id = usePathParam('id');
  const client = useQueryClient();
  const query = useBatch(id);
  const up = { ...above, href: paths.batches() };
  if (query.data === undefined) {
    return (
      <PageFrame title="Import" above={up}>
        {query.isError ? (
          <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Waiting />
        )}
      </PageFrame>
    );
  }
  const batch = query.data;
  return (
    <PageFrame
      title={`${batch.dryRun ? 'Dry run' : 'Import'} from ${batch.profileName}`}
      above={up}
      lead={
        <>
          <BatchStatus batch={batch} />
          <span>
            received <Moment at={batch.submittedAt} /> by {batch.submittedBy.name}
          </span>
          {batch.commitOf !== undefined && (
            <Link href={paths.batch(batch.commitOf)}>commit of a dry run</Link>
          )}
          {batch.resendOf !== undefined && (
            <Link href={paths.batch(batch.resendOf)}>retry of an earlier import</Link>
          )}
        </>
      }
      actions={
        <>
          {batch.dryRun && importedFileOf(client, batch.batchId) !== undefined && (
            <LinkButton href={paths.imports({ file: batch.batchId })}>Back to columns</LinkButton>
          )}
          <FollowButton of={{ import: batch.batchId }} profile={batch.profileName} />
          <BatchActions batch={batch} />
        </>
      }
    >
      {batch.cancellation !== undefined && <Cancelled batch={batch} cancellation={batch.cancellation} />}
      {batch.failure !== undefined && <Failure failure={batch.failure} />}
      <LineNotice batch={batch} />
      <Sheet>
        <BatchCounts batch={batch} />
        <Facts
          facts={[
            ['Started', <Moment key="began" at={batch.startedAt} />],
            ['Finished', <Moment key="ended" at={batch.finishedAt} />],
            ['Duration', tookText(batch)],
            [
              'Id',
              <span key="id" className="mono">
                {batch.batchId}
              </span>,
              'wide',
            ],
          ]}
        />
      </Sheet>
      <BatchProblems batch={batch} />
      <BatchResults batch={batch} />
      <CommentsPanel of={{ import: batch.batchId }} />
    </PageFrame>
  );
}

function tookText({ startedAt, finishedAt }: SyncBatch): string {
  if (startedAt === null || finishedAt === null) return '–';
  return durationText(Date.parse(finishedAt) - Date.parse(startedAt));
}

/** Says who cancelled the import, and what remains to be done. */
function Cancelled({
  batch,
  cancellation: { at, by, reason },
}: {
  batch: SyncBatch;
  cancellation: NonNullable<SyncBatch['cancellation']>;
}) {
  const { processed, total } = batch.counts;
  return (
    <Sheet title={isRunning(batch) ? 'Cancelling' : 'Cancelled'}>
      <p>
        <Moment at={at} /> by{' '}
        {by.type === 'operator' ? 'the operator of the installation' : <strong>{by.name}</strong>}
        {reason === null ? '.' : `: ${reason}`}
      </p>
      <p className="muted">
        {batch.dryRun
          ? 'A dry run changes nothing.'
          : `${countText(processed, 'item')} of ${total} ${processed === 1 ? 'was' : 'were'} processed and ${processed === 1 ? 'is' : 'are'} kept. Import the rest again.`}
      </p>
    </Sheet>
  );
}

/** Says why the import failed. A stale plan names the items that changed since the dry run. */
function Failure({ failure }: { failure: NonNullable<SyncBatch['failure']> }) {
  return (
    <Sheet title={failure.code === 'plan_stale' ? 'The plan is stale' : 'The import failed'}>
      <p>{failure.message}</p>
      {failure.code !== 'plan_stale' && (
        <p>
          Later imports were applied without it. If they changed the same items, resuming overwrites those
          changes.
        </p>
      )}
      {failure.guids !== undefined && failure.guids.length > 0 && (
        <ul>
          {failure.guids.map((guid) => (
            <li key={guid}>
              <Link href={paths.entity(`guid:${guid}`)} className="mono">
                {guid}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  );
}

function BatchActions({ batch }: { batch: SyncBatch }) {
  const mayEdit = useMay('engineering');
  const go = useGo();
  const address = useAddress();
  const [asking, setAsking] = useState<'cancel' | 'commit' | null>(null);
  const changes = ['getSyncBatch', 'listSyncBatches', 'listSyncResults'] as const;
  const retry = useAction('retrySyncBatch', { changes, done: 'Import resumed.' });
  const cancel = useAction('cancelSyncBatch', { changes, onDone: () => setAsking(null) });
  const commit = useAction('commitSyncPlan', {
    changes: [...changes, 'listEntities'],
    onDone: (made) => go(paths.batch(made.batchId)),
  });
  if (!mayEdit) return null;
  const { counts } = batch;
  const writes = counts.created + counts.updated;
  return (
    <>
      {isRunning(batch) && (
        <Button variant="default" onClick={() => setAsking('cancel')}>
          Cancel
        </Button>
      )}
      {batch.status === 'failed' && batch.failure?.code !== 'plan_stale' && (
        <Button loading={retry.isPending} onClick={() => retry.mutate({ id: batch.batchId })}>
          Resume
        </Button>
      )}
      {batch.dryRun && batch.status === 'completed' && (
        <ActButton notYet={writes === 0 ? 'Nothing to commit.' : null} onClick={() => setAsking('commit')}>
          Commit
        </ActButton>
      )}
      {retry.error !== null && <ProblemPanel error={retry.error} />}
      {asking === 'cancel' && (
        <Dialog
          title="Cancel the import"
          submit="Cancel the import"
          leave="Keep running"
          grave
          onClose={() => setAsking(null)}
          onSubmit={() => cancel.mutate({ id: batch.batchId })}
          busy={cancel.isPending}
          error={cancel.error}
        >
          <p>
            {countText(counts.processed, 'item')} of {counts.total}{' '}
            {counts.processed === 1 ? 'is processed and is kept.' : 'are processed and are kept.'}
          </p>
        </Dialog>
      )}
      {asking === 'commit' && (
        <Dialog
          title="Commit the dry run"
          submit="Commit"
          onClose={() => setAsking(null)}
          onSubmit={() => commit.mutate({ id: batch.batchId })}
          busy={commit.isPending}
          error={commit.error}
        >
          <p>
            {countText(counts.created, 'item')} will be created and {countText(counts.updated, 'item')}{' '}
            updated, exactly as the dry run says. If any of them has changed since, nothing is written.
          </p>
          {counts.error > 0 && (
            <p>
              <StatusWord tone="bad">{countText(counts.error, 'item')}</StatusWord> with errors will be
              skipped.
            </p>
          )}
          {address.get('result') !== undefined && (
            <p className="muted">The filter on this page does not limit the commit.</p>
          )}
        </Dialog>
      )}
    </>
  );
}
