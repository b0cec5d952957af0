/** Every order, with how many of its lines are open. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Order } from '../../client/operations.ts';
import { useMay } from '../../client/session.ts';
import { momentColumn } from '../../components/lists/columns.tsx';
import { List } from '../../components/lists/list-page.tsx';
import { EmptyState, GridSheet, PageFrame } from '../../components/page-frame.tsx';
import { PartNumber, Quantity, quantityText } from '../../components/words.tsx';
import { useTotal } from '../../entities/uses/use-total.ts';
import { useAddress } from '../../navigation/address.ts';
import { paths } from '../../navigation/paths.ts';
import { LineDialog } from '../lines/line-dialog.tsx';
import { OverdueLink } from '../overdue-link.tsx';
import { ProcurementTabs } from '../procurement-tabs.tsx';
import { useSupplierFilter } from '../suppliers/supplier-field.tsx';
import { OrderManyDialog } from './order-many-dialog.tsx';
import { OrderState, orderTypes, orderTypeText, useOrderName, useStateFilter } from './order-words.tsx';

/** Not how much: three screws and seventy metres of cable are not 73 of anything. */
function OpenLines({ of: { openLines, lines } }: { of: Order['totals'] }) {
  return (
    <span className={openLines === 0 ? 'muted' : undefined}>
      {quantityText(openLines)} of {quantityText(lines)}
    </span>
  );
}

export function OrderListPage() {
  const mayOrder = useMay('procurement');
  const supplier = useSupplierFilter();
  const state = useStateFilter('orders');
  const nameOf = useOrderName();
  const address = useAddress();
  const types = orderTypes.map(({ value }) => value);
  const total = useTotal({
    behaviours: types.filter((type) => (address.get('type') ?? type) === type),
    state: address.get('state'),
    others: ['q', 'supplier', 'customer', 'requiredFrom', 'requiredBefore', 'open', 'overdue'],
  });
  const namesStandApart = address.get('columns')?.split(',').includes('name') === true;
  const [creating, setCreating] = useState<'one' | 'many' | null>(null);
  return (
    <PageFrame
      title="Procurement"
      actions={
        mayOrder && (
          <>
            <Button variant="default" onClick={() => setCreating('many')}>
              Order from a list
            </Button>
            <Button onClick={() => setCreating('one')}>New order</Button>
          </>
        )
      }
    >
      <ProcurementTabs current="orders" />
      <GridSheet>
        <List
          label="Orders"
          noun={['order', 'orders']}
          name="listOrders"
          input={{ query: { order: 'desc' } }}
          rowKey={({ id }) => id}
          hrefOf={({ id }) => paths.order(id)}
          heightMax={680}
          total={total}
          search={{ key: 'q', placeholder: 'Number or name' }}
          tools={<OverdueLink of="orders" />}
          filters={[
            { key: 'type', label: 'Type', options: orderTypes },
            state,
            supplier,
            { key: 'customer', label: 'Customer' },
            { key: 'requiredFrom', label: 'Required from', type: 'date' },
            { key: 'requiredBefore', label: 'Required before', type: 'date' },
          ]}
          columns={[
            {
              key: 'number',
              header: 'Order',
              width: 116,
              grow: 2,
              phone: 'title',
              cell: (order) => (
                <>
                  <PartNumber number={order.number} />{' '}
                  {!namesStandApart && <span className="muted">{nameOf(order)}</span>}
                </>
              ),
              text: ({ number }) => number,
            },
            {
              key: 'type',
              header: 'Type',
              width: 146,
              phone: 'detail',
              cell: ({ type }) => orderTypeText(type),
              text: ({ type }) => type,
            },
            {
              key: 'supplier',
              header: 'Supplier, customer',
              width: 140,
              grow: 2,
              phone: 'title',
              cell: ({ supplier, customer }) => supplier ?? customer,
              text: ({ supplier, customer }) => supplier ?? customer,
            },
            {
              key: 'name',
              header: 'Name',
              width: 150,
              grow: 1,
              hidden: true,
              phone: 'detail',
              cell: nameOf,
              text: nameOf,
            },
            {
              key: 'state',
              header: 'State',
              width: 90,
              phone: 'side',
              cell: ({ state }) => <OrderState state={state} />,
              text: ({ state }) => state,
            },
            {
              key: 'lines',
              header: 'Lines open',
              width: 90,
              align: 'end',
              phone: 'side',
              cell: ({ totals }) => <OpenLines of={totals} />,
              text: ({ totals }) => totals.openLines,
            },
            // The sum means something where all lines are of one item; for views that were kept with it.
            {
              key: 'open',
              header: 'Open',
              width: 90,
              align: 'end',
              hidden: true,
              cell: ({ totals }) => <Quantity value={totals.openQty} />,
              text: ({ totals }) => totals.openQty,
            },
            momentColumn('createdAt', 'Made', { width: 120 }),
          ]}
          empty={
            <EmptyState title="No orders yet">
              They come from requirements, or are made here line by line.
            </EmptyState>
          }
        />
      </GridSheet>
      {creating === 'one' && <LineDialog order={null} onClose={() => setCreating(null)} />}
      {creating === 'many' && <OrderManyDialog order={null} onClose={() => setCreating(null)} />}
    </PageFrame>
  );
}
