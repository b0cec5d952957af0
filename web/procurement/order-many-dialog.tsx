/** A new order with all its lines, typed or pasted from a spreadsheet: the order is made with all of them, or not at all. */
import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Order } from '../client/operations.ts';
import { Dialog } from '../components/dialog.tsx';
import { useAction } from '../components/use-action.ts';
import { countText } from '../components/words.tsx';
import { BlockEntry } from '../entities/block-entry.tsx';
import { EntityPicker, type PickedEntity } from '../entities/entity-picker.tsx';
import { type BlockColumn, useBlock } from '../entities/use-block.ts';
import { useGo } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { orderTypes } from './order-words.tsx';
import styles from './procurement.module.css';
import { SUPPLY_CHANGES } from './supply-dialog.tsx';

/** What the service makes in one call. */
const LINES_MAX = 100;
const columns: readonly BlockColumn[] = [
  { key: 'itemEntityId', label: 'Item', kind: 'item' },
  { key: 'quantity', label: 'Quantity', kind: 'quantity' },
  { key: 'requiredBy', label: 'Required by', kind: 'day', optional: true },
];

export function OrderManyDialog({ onClose }: { onClose: () => void }) {
  const go = useGo();
  const [type, setType] = useState<Order['type']>('purchaseOrder');
  const [location, setLocation] = useState<PickedEntity | null>(null);
  const [note, setNote] = useState('');
  const block = useBlock(columns, LINES_MAX);
  const create = useAction('createOrder', {
    changes: SUPPLY_CHANGES,
    done: 'Order made.',
    onDone: ({ id }) => go(paths.order(id)),
  });
  const { ready, wrong } = block;
  return (
    <Dialog
      title="Order from a list"
      submit={ready.length === 0 ? 'Order' : `Order ${countText(ready.length, 'line')}`}
      size="xl"
      onClose={onClose}
      busy={create.isPending}
      error={create.error}
      notYet={
        location === null
          ? 'Choose a location.'
          : ready.length === 0
            ? 'Type or paste what is to be ordered.'
            : wrong > 0
              ? `${countText(wrong, 'row')} cannot be taken yet.`
              : null
      }
      onSubmit={() =>
        location !== null &&
        create.mutate({
          body: {
            type,
            ...(note.trim() === '' ? {} : { note: note.trim() }),
            lines: ready.map(({ values }) => ({
              itemEntityId: String(values.itemEntityId),
              locationEntityId: location.id,
              quantity: Number(values.quantity),
              ...(values.requiredBy === undefined ? {} : { requiredBy: String(values.requiredBy) }),
            })),
          },
        })
      }
    >
      <div className={styles.two}>
        <NativeSelect
          label="Type"
          value={type}
          data={[...orderTypes]}
          onChange={(event) => setType(event.currentTarget.value as Order['type'])}
        />
        <EntityPicker
          label={type === 'salesOrder' ? 'Shipped from' : 'Received at'}
          plays="location"
          value={location}
          onPick={setLocation}
          autoFocus
        />
        <TextInput label="Note" value={note} onChange={(event) => setNote(event.currentTarget.value)} />
      </div>
      <BlockEntry label="Lines" block={block} />
      <p role="status">
        {countText(ready.length, 'line')} ready{wrong > 0 && `, ${wrong} not yet`}. Up to {LINES_MAX} in one
        order.
      </p>
    </Dialog>
  );
}
