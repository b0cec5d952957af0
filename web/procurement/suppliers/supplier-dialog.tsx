/** Changes the supplier of a purchase order or the customer of a sales order, and the references of both sides. */
import { TextInput } from '@mantine/core';
import type { Order } from '../../client/operations.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { ChangedMeanwhile, SOMEBODY_FIRST } from '../../components/forms/changed-meanwhile.tsx';
import { changesOf } from '../../components/forms/meanwhile-changes.ts';
import { readBy, useSavedForm } from '../../components/forms/use-saved-form.ts';
import { SupplierField, useNewSuppliers } from './supplier-field.tsx';
import { textOrNull } from './supplier-record-dialog.tsx';

export interface SupplierDialogProps {
  order: Pick<Order, 'id' | 'type' | 'number' | 'supplier' | 'customer' | 'ourReference' | 'theirReference'>;
  onClose: () => void;
}

export function SupplierDialog({ order, onClose }: SupplierDialogProps) {
  const change = useSavedForm('updateOrder', {
    shown: fieldsOf(order),
    read: readBy('getOrder', { id: order.id }, fieldsOf),
    tell: (from, to) =>
      changesOf(from, to, {
        supplier: 'Supplier',
        customer: 'Customer',
        ours: 'Our reference',
        theirs: 'Their reference',
      }),
    changes: ['listOrders', 'getOrder', 'listSuppliers', 'listStockLines', 'listAudit'],
    done: ({ type, number, supplier }) =>
      type !== 'purchaseOrder'
        ? `${number ?? 'The order'} saved.`
        : supplier === null
          ? `${number ?? 'The order'} names no supplier now.`
          : `${number ?? 'The order'} is from ${supplier}.`,
    onDone: onClose,
  });
  const isBought = order.type === 'purchaseOrder';
  const isSold = order.type === 'salesOrder';
  const given = change.form.supplier.trim();
  const { notYet, question } = useNewSuppliers(isBought ? [given] : []);
  return (
    <Dialog
      title={`${isBought ? 'Supplier' : isSold ? 'Customer' : 'References'} of ${order.number ?? 'the order'}`}
      submit="Save"
      onClose={onClose}
      busy={change.isPending}
      error={change.error}
      notYet={change.meanwhile !== null ? SOMEBODY_FIRST : change.isTyped ? notYet : 'No changes.'}
      onSubmit={() =>
        change.save({
          id: order.id,
          body: {
            ...(isBought ? { supplier: given === '' ? null : given } : {}),
            ...(isSold ? { customer: textOrNull(change.form.customer) } : {}),
            ourReference: textOrNull(change.form.ours),
            theirReference: textOrNull(change.form.theirs),
          },
        })
      }
    >
      {isBought && (
        <SupplierField
          value={change.form.supplier}
          onValue={(supplier) => change.set({ supplier })}
          autoFocus
          question={question}
        />
      )}
      {isSold && (
        <TextInput
          label="Customer"
          value={change.form.customer}
          maxLength={200}
          data-autofocus=""
          onChange={(event) => change.set({ customer: event.currentTarget.value })}
        />
      )}
      <TextInput
        label="Our reference"
        value={change.form.ours}
        maxLength={255}
        onChange={(event) => change.set({ ours: event.currentTarget.value })}
      />
      <TextInput
        label="Their reference"
        value={change.form.theirs}
        maxLength={255}
        onChange={(event) => change.set({ theirs: event.currentTarget.value })}
      />
      <ChangedMeanwhile form={change} />
    </Dialog>
  );
}

function fieldsOf({
  supplier,
  customer,
  ourReference,
  theirReference,
}: Pick<Order, 'supplier' | 'customer' | 'ourReference' | 'theirReference'>) {
  return {
    supplier: supplier ?? '',
    customer: customer ?? '',
    ours: ourReference ?? '',
    theirs: theirReference ?? '',
  };
}
