/** The lines of all orders: what is still to come, from which order, and what of it is overdue. */
import type { StockLine } from '../../client/operations.ts';
import {
  momentColumn,
  numberColumn,
  quantityColumn,
  textColumn,
  unitColumn,
} from '../../components/lists/columns.tsx';
import type { Filter } from '../../components/lists/filter-bar.tsx';
import type { GridColumn } from '../../components/lists/grid-column.ts';
import { List } from '../../components/lists/list-page.tsx';
import { EmptyState, GridSheet, PageFrame } from '../../components/page-frame.tsx';
import { Due, PartNumber } from '../../components/words.tsx';
import { entityFilter } from '../../entities/lists/entity-filter.tsx';
import { useTotal } from '../../entities/uses/use-total.ts';
import { useAddress } from '../../navigation/address.ts';
import { Link } from '../../navigation/link.tsx';
import { paths } from '../../navigation/paths.ts';
import {
  lineBehaviours,
  OrderState,
  orderTypes,
  orderTypeText,
  useStateFilter,
} from '../orders/order-words.tsx';
import { OverdueLink } from '../overdue-link.tsx';
import { ProcurementTabs } from '../procurement-tabs.tsx';
import { promisedText } from '../promises-field.tsx';
import { useSupplierFilter } from '../suppliers/supplier-field.tsx';

export function LineListPage() {
  const supplier = useSupplierFilter();
  const state = useStateFilter('lines');
  const address = useAddress();
  const type = address.get('type');
  const total = useTotal({
    behaviours: orderTypes.flatMap(({ value }) =>
      type === undefined || type === value ? [lineBehaviours[value]] : [],
    ),
    state: address.get('state'),
    others: ['supplier', 'requiredFrom', 'requiredBefore', 'itemEntityId', 'open', 'overdue'],
  });
  return (
    <PageFrame title="Procurement" plainTitle="Lines of orders">
      <ProcurementTabs current="lines" />
      <GridSheet>
        <List
          label="Lines of orders"
          noun={['line', 'lines']}
          name="listStockLines"
          input={{}}
          rowKey={({ id }) => id}
          hrefOf={({ orderId }) => paths.order(orderId)}
          heightMax={680}
          total={total}
          sort={{ by: 'created', order: 'desc' }}
          filters={[state, ...filters, supplier]}
          columns={columns}
          tools={<OverdueLink of="lines" />}
          empty={
            <EmptyState
              title="Nothing was ordered yet"
              action={<Link href={paths.orders()}>Order something</Link>}
            >
              Each line of an order says how much of an item is to come or to go, where, and by when.
            </EmptyState>
          }
        />
      </GridSheet>
    </PageFrame>
  );
}

const filters: readonly Filter[] = [
  { key: 'type', label: 'Type', options: orderTypes },
  { key: 'requiredFrom', label: 'Required from', type: 'date' },
  { key: 'requiredBefore', label: 'Required before', type: 'date' },
  entityFilter('itemEntityId', 'Item', 'item'),
];

const columns: readonly GridColumn<StockLine>[] = [
  {
    key: 'item',
    header: 'Item',
    width: 150,
    grow: 2,
    phone: 'title',
    cell: ({ itemNumber, itemName, itemPicture }) => (
      <>
        <PartNumber number={itemNumber} picture={itemPicture} /> <span className="muted">{itemName}</span>
      </>
    ),
    text: ({ itemNumber }) => itemNumber,
  },
  numberColumn('orderNumber', 'Order', { width: 88, phone: 'detail' }),
  {
    key: 'type',
    header: 'Type',
    width: 146,
    spare: 5,
    cell: ({ type }) => orderTypeText(type),
    text: ({ type }) => type,
  },
  {
    key: 'state',
    header: 'State',
    width: 84,
    spare: 1,
    cell: ({ state }) => <OrderState state={state} />,
    text: ({ state }) => state,
  },
  textColumn('itemName', 'Name', { width: 180, grow: 1, hidden: true }),
  quantityColumn('receivedQty', 'Received', { width: 72, hidden: true }),
  quantityColumn('shippedQty', 'Shipped', { width: 72, hidden: true }),
  quantityColumn('quantity', 'Quantity', { width: 72, spare: 4 }),
  quantityColumn('openQty', 'Open', { width: 72, phone: 'side' }),
  {
    key: 'requiredBy',
    header: 'Required by',
    sort: 'requiredBy',
    width: 156,
    phone: 'detail',
    cell: (line) => <Due date={line.requiredBy} isOpen={line.openQty > 0} />,
    text: ({ requiredBy }) => requiredBy,
  },
  {
    key: 'promised',
    header: 'Promised',
    width: 150,
    hidden: true,
    cell: ({ promises }) => promisedText(promises),
    text: ({ promises }) => promisedText(promises),
  },
  // On a phone the last is cut where it is long: the day is not.
  textColumn('supplier', 'Supplier', { width: 110, grow: 1, phone: 'detail', spare: 2 }),
  {
    key: 'location',
    header: 'Location',
    width: 90,
    spare: 3,
    cell: ({ locationEntityId, locationNumber, locationName }) => (
      <Link href={paths.entity(locationEntityId, 'stock')} title={locationName}>
        <PartNumber number={locationNumber} />
      </Link>
    ),
    text: ({ locationNumber }) => locationNumber,
  },
  unitColumn,
  textColumn('itemRevisionLabel', 'Rev.', { width: 48, hidden: true }),
  momentColumn('createdAt', 'Made', { width: 120, hidden: true, sort: 'created' }),
];
