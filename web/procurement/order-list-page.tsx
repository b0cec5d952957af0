/** Every order, with how much of it is open. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useMay } from '../client/session.ts';
import { List } from '../components/lists/list-page.tsx';
import { EmptyState, PageFrame } from '../components/page-frame.tsx';
import { Moment, PartNumber, Quantity } from '../components/words.tsx';
import { paths } from '../navigation/paths.ts';
import { LineDialog } from './line-dialog.tsx';
import { OrderState, orderTypes, orderTypeText } from './order-words.tsx';
import styles from './procurement.module.css';
import { ProcurementTabs } from './procurement-tabs.tsx';

export function OrderListPage() {
  const mayWrite = useMay('write');
  const [creating, setCreating] = useState(false);
  return (
    <PageFrame
      title="Procurement"
      actions={mayWrite && <Button onClick={() => setCreating(true)}>New order</Button>}
    >
      <ProcurementTabs current="orders" />
      <div className={styles.gridSheet}>
        <List
          label="Orders"
          noun={['order', 'orders']}
          name="listOrders"
          input={{ query: { order: 'desc' } }}
          rowKey={({ id }) => id}
          hrefOf={({ id }) => paths.order(id)}
          heightMax={680}
          filters={[
            { key: 'type', label: 'Type', options: orderTypes },
            { key: 'state', label: 'State' },
          ]}
          columns={[
            {
              key: 'number',
              header: 'Order',
              width: 150,
              phone: 'title',
              cell: ({ number }) => <PartNumber number={number} />,
              text: ({ number }) => number,
            },
            {
              key: 'type',
              header: 'Type',
              width: 160,
              phone: 'detail',
              cell: ({ type }) => orderTypeText(type),
              text: ({ type }) => type,
            },
            {
              key: 'name',
              header: 'Name',
              width: 180,
              grow: 1,
              cell: ({ name }) => name,
              text: ({ name }) => name,
            },
            {
              key: 'state',
              header: 'State',
              width: 110,
              phone: 'side',
              cell: ({ state }) => <OrderState state={state} />,
              text: ({ state }) => state,
            },
            {
              key: 'lines',
              header: 'Lines open',
              width: 90,
              align: 'end',
              cell: ({ totals }) => `${totals.openLines} of ${totals.lines}`,
              text: ({ totals }) => totals.openLines,
            },
            {
              key: 'open',
              header: 'Open',
              width: 90,
              align: 'end',
              phone: 'side',
              cell: ({ totals }) => <Quantity value={totals.openQty} />,
              text: ({ totals }) => totals.openQty,
            },
            {
              key: 'createdAt',
              header: 'Made',
              width: 120,
              cell: ({ createdAt }) => <Moment at={createdAt} />,
              text: ({ createdAt }) => createdAt,
            },
          ]}
          empty={
            <EmptyState title="No orders yet">
              They come from requirements, or are made here line by line.
            </EmptyState>
          }
        />
      </div>
      {creating && <LineDialog order={null} onClose={() => setCreating(false)} />}
    </PageFrame>
  );
}
