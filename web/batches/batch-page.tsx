/** One batch: how far it is, what became of it, what went wrong and where. A million elements read as quickly as ten. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { SyncBatch } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { ActButton } from '../components/act-button.tsx';
import { Dialog } from '../components/dialog.tsx';
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
import { LineNotice } from './line-notice.tsx';
import { useBatch } from './use-batch.ts';

const above = { label: 'Batches', href: '' };

export function BatchPage() {
  const id = usePathParam('id');
  const query = useBatch(id);
  const up = { ...above, href: paths.batches() };
  if (query.data === undefined) {
    return (
      <PageFrame title="Batch" above={up}>
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
      title={`${batch.dryRun ? 'Dry run' : 'Batch'} of ${batch.profileName}`}
      above={up}
      lead={
        <>
          <BatchStatus batch={batch} />
          <span>
            sent <Moment at={batch.submittedAt} /> by {batch.submittedBy.name}
          </span>
          {batch.commitOf !== undefined && (
            <Link href={paths.batch(batch.commitOf)}>commit of a dry run</Link>
          )}
          {batch.resendOf !== undefined && (
            <Link href={paths.batch(batch.resendOf)}>sends elements of a batch again</Link>
          )}
        </>
      }
      actions={<BatchActions batch={batch} />}
    >
      {batch.cancellation !== undefined && <Cancelled batch={batch} cancellation={batch.cancellation} />}
      {batch.failure !== undefined && <Failure failure={batch.failure} />}
      <LineNotice batch={batch} />
      <Sheet>
        <BatchCounts batch={batch} />
        <Facts
          facts={[
            ['Began', <Moment key="began" at={batch.startedAt} />],
            ['Ended', <Moment key="ended" at={batch.finishedAt} />],
            ['Took', tookText(batch)],
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
    </PageFrame>
  );
}

function tookText({ startedAt, finishedAt }: SyncBatch): string {
  if (startedAt === null || finishedAt === null) return '–';
  return durationText(Date.parse(finishedAt) - Date.parse(startedAt));
}

/** Who stopped it: whoever sent it finds out here that nobody goes on with it, and what to do. */
function Cancelled({
  batch,
  cancellation: { at, by, reason },
}: {
  batch: SyncBatch;
  cancellation: NonNullable<SyncBatch['cancellation']>;
}) {
  const { processed, total } = batch.counts;
  return (
    <Sheet title={isRunning(batch) ? 'It is being cancelled' : 'It was cancelled'}>
      <p>
        <Moment at={at} /> by{' '}
        {by.type === 'operator' ? 'the operator of the installation' : <strong>{by.name}</strong>}
        {reason === null ? '.' : `: ${reason}`}
      </p>
      <p className="muted">
        {batch.dryRun
          ? 'A dry run changes nothing.'
          : `What was done stays: ${countText(processed, 'element')} of ${total}. The rest is not taken up again; send it anew.`}
      </p>
    </Sheet>
  );
}

/** Why the service could not finish; a plan that has become stale names what changed under it. */
function Failure({ failure }: { failure: NonNullable<SyncBatch['failure']> }) {
  return (
    <Sheet title={failure.code === 'plan_stale' ? 'The plan is stale' : 'The batch failed'}>
      <p>{failure.message}</p>
      {failure.code !== 'plan_stale' && (
        <p>
          Later batches went on without it. Where they changed the same entities, going on sets those back to
          what this one says.
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
  const mayWrite = useMay('write');
  const go = useGo();
  const address = useAddress();
  const [asking, setAsking] = useState<'cancel' | 'commit' | null>(null);
  const changes = ['getSyncBatch', 'listSyncBatches', 'listSyncResults'] as const;
  const retry = useAction('retrySyncBatch', { changes, done: 'The batch goes on where it stopped.' });
  const cancel = useAction('cancelSyncBatch', { changes, onDone: () => setAsking(null) });
  const commit = useAction('commitSyncPlan', {
    changes: [...changes, 'listEntities'],
    onDone: (made) => go(paths.batch(made.batchId)),
  });
  if (!mayWrite) return null;
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
          Go on
        </Button>
      )}
      {batch.dryRun && batch.status === 'completed' && (
        <ActButton
          notYet={writes === 0 ? 'It would change nothing.' : null}
          onClick={() => setAsking('commit')}
        >
          Commit
        </ActButton>
      )}
      {retry.error !== null && <ProblemPanel error={retry.error} />}
      {asking === 'cancel' && (
        <Dialog
          title="Cancel the batch"
          submit="Cancel the batch"
          grave
          onClose={() => setAsking(null)}
          onSubmit={() => cancel.mutate({ id: batch.batchId })}
          busy={cancel.isPending}
          error={cancel.error}
        >
          <p>
            What is done stays done: {countText(counts.processed, 'element')} of {counts.total}.
          </p>
        </Dialog>
      )}
      {asking === 'commit' && (
        <Dialog
          title="Commit the plan"
          submit="Commit"
          onClose={() => setAsking(null)}
          onSubmit={() => commit.mutate({ id: batch.batchId })}
          busy={commit.isPending}
          error={commit.error}
        >
          <p>
            {countText(counts.created, 'entity', 'entities')} will be created and{' '}
            {countText(counts.updated, 'entity', 'entities')} updated, exactly as the dry run says. If
            anything it rests on has changed since, nothing is written.
          </p>
          {counts.error > 0 && (
            <p>
              {countText(counts.error, 'element')} with errors will be left out.{' '}
              <StatusWord tone="bad">{String(counts.error)}</StatusWord>
            </p>
          )}
          {address.get('result') !== undefined && (
            <p className="muted">The filter of this page does not limit it.</p>
          )}
        </Dialog>
      )}
    </>
  );
}
