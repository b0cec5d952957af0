/** Every supplier. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Supplier } from '../../client/operations.ts';
import { useMay } from '../../client/session.ts';
import { textColumn } from '../../components/lists/columns.tsx';
import type { GridColumn } from '../../components/lists/grid-column.ts';
import { List } from '../../components/lists/list-page.tsx';
import { EmptyState, GridSheet, PageFrame } from '../../components/page-frame.tsx';
import { StatusWord } from '../../components/words.tsx';
import { useGo } from '../../navigation/link.tsx';
import { paths } from '../../navigation/paths.ts';
import { ProcurementTabs } from '../procurement-tabs.tsx';
import { ExchangeRates } from './exchange-rates.tsx';
import { SupplierRecordDialog } from './supplier-record-dialog.tsx';

export function SupplierListPage() {
  const mayOrder = useMay('procurement');
  const go = useGo();
  const [creating, setCreating] = useState(false);
  return (
    <PageFrame
      title="Procurement"
      actions={mayOrder && <Button onClick={() => setCreating(true)}>New supplier</Button>}
    >
      <ProcurementTabs current="suppliers" />
      <GridSheet>
        <List
          label="Suppliers"
          noun={['supplier', 'suppliers']}
          name="listSuppliers"
          input={{}}
          rowKey={({ id }) => id}
          hrefOf={({ id }) => paths.supplier(id)}
          heightMax={680}
          search={{ key: 'q', placeholder: 'Name or code' }}
          filters={[
            {
              key: 'state',
              label: 'State',
              options: [
                { value: 'active', label: 'Active' },
                { value: 'inactive', label: 'Inactive' },
              ],
            },
          ]}
          columns={columns}
          empty={
            <EmptyState title="No suppliers yet">
              An order that names a supplier creates it; or create it here, with its currency and lead time.
            </EmptyState>
          }
        />
      </GridSheet>
      <ExchangeRates mayWrite={mayOrder} />
      {creating && (
        <SupplierRecordDialog
          supplier={null}
          onClose={() => setCreating(false)}
          onDone={({ id }) => go(paths.supplier(id))}
        />
      )}
    </PageFrame>
  );
}

const columns: GridColumn<Supplier>[] = [
  textColumn('name', 'Supplier', { width: 180, grow: 2, phone: 'title' }),
  textColumn('code', 'Code', { width: 90, phone: 'detail' }),
  textColumn('currency', 'Currency', { width: 90, phone: 'detail' }),
  {
    key: 'leadTimeDays',
    header: 'Lead time',
    width: 100,
    align: 'end',
    phone: 'detail',
    cell: ({ leadTimeDays }) => daysText(leadTimeDays),
    text: ({ leadTimeDays }) => leadTimeDays,
  },
  {
    key: 'state',
    header: 'State',
    width: 90,
    phone: 'side',
    cell: ({ state }) => <SupplierState state={state} />,
    text: ({ state }) => state,
  },
  textColumn('contact', 'Contact', { width: 180, grow: 1, spare: 1, phone: 'detail' }),
];

export function SupplierState({ state }: Pick<Supplier, 'state'>) {
  return <StatusWord tone={state === 'active' ? 'good' : 'quiet'}>{state}</StatusWord>;
}

export function daysText(days: number | null): string {
  return days === null ? '' : days === 1 ? '1 day' : `${days} days`;
}
