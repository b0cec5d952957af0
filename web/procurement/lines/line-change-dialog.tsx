/** Changes how much of an open line is wanted, and by when. */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { StockLine } from '../../client/operations.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { ChangedMeanwhile, SOMEBODY_FIRST } from '../../components/forms/changed-meanwhile.tsx';
import { readQuantity, typedQuantity } from '../../components/forms/exact-quantity.ts';
import { changesOf, isSame } from '../../components/forms/meanwhile-changes.ts';
import { QuantityInput } from '../../components/forms/quantity-input.tsx';
import { readBy, useSavedForm } from '../../components/forms/use-saved-form.ts';
import { PartNumber, Quantity, quantityText } from '../../components/words.tsx';
import styles from '../procurement.module.css';
import {
  PromisesField,
  promisesGiven,
  type TypedPromise,
  typedPromises,
  wrongPromises,
} from '../promises-field.tsx';
import { RequiredByField } from '../requirements/required-by-field.tsx';
import { SUPPLY_CHANGES } from '../supply-dialog.tsx';

export function LineChangeDialog({ line, onClose }: { line: StockLine; onClose: () => void }) {
  const [note, setNote] = useState('');
  const done = line.receivedQty + line.shippedQty;
  const change = useSavedForm('updateStockLine', {
    shown: fieldsOf(line),
    read: readBy('getStockLine', { id: line.id }, fieldsOf),
    tell: (from, to) =>
      changesOf(from, to, {
        quantity: 'Quantity',
        requiredBy: 'Required by',
        promises: 'Promised',
        tolerance: 'Over-delivery in percent',
        price: 'Price',
        currency: 'Currency',
      }),
    changes: [...SUPPLY_CHANGES, 'listAudit'],
    done: (changed) =>
      `The line of ${changed.itemNumber ?? changed.itemName} is for ${quantityText(changed.quantity)} now.`,
    onDone: onClose,
  });
  const { form, begun, set } = change;
  const { requiredBy } = form;
  const quantity = readQuantity(form.quantity);
  const otherQuantity = quantity !== readQuantity(begun.quantity);
  const otherDay = begun.requiredBy !== requiredBy;
  const otherPromises = !isSame(begun.promises, form.promises);
  const otherTolerance = begun.tolerance !== form.tolerance;
  const otherPrice = begun.price !== form.price || begun.currency !== form.currency;
  const tolerance = form.tolerance.trim() === '' ? null : readQuantity(form.tolerance);
  const isWrong = form.tolerance.trim() !== '' && (tolerance === null || tolerance < 0 || tolerance > 1000);
  return (
    <Dialog
      title={`Change the line of ${line.itemNumber ?? line.itemName}`}
      submit="Change"
      onClose={onClose}
      busy={change.isPending}
      error={change.error}
      notYet={
        change.meanwhile !== null
          ? SOMEBODY_FIRST
          : isWrong
            ? 'The tolerance is from 0 to 1 000 percent.'
            : wrongPrice(form) !== null
              ? wrongPrice(form)
              : (wrongPromises(form.promises, quantity) ??
                notYetOf(
                  line,
                  quantity,
                  done,
                  otherQuantity || otherDay || otherPromises || otherTolerance || otherPrice,
                ))
      }
      onSubmit={() =>
        quantity !== null &&
        change.save({
          id: line.id,
          body: {
            ...(otherQuantity ? { quantity } : {}),
            ...(otherTolerance ? { overDeliveryPercent: tolerance } : {}),
            ...(otherPrice ? priceGiven(form) : {}),
            ...(otherDay ? { requiredBy: requiredBy === '' ? null : requiredBy } : {}),
            // A change of the day alone would remove what is promised: the form shows it, so it stays.
            ...(otherPromises || (otherDay && form.promises.length > 0)
              ? { promises: promisesGiven(form.promises) }
              : {}),
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
        <QuantityInput
          label="Quantity"
          value={form.quantity}
          onValue={(text) => set({ quantity: text })}
          data-autofocus=""
        />
        <RequiredByField value={requiredBy} onValue={(day) => set({ requiredBy: day })} />
      </div>
      {line.type === 'purchaseOrder' && (
        <div className={styles.two}>
          <TextInput
            label={line.priceUnit === null ? 'Price of one' : `Price of one ${line.priceUnit}`}
            inputMode="decimal"
            value={form.price}
            onChange={(event) => set({ price: event.currentTarget.value })}
          />
          <TextInput
            label="Currency"
            value={form.currency}
            maxLength={3}
            onChange={(event) => set({ currency: event.currentTarget.value })}
          />
        </div>
      )}
      {line.type === 'purchaseOrder' && (
        <PromisesField
          typed={form.promises}
          rest={(quantity ?? 0) - promisesGiven(form.promises).reduce((sum, part) => sum + part.quantity, 0)}
          onChange={(promises) => set({ promises })}
        />
      )}
      {line.type === 'purchaseOrder' && (
        <QuantityInput
          label="Over-delivery in percent"
          description="How much more may be received; empty for that of the workspace."
          value={form.tolerance}
          onValue={(text) => set({ tolerance: text })}
        />
      )}
      <TextInput label="Note" value={note} onChange={(event) => setNote(event.currentTarget.value)} />
      <ChangedMeanwhile form={change} />
    </Dialog>
  );
}

function priceGiven({ price, currency }: LineFields) {
  if (price.trim() === '') return { price: null, currency: null };
  return { price: price.trim().replace(',', '.'), currency: currency.trim().toUpperCase() };
}

function wrongPrice({ price, currency }: LineFields): string | null {
  if (price.trim() === '') return currency.trim() === '' ? null : 'Enter the price too, or no currency.';
  if (!/^\d{1,9}([.,]\d{1,6})?$/.test(price.trim())) return 'The price is a number such as 0.0123.';
  return /^[A-Za-z]{3}$/.test(currency.trim()) ? null : 'Enter the currency of the price, such as EUR.';
}

interface LineFields {
  quantity: string;
  requiredBy: string;
  promises: readonly TypedPromise[];
  tolerance: string;
  price: string;
  currency: string;
}

function fieldsOf(line: StockLine): LineFields {
  const { quantity, requiredBy, overDeliveryPercent, price, currency } = line;
  return {
    quantity: typedQuantity(quantity),
    requiredBy: requiredBy ?? '',
    promises: typedPromises(line),
    tolerance: overDeliveryPercent === null ? '' : typedQuantity(overDeliveryPercent),
    price: price ?? '',
    currency: currency ?? '',
  };
}

function notYetOf(line: StockLine, quantity: number | null, done: number, isOther: boolean): string | null {
  if (quantity === null || quantity <= 0) return 'The quantity must be above zero.';
  if (quantity < done)
    return `${quantityText(done)} ${line.type === 'salesOrder' ? 'are shipped' : 'have come'} already.`;
  return isOther ? null : 'Nothing is changed yet.';
}
