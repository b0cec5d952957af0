/** Orders what several requirements are still open by: one order for all of them, a line for each, all of it or nothing. */
import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { MaterialRequirement, Order } from '../../client/operations.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useAction } from '../../components/use-action.ts';
import { countText, Due, PartNumber, Quantity } from '../../components/words.tsx';
import { EntityPicker, type PickedEntity } from '../../entities/entity-picker.tsx';
import { useGo } from '../../navigation/link.tsx';
import { paths } from '../../navigation/paths.ts';
import { allOpen, LINES_MAX, openQuantityOf } from '../open-quantities.ts';
import styles from '../procurement.module.css';
import { QuantityTable } from '../quantity-table.tsx';
import {
  SupplierField,
  supplierGiven,
  useNewSuppliers,
  useProposedSupplier,
} from '../suppliers/supplier-field.tsx';
import { SUPPLY_CHANGES } from '../supply-dialog.tsx';
import { orderTypes } from './order-words.tsx';

export interface OrderRequirementsDialogProps {
  requirements: readonly MaterialRequirement[];
  onClose: () => void;
}

/** A pack may be more than is needed: the rest is free stock. */
const ANY = Number.MAX_SAFE_INTEGER / 1_000_000;

export function OrderRequirementsDialog({ requirements, onClose }: OrderRequirementsDialogProps) {
  const go = useGo();
  const open = requirements.filter(({ status, openQty }) => status === 'open' && openQty > 0);
  const offered = open.slice(0, LINES_MAX);
  const [type, setType] = useState<Order['type']>('purchaseOrder');
  const [location, setLocation] = useState<PickedEntity | null>(null);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() => allOpen(offered));
  const [typedSupplier, setSupplier] = useState<string | null>(null);
  const [note, setNote] = useState('');
  const proposedSupplier = useProposedSupplier(offered.map(({ itemEntityId }) => itemEntityId));
  const supplier = typedSupplier ?? proposedSupplier;
  const newSupplier = useNewSuppliers(type === 'purchaseOrder' ? [supplier] : []);
  const rows = offered.map((requirement) => openQuantityOf(requirement, texts[requirement.id] ?? '', ANY));
  const wanted = rows.filter(({ now }) => now !== null && now > 0);
  const wrong = rows.find((row) => row.wrong !== null);
  const covered = requirements.length - open.length;
  const order = useAction('createOrder', {
    changes: SUPPLY_CHANGES,
    done: ({ number, lines }) => `${countText(lines.length, 'line')} ordered: ${number ?? 'the order'}.`,
    onDone: ({ id }) => go(paths.order(id)),
  });
  const send = (at: PickedEntity) =>
    order.mutate({
      body: {
        type,
        ...supplierGiven(type, supplier),
        ...(note.trim() === '' ? {} : { note: note.trim() }),
        lines: wanted.map(({ of, now }) => ({
          itemEntityId: of.itemEntityId,
          locationEntityId: at.id,
          requirementId: of.id,
          quantity: now ?? 0,
          ...(of.requiredBy === null ? {} : { requiredBy: of.requiredBy }),
        })),
      },
    });
  return (
    <Dialog
      title="New order from requirements"
      submit={wanted.length === 0 ? 'Order' : `Order ${countText(wanted.length, 'line')}`}
      size="xl"
      onClose={onClose}
      busy={order.isPending}
      error={order.error}
      notYet={
        offered.length === 0
          ? 'None of them is open any more.'
          : location === null
            ? 'Choose a location.'
            : wrong !== undefined
              ? `${wrong.of.itemNumber ?? wrong.of.itemName}: ${wrong.wrong}`
              : wanted.length === 0
                ? 'Write how much of at least one item is ordered.'
                : newSupplier.notYet
      }
      onSubmit={() => location !== null && send(location)}
    >
      <div className={styles.two}>
        <NativeSelect
          label="Type"
          value={type}
          // What is sold covers no requirement.
          data={orderTypes.filter(({ value }) => value !== 'salesOrder')}
          onChange={(event) => setType(event.currentTarget.value as Order['type'])}
        />
        {type === 'purchaseOrder' && (
          <SupplierField value={supplier} onValue={setSupplier} question={newSupplier.question} />
        )}
        <EntityPicker label="Received at" plays="location" value={location} onPick={setLocation} autoFocus />
        <TextInput
          label="Note"
          value={note}
          maxLength={2000}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      </div>
      <QuantityTable
        label="What is ordered"
        before={[{ header: 'Requirement' }, { header: 'Required by' }, { header: 'Open', isFigure: true }]}
        field="Ordered now"
        after="Remaining"
        rows={rows.map(({ of, text, wrong: fault, left }) => ({
          id: of.id,
          itemNumber: of.itemNumber,
          itemName: of.itemName,
          text,
          wrong: fault,
          before: [
            <PartNumber key="number" number={of.number} />,
            <Due key="due" date={of.requiredBy} />,
            <Quantity key="open" value={of.openQty} />,
          ],
          after: <Quantity value={left} />,
        }))}
        onType={(id, text) => setTexts((before) => ({ ...before, [id]: text }))}
        onClear={() => setTexts({})}
        onFill={() => setTexts(allOpen(offered))}
      >
        One order with a line for each requirement: all of them are made, or none.
      </QuantityTable>
      {covered > 0 && (
        <p role="status">
          {countText(covered, 'requirement')} of those chosen: nothing is open, nothing is ordered.
        </p>
      )}
      {open.length > LINES_MAX && (
        <p className="muted">
          These are the first {LINES_MAX} of {open.length}: the others go into an order of their own.
        </p>
      )}
    </Dialog>
  );
}
