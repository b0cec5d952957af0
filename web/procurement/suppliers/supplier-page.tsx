/** One supplier: its facts, what it sells, and its orders. */
import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, askAll } from '../../client/ask.ts';
import type { Supplier } from '../../client/operations.ts';
import { useMay } from '../../client/session.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Facts, PageFrame, Sheet, Waiting } from '../../components/page-frame.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { useAction } from '../../components/use-action.ts';
import { usePathParam } from '../../navigation/address.ts';
import { Link, useGo } from '../../navigation/link.tsx';
import { paths } from '../../navigation/paths.ts';
import { daysText, SupplierState } from './supplier-list-page.tsx';
import { SupplierParts } from './supplier-parts.tsx';
import { SupplierRecordDialog } from './supplier-record-dialog.tsx';

export function SupplierPage() {
  const id = usePathParam('id');
  const mayOrder = useMay('procurement');
  const query = useQuery(ask('getSupplier', { id }));
  const [doing, setDoing] = useState<'change' | 'merge' | null>(null);
  const above = { label: 'Suppliers', href: paths.suppliers() };
  if (query.data === undefined) {
    return (
      <PageFrame title="Supplier" above={above}>
        {query.isError ? <ProblemPanel error={query.error} /> : <Waiting />}
      </PageFrame>
    );
  }
  const supplier = query.data;
  const mayChange = mayOrder && supplier.state !== 'merged';
  return (
    <PageFrame
      title={supplier.name}
      plainTitle={`Supplier ${supplier.name}`}
      above={above}
      lead={
        <>
          <SupplierState state={supplier.state} />
          {supplier.mergedIntoId !== null && (
            <Link href={paths.supplier(supplier.mergedIntoId)}>the supplier that it was merged into</Link>
          )}
        </>
      }
      actions={
        mayChange && (
          <>
            <Button variant="default" onClick={() => setDoing('merge')}>
              Merge
            </Button>
            <Button variant="default" onClick={() => setDoing('change')}>
              Change
            </Button>
          </>
        )
      }
    >
      <Sheet title="Supplier" actions={<Link href={paths.orders({ supplier: supplier.name })}>Orders</Link>}>
        <Facts
          facts={[
            ['Code', supplier.code ?? '–'],
            ['Currency', supplier.currency ?? '–'],
            ['Lead time', daysText(supplier.leadTimeDays) || '–'],
            ['Contact', supplier.contact ?? '–', 'wide'],
          ]}
        />
      </Sheet>
      <SupplierParts of={{ supplierId: supplier.id }} mayWrite={mayChange} />
      {doing === 'change' && <SupplierRecordDialog supplier={supplier} onClose={() => setDoing(null)} />}
      {doing === 'merge' && <MergeDialog supplier={supplier} onClose={() => setDoing(null)} />}
    </PageFrame>
  );
}

function MergeDialog({ supplier, onClose }: { supplier: Supplier; onClose: () => void }) {
  const go = useGo();
  const known = useQuery(askAll('listSuppliers', {}));
  const others = (known.data ?? []).filter(({ id }) => id !== supplier.id);
  const [into, setInto] = useState('');
  const merge = useAction('mergeSupplier', {
    changes: [
      'listSuppliers',
      'getSupplier',
      'listSupplierParts',
      'listOrders',
      'listStockLines',
      'listAudit',
    ],
    done: ({ name }) => `${supplier.name} was merged into ${name}.`,
    onDone: ({ id }) => {
      onClose();
      go(paths.supplier(id));
    },
  });
  return (
    <Dialog
      title={`Merge ${supplier.name} into another supplier`}
      submit="Merge"
      grave
      onClose={onClose}
      busy={merge.isPending}
      error={merge.error}
      notYet={into === '' ? 'Choose the supplier that remains.' : null}
      onSubmit={() => merge.mutate({ id: supplier.id, body: { into } })}
    >
      <p>
        The other supplier gets the orders and the supplier parts of {supplier.name}. This cannot be undone.
      </p>
      <NativeSelect
        label="Supplier that remains"
        value={into}
        data={[{ value: '', label: '–' }, ...others.map(({ id, name }) => ({ value: id, label: name }))]}
        onChange={(event) => setInto(event.currentTarget.value)}
      />
    </Dialog>
  );
}
