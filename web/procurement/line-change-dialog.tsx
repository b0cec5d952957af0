/** Changes how much of an open line is wanted, and by when. */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { StockLine } from '../client/operations.ts';
import { Dialog } from '../components/dialog.tsx';
import { readQuantity, typedQuantity } from '../components/exact-quantity.ts';
import { QuantityInput } from '../components/quantity-input.tsx';
import { PartNumber, Quantity, quantityText } from '../components/words.tsx';
import { ChangedMeanwhile, SOMEBODY_FIRST } from '../entities/changed-meanwhile.tsx';
import { useChangeAsShown } from '../entities/use-change-as-shown.ts';
import styles from './procurement.module.css';
import { RequiredByField } from './required-by-field.tsx';
import { SUPPLY_CHANGES } from './supply-dialog.tsx';

export function LineChangeDialog({ line, onClose }: { line: StockLine; onClose: () => void }) {
  const [text, setText] = useState(typedQuantity(line.quantity));
  const [requiredBy, setRequiredBy] = useState(line.requiredBy ?? '');
  const [note, setNote] = useState('');
  const quantity = readQuantity(text);
  const done = line.receivedQty + line.shippedQty;
  const change = useChangeAsShown(
    'updateStockLine',
    {
      operation: 'getStockLine',
      input: { id: line.id },
      fields: fieldsOf(line),
      fieldsOf,
      labels: { quantity: 'Quantity', requiredBy: 'Required by' },
    },
    {
      changes: [...SUPPLY_CHANGES, 'listAudit'],
      done: (changed) =>
        `The line of ${changed.itemNumber ?? changed.itemName} is for ${quantityText(changed.quantity)} now.`,
      onDone: onClose,
    },
  );
  const { begun } = change;
  const otherQuantity = quantity !== begun.quantity;
  const otherDay = (begun.requiredBy ?? '') !== requiredBy;
  const goOn = () => {
    const now = change.takeOver();
    if (!otherQuantity) setText(typedQuantity(now.quantity));
    if (!otherDay) setRequiredBy(now.requiredBy ?? '');
  };
  return (
    <Dialog
      title={`Change the line of ${line.itemNumber ?? line.itemName}`}
      submit="Change"
      onClose={onClose}
      busy={change.isPending}
      error={change.error}
      notYet={
        change.meanwhile !== null ? SOMEBODY_FIRST : notYetOf(line, quantity, done, otherQuantity || otherDay)
      }
      onSubmit={() =>
        quantity !== null &&
        void change.send({
          id: line.id,
          body: {
            ...(otherQuantity ? { quantity } : {}),
            ...(otherDay ? { requiredBy: requiredBy === '' ? null : requiredBy } : {}),
            ...(note.trim() === '' ? {} : { note: note.trim() }),
          },
        })
      }
    >
      <p>
        {line.itemName}
        <br />
        {line.type === 'salesOrder' ? 'From' : 'To'} <PartNumber number={line.locationNumber} />{' '}
        {line.locationName}
        {done > 0 && (
          <>
            <br />
            {line.type === 'salesOrder' ? 'Shipped' : 'Received'} so far: <Quantity value={done} />
          </>
        )}
      </p>
      <div className={styles.two}>
        <QuantityInput label="Quantity" value={text} onValue={setText} data-autofocus="" />
        <RequiredByField value={requiredBy} onValue={setRequiredBy} />
      </div>
      <TextInput label="Note" value={note} onChange={(event) => setNote(event.currentTarget.value)} />
      {change.meanwhile !== null && <ChangedMeanwhile changes={change.meanwhile} onKeep={goOn} />}
    </Dialog>
  );
}

function fieldsOf({ quantity, requiredBy }: StockLine): Pick<StockLine, 'quantity' | 'requiredBy'> {
  return { quantity, requiredBy };
}

function notYetOf(line: StockLine, quantity: number | null, done: number, isOther: boolean): string | null {
  if (quantity === null || quantity <= 0) return 'The quantity must be above zero.';
  if (quantity < done)
    return `${quantityText(done)} ${line.type === 'salesOrder' ? 'are shipped' : 'have come'} already.`;
  return isOther ? null : 'Nothing is changed yet.';
}
