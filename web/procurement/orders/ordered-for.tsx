/** What was ordered for a requirement: which order, from whom, and when it comes. */
import { useQuery } from '@tanstack/react-query';
import { askAll } from '../../client/ask.ts';
import type { StockLine } from '../../client/operations.ts';
import { numberColumn, quantityColumn, textColumn } from '../../components/lists/columns.tsx';
import { DataGrid } from '../../components/lists/data-grid.tsx';
import type { GridColumn } from '../../components/lists/grid-column.ts';
import { Sheet } from '../../components/page-frame.tsx';
import { Due } from '../../components/words.tsx';
import { paths } from '../../navigation/paths.ts';
import { OrderState } from './order-words.tsx';

export function OrderedFor({ requirementId }: { requirementId: string }) {
  const lines = useQuery(askAll('listStockLines', { query: { requirementId, sort: 'requiredBy' } }));
  if (lines.data === undefined || lines.data.length === 0) return null;
  return (
    <Sheet title="Ordered for it" flush>
      <DataGrid
        label="Ordered for it"
        columns={columns}
        rows={lines.data}
        rowKey={({ id }) => id}
        hrefOf={({ orderId }) => paths.order(orderId)}
        heightMax={320}
      />
    </Sheet>
  );
}

const columns: readonly GridColumn<StockLine>[] = [
  numberColumn('orderNumber', 'Order', { width: 110, phone: 'title' }),
  textColumn('supplier', 'Supplier', { width: 120, grow: 1, phone: 'title' }),
  {
    key: 'state',
    header: 'State',
    width: 84,
    phone: 'side',
    cell: ({ state }) => <OrderState state={state} />,
  },
  quantityColumn('quantity', 'Quantity', { width: 72, spare: 2 }),
  quantityColumn('receivedQty', 'Received', { width: 72, spare: 1 }),
  quantityColumn('openQty', 'Open', { width: 72, phone: 'side' }),
  {
    key: 'requiredBy',
    header: 'Required by',
    width: 156,
    phone: 'detail',
    cell: ({ requiredBy, openQty }) => <Due date={requiredBy} isOpen={openQty > 0} />,
  },
];
