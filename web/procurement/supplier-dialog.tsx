/** Says from whom a purchase order is, or that it is from somebody else. */
import type { Order } from '../client/operations.ts';
import { ChangedMeanwhile, SOMEBODY_FIRST } from '../components/changed-meanwhile.tsx';
import { Dialog } from '../components/dialog.tsx';
import { changesOf } from '../components/meanwhile-changes.ts';
import { readBy, useSavedForm } from '../components/use-saved-form.ts';
import { SupplierField, useNewSuppliers } from './supplier-field.tsx';

export interface SupplierDialogProps {
  order: Pick<Order, 'id' | 'number' | 'supplier'>;
  onClose: () => void;
}

export function SupplierDialog({ order, onClose }: SupplierDialogProps) {
  const change = useSavedForm('updateOrder', {
    shown: fieldsOf(order),
    read: readBy('getOrder', { id: order.id }, fieldsOf),
    tell: (from, to) => changesOf(from, to, { supplier: 'Supplier' }),
    changes: ['listOrders', 'getOrder', 'listSuppliers', 'listStockLines', 'listAudit'],
    done: ({ number, supplier }) =>
      supplier === null
        ? `${number ?? 'The order'} names no supplier now.`
        : `${number ?? 'The order'} is from ${supplier}.`,
    onDone: onClose,
  });
  const given = change.form.supplier.trim();
  const { notYet, question } = useNewSuppliers([given]);
  return (
    <Dialog
      title={`Supplier of ${order.number ?? 'the order'}`}
      submit="Save"
      onClose={onClose}
      busy={change.isPending}
      error={change.error}
      notYet={
        change.meanwhile !== null ? SOMEBODY_FIRST : given === change.begun.supplier ? 'No changes.' : notYet
      }
      onSubmit={() => change.save({ id: order.id, body: { supplier: given === '' ? null : given } })}
    >
      <SupplierField
        value={change.form.supplier}
        onValue={(supplier) => change.set({ supplier })}
        autoFocus
        question={question}
      />
      <ChangedMeanwhile form={change} />
    </Dialog>
  );
}

function fieldsOf({ supplier }: Pick<Order, 'supplier'>): { supplier: string } {
  return { supplier: supplier ?? '' };
}
