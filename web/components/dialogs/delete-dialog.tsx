/** Asks before something goes, and lets it go; the service says when something still uses it. */
import type { Input, OperationName } from '../../client/request.ts';
import { useAction } from '../use-action.ts';
import { Dialog } from './dialog.tsx';

export interface DeleteDialogProps<Name extends OperationName> {
  /** The operation that ends it, and what that is told. */
  operation: Name;
  input: Input<Name>;
  /** Operations whose answers are stale afterwards. */
  changes: readonly OperationName[];
  what: string;
  consequence: string;
  verb?: string;
  /** What is said when it is gone. */
  done: string;
  onDone?: () => void;
  onClose: () => void;
}

export function DeleteDialog<Name extends OperationName>(props: DeleteDialogProps<Name>) {
  const { operation, input, changes, what, consequence, verb = 'Delete', done, onClose } = props;
  const remove = useAction(operation, { changes, done, onDone: props.onDone ?? onClose });
  return (
    <Dialog
      title={`${verb} ${what}?`}
      submit={verb}
      grave
      onClose={onClose}
      onSubmit={() => remove.mutate(input)}
      busy={remove.isPending}
      error={remove.error}
    >
      <p>{consequence}</p>
    </Dialog>
  );
}
