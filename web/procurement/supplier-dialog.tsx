/** Says from whom a purchase order is, or that it is from somebody else. */
import { useState } from 'react';
import type { Order } from '../client/operations.ts';
import { Dialog } from '../components/dialog.tsx';
import { useAction } from '../components/use-action.ts';
import { SupplierField } from './supplier-field.tsx';

export interface SupplierDialogProps {
  order: Pick<Order, 'id' | 'number' | 'supplier'>;
  onClose: () => void;
}

export function SupplierDialog({ order, onClose }: SupplierDialogProps) {
  const [name, setName] = useState(order.supplier ?? '');
  const given = name.trim() === '' ? null : name.trim();
  const change = useAction('updateOrder', {
    changes: ['listOrders', 'getOrder', 'listSuppliers', 'listStockLines', 'listAudit'],
    done: ({ number, supplier }) =>
      supplier === null
        ? `${number ?? 'The order'} names no supplier now.`
        : `${number ?? 'The order'} is from ${supplier}.`,
    onDone: onClose,
  });
  return (
    <Dialog
      title={`Supplier of ${order.number ?? 'the order'}`}
      submit="Save"
      onClose={onClose}
      busy={change.isPending}
      error={change.error}
      notYet={given === order.supplier ? 'Nothing is changed yet.' : null}
      onSubmit={() => change.mutate({ id: order.id, body: { supplier: given } })}
    >
      <SupplierField value={name} onValue={setName} autoFocus />
    </Dialog>
  );
}
