/** Many lines, typed or pasted from a spreadsheet, of a new order or of one that is there: all of them are made, or none. */
import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { NewOrder, Order } from '../../client/operations.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useAction } from '../../components/use-action.ts';
import { countText } from '../../components/words.tsx';
import { EntityPicker, type PickedEntity } from '../../entities/entity-picker.tsx';
import { BlockEntry } from '../../entities/uses/block-entry.tsx';
import { type BlockColumn, useBlock } from '../../entities/uses/use-block.ts';
import { useGo } from '../../navigation/link.tsx';
import { paths } from '../../navigation/paths.ts';
import { useAskBeforeClosing } from '../../navigation/unsaved.ts';
import styles from '../procurement.module.css';
import {
  SupplierField,
  supplierGiven,
  useNewSuppliers,
  useProposedSupplier,
} from '../suppliers/supplier-field.tsx';
import { SUPPLY_CHANGES } from '../supply-dialog.tsx';
import { orderTypes } from './order-words.tsx';

/** What the service makes in one call. */
const LINES_MAX = 100;
const columns: readonly BlockColumn[] = [
  { key: 'itemEntityId', label: 'Item', kind: 'item' },
  { key: 'quantity', label: 'Quantity', kind: 'quantity' },
  { key: 'requiredBy', label: 'Required by', kind: 'day', optional: true },
];

export interface OrderManyDialogProps {
  /** Null: a new one. */
  order: Pick<Order, 'id' | 'type' | 'number'> | null;
  onClose: () => void;
}

export function OrderManyDialog({ order, onClose }: OrderManyDialogProps) {
  const go = useGo();
  const [type, setType] = useState<Order['type']>(order?.type ?? 'purchaseOrder');
  const [location, setLocation] = useState<PickedEntity | null>(null);
  const [typedSupplier, setSupplier] = useState<string | null>(null);
  const [note, setNote] = useState('');
  const block = useBlock(columns, LINES_MAX);
  const proposedSupplier = useProposedSupplier(
    block.rows.flatMap(({ values }) =>
      values.itemEntityId === undefined ? [] : [String(values.itemEntityId)],
    ),
  );
  const supplier = typedSupplier ?? proposedSupplier;
  const newSupplier = useNewSuppliers(order === null && type === 'purchaseOrder' ? [supplier] : []);
  const { close, done } = useAskBeforeClosing(
    block.rows.some(({ isEmpty }) => !isEmpty),
    onClose,
  );
  const create = useAction('createOrder', {
    changes: SUPPLY_CHANGES,
    done: 'Order made.',
    onDone: ({ id }) => {
      done();
      go(paths.order(id));
    },
  });
  const add = useAction('addOrderLines', {
    changes: SUPPLY_CHANGES,
    done: ({ lines }) => `${countText(lines.length, 'line')} added.`,
    onDone: done,
  });
  const { ready, wrong } = block;
  const verb = order === null ? 'Order' : 'Add';
  const wanted = (at: PickedEntity): Omit<NewOrder, 'type' | 'supplier'> => ({
    ...(note.trim() === '' ? {} : { note: note.trim() }),
    lines: ready.map(({ values }) => ({
      itemEntityId: String(values.itemEntityId),
      locationEntityId: at.id,
      quantity: Number(values.quantity),
      ...(values.requiredBy === undefined ? {} : { requiredBy: String(values.requiredBy) }),
    })),
  });
  return (
    <Dialog
      title={order === null ? 'Order from a list' : `Lines of ${order.number ?? 'the order'} from a list`}
      submit={ready.length === 0 ? verb : `${verb} ${countText(ready.length, 'line')}`}
      size="xl"
      onClose={close}
      busy={create.isPending || add.isPending}
      error={create.error ?? add.error}
      notYet={
        location === null
          ? 'Choose a location.'
          : ready.length === 0
            ? 'Type or paste what is to be ordered.'
            : wrong > 0
              ? `${countText(wrong, 'row')} cannot be taken yet.`
              : newSupplier.notYet
      }
      onSubmit={() => {
        if (location === null) return;
        if (order === null)
          create.mutate({ body: { type, ...supplierGiven(type, supplier), ...wanted(location) } });
        else add.mutate({ id: order.id, body: wanted(location) });
      }}
    >
      <div className={styles.two}>
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
        {countText(ready.length, 'line')} ready{wrong > 0 && `, ${wrong} not yet`}. Up to {LINES_MAX} at once.
      </p>
    </Dialog>
  );
}
