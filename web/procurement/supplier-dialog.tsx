/** Says from whom a purchase order is, or that it is from somebody else. */
import { useState } from 'react';
import type { Order } from '../client/operations.ts';
import { Dialog } from '../components/dialog.tsx';
import { ChangedMeanwhile, SOMEBODY_FIRST as FIRST } from '../entities/changed-meanwhile.tsx';
import { useChangeAsShown } from '../entities/use-change-as-shown.ts';
import { SupplierField } from './supplier-field.tsx';

export interface SupplierDialogProps {
  order: Pick<Order, 'id' | 'number' | 'supplier'>;
  onClose: () => void;
}

export function SupplierDialog({ order, onClose }: SupplierDialogProps) {
  const [name, setName] = useState(order.supplier ?? '');
  const given = name.trim() === '' ? null : name.trim();
  const change = useChangeAsShown(
    'updateOrder',
    {
      operation: 'getOrder',
      input: { id: order.id },
      fields: { supplier: order.supplier },
      fieldsOf: ({ supplier }) => ({ supplier }),
      labels: { supplier: 'Supplier' },
    },
    {
      changes: ['listOrders', 'getOrder', 'listSuppliers', 'listStockLines', 'listAudit'],
      done: ({ number, supplier }) =>
        supplier === null
          ? `${number ?? 'The order'} names no supplier now.`
          : `${number ?? 'The order'} is from ${supplier}.`,
      onDone: onClose,
    },
  );
  const isTyped = given !== change.begun.supplier;
  const goOn = () => {
    const { supplier } = change.takeOver();
    if (!isTyped) setName(supplier ?? '');
  };
  return (
    <Dialog
      title={`Supplier of ${order.number ?? 'the order'}`}
      submit="Save"
      onClose={onClose}
      busy={change.isPending}
      error={change.error}
      notYet={change.meanwhile !== null ? FIRST : isTyped ? null : 'Nothing is changed yet.'}
      onSubmit={() => void change.send({ id: order.id, body: { supplier: given } })}
    >
      <SupplierField value={name} onValue={setName} autoFocus />
      {change.meanwhile !== null && <ChangedMeanwhile changes={change.meanwhile} onKeep={goOn} />}
    </Dialog>
  );
}
