/** Retries rejected items after the cause was fixed, as a dry run or directly. */
import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { ResendRequest, SyncBatch } from '../client/operations.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { useAction } from '../components/use-action.ts';
import { countText } from '../components/words.tsx';
import { useGo } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';

/** All rejected items, or those of one error or warning code. */
export interface Chosen {
  what: Pick<ResendRequest, 'code' | 'warning'>;
  count: number;
}

const respondAsync = () => ({ Prefer: 'respond-async' });

export function ResendDialog({
  batch,
  chosen,
  onClose,
}: {
  batch: SyncBatch;
  chosen: Chosen;
  onClose: () => void;
}) {
  const go = useGo();
  const [dry, setDry] = useState(batch.dryRun);
  const resend = useAction('resendSyncElements', {
    changes: ['listSyncBatches'],
    headers: respondAsync,
    onDone: ({ batchId }) => go(paths.batch(batchId)),
  });
  const why = chosen.what.code ?? chosen.what.warning;
  return (
    <Dialog
      title={`Retry ${countText(chosen.count, 'item')}`}
      submit={dry ? 'Dry run' : 'Retry'}
      onClose={onClose}
      onSubmit={() =>
        resend.mutate({
          id: batch.batchId,
          query: { dryRun: dry ? 'true' : 'false' },
          body: chosen.what,
        })
      }
      busy={resend.isPending}
      error={resend.error}
    >
      <p>
        {why === undefined ? (
          <>{countText(chosen.count, 'rejected item')} of this import</>
        ) : (
          <>
            {countText(chosen.count, 'item')} with <code>{why}</code>
          </>
        )}{' '}
        will be imported again as a new import, with the data that was received the first time. Later changes
        of these items are overwritten.
      </p>
      <Checkbox
        label="Dry run only"
        checked={dry}
        onChange={(event) => setDry(event.currentTarget.checked)}
      />
    </Dialog>
  );
}
