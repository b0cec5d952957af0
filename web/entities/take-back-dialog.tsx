/** Takes a link back that waits for a parent which is not there. */
import type { PendingLink } from '../client/operations.ts';
import { Refusal } from '../client/request.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { useAction } from '../components/use-action.ts';

export function TakeBackDialog({ link, onClose }: { link: PendingLink; onClose: () => void }) {
  const { parentGuid, childEntityId, childNumber, childName } = link;
  const remove = useAction('removePendingLink', {
    changes: ['listPendingLinks', 'listAudit'],
    done: 'Taken back: it waits no longer.',
    onDone: onClose,
  });
  const isGone = remove.error instanceof Refusal && remove.error.code === 'pending_link_not_found';
  return (
    <Dialog
      title={`Take back the link of ${childNumber ?? childName}`}
      submit={isGone ? 'Close' : 'Take back'}
      grave={!isGone}
      onClose={onClose}
      busy={remove.isPending}
      error={isGone ? null : remove.error}
      onSubmit={() => (isGone ? onClose() : remove.mutate({ parentGuid, childId: childEntityId }))}
    >
      {isGone ? (
        <p role="status">This link is no longer pending: its parent arrived, or someone else deleted it.</p>
      ) : (
        <p>
          It is not made when an assembly with the GUID <span className="mono">{parentGuid}</span> comes. The
          part itself stays.
        </p>
      )}
    </Dialog>
  );
}
