/** Adds a line to an order; without one it opens a new order. */
import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Order } from '../client/operations.ts';
import { Dialog } from '../components/dialog.tsx';
import { readQuantity } from '../components/exact-quantity.ts';
import { QuantityInput } from '../components/quantity-input.tsx';
import { useAction } from '../components/use-action.ts';
import { EntityPicker, type PickedEntity } from '../entities/entity-picker.tsx';
import { useGo } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { orderTypes } from './order-words.tsx';
import styles from './procurement.module.css';
import { SUPPLY_CHANGES } from './supply-dialog.tsx';

export function LineDialog({
  order,
  item: given = null,
  quantity: proposed,
  onClose,
}: {
  order: Pick<Order, 'id' | 'type' | 'number'> | null;
  /** What is proposed where the dialog is opened for an item. */
  item?: PickedEntity | null;
  quantity?: number | undefined;
  onClose: () => void;
}) {
  const go = useGo();
  const [type, setType] = useState<Order['type']>(order?.type ?? 'purchaseOrder');
  const [item, setItem] = useState<PickedEntity | null>(given);
  const [location, setLocation] = useState<PickedEntity | null>(null);
  const [text, setText] = useState(proposed === undefined ? '' : String(proposed));
  const [requiredBy, setRequiredBy] = useState('');
  const [note, setNote] = useState('');
  const quantity = readQuantity(text);
  const create = useAction('createStockLine', {
    changes: SUPPLY_CHANGES,
    done: ({ line }) => `Line of ${line.itemNumber ?? 'the item'} added.`,
    onDone: ({ line }) => {
      onClose();
      if (order === null) go(paths.order(line.orderId));
    },
  });
  return (
    <Dialog
      title={order === null ? 'New order' : `Line of ${order.number ?? 'the order'}`}
      submit={order === null ? 'Order' : 'Add'}
      onClose={onClose}
      busy={create.isPending}
      error={create.error}
      notYet={
        item === null
          ? 'Choose an item.'
          : location === null
            ? 'Choose a location.'
            : quantity === null || quantity <= 0
              ? 'The quantity must be above zero.'
              : null
      }
      onSubmit={() =>
        item !== null &&
        location !== null &&
        quantity !== null &&
        create.mutate({
          body: {
            type,
            itemEntityId: item.id,
            locationEntityId: location.id,
            quantity,
            ...(order === null ? {} : { orderId: order.id }),
            ...(requiredBy === '' ? {} : { requiredBy }),
            ...(note.trim() === '' ? {} : { note: note.trim() }),
          },
        })
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
      <EntityPicker label="Item" plays="item" value={item} onPick={setItem} autoFocus={given === null} />
      <EntityPicker
        label={type === 'salesOrder' ? 'Shipped from' : 'Received at'}
        plays="location"
        value={location}
        onPick={setLocation}
      />
      <div className={styles.two}>
        <QuantityInput label="Quantity" value={text} onValue={setText} />
        <TextInput
          label="Required by"
          type="date"
          value={requiredBy}
          onChange={(event) => setRequiredBy(event.currentTarget.value)}
        />
      </div>
      <TextInput label="Note" value={note} onChange={(event) => setNote(event.currentTarget.value)} />
    </Dialog>
  );
}
