/** Sends what was refused again, when what kept it out is mended: first as a dry run, or at once. */
import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { ResendRequest, SyncBatch } from '../client/operations.ts';
import { Dialog } from '../components/dialog.tsx';
import { useAction } from '../components/use-action.ts';
import { countText } from '../components/words.tsx';
import { useGo } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';

/** Which elements: all that were refused, or those of one code or warning. */
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
      title="Send those again"
      submit={dry ? 'Dry run' : 'Send again'}
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
          <>{countText(chosen.count, 'refused element')} of this batch</>
        ) : (
          <>
            {countText(chosen.count, 'element')} with <code>{why}</code>
          </>
        )}{' '}
        will be sent again as a new batch, exactly as they were sent the first time. What was changed in their
        entities meanwhile is overwritten.
      </p>
      <Checkbox
        label="Only say what would happen"
        checked={dry}
        onChange={(event) => setDry(event.currentTarget.checked)}
      />
    </Dialog>
  );
}
