/** Adds a part to a structure, changes how many of it are taken, or takes it out. */
import { useState } from 'react';
import type { Entity, Use } from '../client/operations.ts';
import { Dialog } from '../components/dialog.tsx';
import { readQuantity } from '../components/exact-quantity.ts';
import { QuantityInput } from '../components/quantity-input.tsx';
import { useAction } from '../components/use-action.ts';
import { EntityPicker, type PickedEntity } from './entity-picker.tsx';

const CHANGES = [
  'listUses',
  'listWhereUsed',
  'getWhereUsedAll',
  'getTree',
  'getEntity',
  'listRevisions',
] as const;

interface UseDialogProps {
  parent: Entity;
  /** Null: a new one. */
  use: Use | null;
  onClose: () => void;
  onDone: () => void;
}

export function UseDialog({ parent, use, onClose, onDone }: UseDialogProps) {
  const [child, setChild] = useState<PickedEntity | null>(
    use === null ? null : { id: use.entityId, number: use.number, name: use.name },
  );
  const [text, setText] = useState(use === null ? '1' : String(use.quantity));
  const quantity = readQuantity(text);
  const set = useAction('setUse', { changes: CHANGES, done: 'Structure changed.', onDone });
  return (
    <Dialog
      title={
        use === null ? `Add a part to ${parent.number ?? parent.name}` : `How many ${use.number ?? use.name}`
      }
      submit={use === null ? 'Add' : 'Save'}
      onClose={onClose}
      busy={set.isPending}
      error={set.error}
      notYet={
        child === null
          ? 'Choose a part.'
          : quantity === null || quantity <= 0
            ? 'The quantity must be above zero.'
            : null
      }
      onSubmit={() =>
        child !== null &&
        quantity !== null &&
        set.mutate({ id: parent.id, childId: child.id, body: { quantity } })
      }
    >
      {parent.released && (
        <p>{parent.number ?? parent.name} is released: the change opens its next revision.</p>
      )}
      {use === null && <EntityPicker label="Part" value={child} onPick={setChild} />}
      <QuantityInput
        label="Quantity"
        data-autofocus={use === null ? undefined : ''}
        value={text}
        onValue={setText}
      />
    </Dialog>
  );
}

export function RemoveUseDialog({ parent, use, onClose, onDone }: UseDialogProps & { use: Use }) {
  const remove = useAction('removeUse', { changes: CHANGES, done: 'Taken out of the structure.', onDone });
  return (
    <Dialog
      title={`Take ${use.number ?? use.name} out`}
      submit="Take out"
      grave
      onClose={onClose}
      busy={remove.isPending}
      error={remove.error}
      onSubmit={() => remove.mutate({ id: parent.id, childId: use.entityId })}
    >
      <p>
        {parent.number ?? parent.name} no longer uses {use.number ?? use.name}. The part itself stays.
        {parent.released && ' The parent is released: the change opens its next revision.'}
      </p>
    </Dialog>
  );
}
