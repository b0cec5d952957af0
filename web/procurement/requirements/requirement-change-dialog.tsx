/** Changes how much is required, and by when. */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { MaterialRequirement } from '../../client/operations.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { ChangedMeanwhile, SOMEBODY_FIRST } from '../../components/forms/changed-meanwhile.tsx';
import { exactDifference, readQuantity, typedQuantity } from '../../components/forms/exact-quantity.ts';
import { changesOf } from '../../components/forms/meanwhile-changes.ts';
import { QuantityInput } from '../../components/forms/quantity-input.tsx';
import { readBy, useSavedForm } from '../../components/forms/use-saved-form.ts';
import { quantityText } from '../../components/words.tsx';
import styles from '../procurement.module.css';
import { SUPPLY_CHANGES } from '../supply-dialog.tsx';
import { RequiredByField } from './required-by-field.tsx';

interface RequirementChangeDialogProps {
  requirement: MaterialRequirement;
  onClose: () => void;
}

export function RequirementChangeDialog({ requirement, onClose }: RequirementChangeDialogProps) {
  const [note, setNote] = useState('');
  const change = useSavedForm('updateRequirement', {
    shown: fieldsOf(requirement),
    read: readBy('getRequirement', { id: requirement.id }, fieldsOf),
    tell: (from, to) => changesOf(from, to, { quantity: 'Quantity', requiredBy: 'Required by' }),
    changes: [...SUPPLY_CHANGES, 'listAudit'],
    done: (changed) =>
      `${quantityText(changed.requiredQty)} of ${changed.itemNumber ?? changed.itemName} are required now.`,
    onDone: onClose,
  });
  const { form, begun, set } = change;
  const { requiredBy } = form;
  const quantity = readQuantity(form.quantity);
  const otherQuantity = quantity !== readQuantity(begun.quantity);
  const otherDay = begun.requiredBy !== requiredBy;
  return (
    <Dialog
      title={`Change the requirement for ${requirement.itemNumber ?? requirement.itemName}`}
      submit="Change"
      onClose={onClose}
      busy={change.isPending}
      error={change.error}
      notYet={
        change.meanwhile !== null
          ? SOMEBODY_FIRST
          : notYetOf(requirement, quantity, otherQuantity || otherDay)
      }
      onSubmit={() =>
        quantity !== null &&
        change.save({
          id: requirement.id,
          body: {
            ...(otherQuantity ? { requiredQty: quantity } : {}),
            ...(otherDay ? { requiredBy: requiredBy === '' ? null : requiredBy } : {}),
            ...(note.trim() === '' ? {} : { note: note.trim() }),
          },
        })
      }
    >
      <div className={styles.two}>
        {requirement.lineId === null && (
          <QuantityInput
            label="Quantity"
            value={form.quantity}
            onValue={(text) => set({ quantity: text })}
            data-autofocus=""
          />
        )}
        <RequiredByField value={requiredBy} onValue={(day) => set({ requiredBy: day })} />
      </div>
      {requirement.lineId !== null && (
        <p className="muted">The quantity follows the manufacturing line that needs this component.</p>
      )}
      <TextInput label="Note" value={note} onChange={(event) => setNote(event.currentTarget.value)} />
      <ChangedMeanwhile form={change} />
    </Dialog>
  );
}

function fieldsOf({ requiredQty, requiredBy }: MaterialRequirement): {
  quantity: string;
  requiredBy: string;
} {
  return { quantity: typedQuantity(requiredQty), requiredBy: requiredBy ?? '' };
}

function notYetOf(
  { requiredQty, openQty }: MaterialRequirement,
  quantity: number | null,
  isOther: boolean,
): string | null {
  if (quantity === null || quantity <= 0) return 'The quantity must be above zero.';
  const covered = exactDifference(requiredQty, openQty);
  if (quantity < covered) return `${quantityText(covered)} are reserved or ordered already.`;
  return isOther ? null : 'Nothing is changed yet.';
}
