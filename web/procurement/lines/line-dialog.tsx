/** Adds a line to an order; without one it opens a new order. */
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Order } from '../../client/operations.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { readQuantity, typedQuantity } from '../../components/forms/exact-quantity.ts';
import { QuantityInput } from '../../components/forms/quantity-input.tsx';
import { useAction } from '../../components/use-action.ts';
import { EntityPicker, type PickedEntity } from '../../entities/entity-picker.tsx';
import { useGo } from '../../navigation/link.tsx';
import { paths } from '../../navigation/paths.ts';
import { inBaseUnit, UnitField, unitGiven, useUnits } from '../../stock/unit-field.tsx';
import { orderTypes } from '../orders/order-words.tsx';
import styles from '../procurement.module.css';
import { RequiredByField } from '../requirements/required-by-field.tsx';
import { OfferHint } from '../suppliers/offer-hint.tsx';
import {
  SUPPLIER_CHARS_MAX,
  SupplierField,
  supplierGiven,
  useNewSuppliers,
  useProposedSupplier,
} from '../suppliers/supplier-field.tsx';
import { SUPPLY_CHANGES } from '../supply-dialog.tsx';

export function LineDialog({
  order,
  item: given = null,
  quantity: proposed,
  onClose,
}: {
  order: Pick<Order, 'id' | 'type' | 'number' | 'supplier'> | null;
  /** What is proposed where the dialog is opened for an item. */
  item?: PickedEntity | null;
  quantity?: number | undefined;
  onClose: () => void;
}) {
  const go = useGo();
  const [type, setType] = useState<Order['type']>(order?.type ?? 'purchaseOrder');
  const [item, setItem] = useState<PickedEntity | null>(given);
  const [location, setLocation] = useState<PickedEntity | null>(null);
  const [text, setText] = useState(proposed === undefined ? '' : typedQuantity(proposed));
  const [requiredBy, setRequiredBy] = useState('');
  const [typedSupplier, setSupplier] = useState<string | null>(null);
  const [customer, setCustomer] = useState('');
  const [note, setNote] = useState('');
  const [mayWait, setMayWait] = useState(false);
  const proposedSupplier = useProposedSupplier(item === null ? [] : [item.id]);
  const supplier = typedSupplier ?? proposedSupplier;
  const newSupplier = useNewSuppliers(order === null && type === 'purchaseOrder' ? [supplier] : []);
  const [unit, setUnit] = useState('');
  const units = useUnits(item?.id ?? null);
  const quantity = readQuantity(text);
  // Offers are in the base unit.
  const amount = quantity === null ? null : inBaseUnit(units, quantity, unit);
  const open = useAction('createOrder', {
    changes: SUPPLY_CHANGES,
    done: ({ lines: [line] }) => `Line of ${line?.itemNumber ?? 'the item'} added.`,
    onDone: ({ id }) => {
      onClose();
      go(paths.order(id));
    },
  });
  const add = useAction('createStockLine', {
    changes: SUPPLY_CHANGES,
    done: ({ line }) => `Line of ${line.itemNumber ?? 'the item'} added.`,
    onDone: onClose,
  });
  const send = (itemEntityId: string, locationEntityId: string, wanted: number) => {
    const said = note.trim() === '' ? {} : { note: note.trim() };
    const day = requiredBy === '' ? {} : { requiredBy };
    const wait = type === 'salesOrder' && mayWait ? { allowBackorder: true } : {};
    const line = { itemEntityId, locationEntityId, quantity: wanted, ...unitGiven(unit), ...day, ...wait };
    const buyer = type === 'salesOrder' && customer.trim() !== '' ? { customer: customer.trim() } : {};
    if (order === null)
      open.mutate({ body: { type, ...supplierGiven(type, supplier), ...buyer, lines: [line], ...said } });
    else add.mutate({ body: { type, orderId: order.id, ...line, ...said } });
  };
  const pickItem = (picked: PickedEntity | null) => {
    setItem(picked);
    setUnit('');
  };
  return (
    <Dialog
      title={order === null ? 'New order' : `Line of ${order.number ?? 'the order'}`}
      submit={order === null ? 'Order' : 'Add'}
      onClose={onClose}
      busy={open.isPending || add.isPending}
      error={open.error ?? add.error}
      notYet={
        item === null
          ? 'Choose an item.'
          : location === null
            ? 'Choose a location.'
            : quantity === null || quantity <= 0
              ? 'The quantity must be above zero.'
              : newSupplier.notYet
      }
      onSubmit={() =>
        item !== null && location !== null && quantity !== null && send(item.id, location.id, quantity)
      }
    >
      {order === null && (
        <NativeSelect
          label="Type"
          value={type}
          data={[...orderTypes]}
          onChange={(event) => setType(event.currentTarget.value as Order['type'])}
        />
      )}
      {order === null && type === 'purchaseOrder' && (
        <SupplierField value={supplier} onValue={setSupplier} question={newSupplier.question} />
      )}
      {order === null && type === 'salesOrder' && (
        <TextInput
          label="Customer"
          value={customer}
          maxLength={SUPPLIER_CHARS_MAX}
          onChange={(event) => setCustomer(event.currentTarget.value)}
        />
      )}
      <EntityPicker label="Item" plays="item" value={item} onPick={pickItem} autoFocus={given === null} />
      <EntityPicker
        label={type === 'salesOrder' ? 'Shipped from' : 'Received at'}
        plays="location"
        value={location}
        onPick={setLocation}
      />
      <div className={styles.two}>
        <QuantityInput label="Quantity" value={text} onValue={setText} />
        <RequiredByField value={requiredBy} onValue={setRequiredBy} />
      </div>
      <UnitField units={units} value={unit} onValue={setUnit} quantity={quantity} />
      {type === 'purchaseOrder' && item !== null && amount !== null && amount > 0 && (
        <OfferHint
          itemId={item.id}
          supplier={order === null ? supplier : (order.supplier ?? '')}
          quantity={amount}
          onTake={(rounded) => {
            setUnit('');
            setText(typedQuantity(rounded));
          }}
        />
      )}
      {type === 'salesOrder' && (
        <Checkbox
          label="Back order what is not there"
          description="What is available is reserved. The rest is demand, and is reserved later."
          checked={mayWait}
          onChange={(event) => setMayWait(event.currentTarget.checked)}
        />
      )}
      <TextInput label="Note" value={note} onChange={(event) => setNote(event.currentTarget.value)} />
    </Dialog>
  );
}
