/** Asks before something is deleted; the service says when something still uses it. */
import { Dialog } from './dialog.tsx';

export interface DeleteDialogProps {
  what: string;
  consequence: string;
  verb?: string;
  busy: boolean;
  error: unknown;
  onDelete: () => void;
  onClose: () => void;
}

export function DeleteDialog({
  what,
  consequence,
  verb = 'Delete',
  busy,
  error,
  onDelete,
  onClose,
}: DeleteDialogProps) {
  return (
    <Dialog
      title={`${verb} ${what}?`}
      submit={verb}
      grave
      onClose={onClose}
      onSubmit={onDelete}
      busy={busy}
      error={error}
    >
      <p>{consequence}</p>
    </Dialog>
  );
}
