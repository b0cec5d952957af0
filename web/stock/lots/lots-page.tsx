/** Lots and serial numbers of all items: what expires, and what is kept from use. */
import type { CsvTable, StockLot } from '../../client/operations.ts';
import { type ColumnOf, textOf, titlesOf } from '../../components/forms/csv-table.ts';
import { textColumn } from '../../components/lists/columns.tsx';
import type { GridColumn } from '../../components/lists/grid-column.ts';
import { List } from '../../components/lists/list-page.tsx';
import { EmptyState, GridSheet, PageFrame } from '../../components/page-frame.tsx';
import { PartNumber } from '../../components/words.tsx';
import { Link } from '../../navigation/link.tsx';
import { paths } from '../../navigation/paths.ts';
import { lotStatusNames } from '../movements.ts';
import { StockTabs } from '../stock-tabs.tsx';
import { lotColumns } from './item-lots.tsx';

const columns: GridColumn<StockLot>[] = [
  ...lotColumns.slice(0, 1),
  {
    key: 'item',
    header: 'Item',
    width: 120,
    phone: 'detail',
    cell: ({ itemEntityId, itemNumber, itemName }) => (
      <Link href={paths.entity(itemEntityId, 'stock')}>
        <PartNumber number={itemNumber ?? itemName} />
      </Link>
    ),
    text: ({ itemNumber }) => itemNumber,
  },
  textColumn('itemName', 'Name', { width: 160, grow: 1, spare: 1 }),
  ...lotColumns.slice(1),
];

export function LotsPage() {
  return (
    <PageFrame title="Stock" plainTitle="Lots">
      <StockTabs current="lots" />
      <GridSheet>
        <List
          label="Lots"
          noun={['lot', 'lots']}
          name="listLots"
          input={{}}
          columns={columns}
          rowKey={({ id }: StockLot) => id}
          hrefOf={({ id }: StockLot) => paths.lot(id)}
          nameOf={({ number, itemNumber, itemName }: StockLot) => `${number} of ${itemNumber ?? itemName}`}
          filters={[
            { key: 'expiresBefore', label: 'Expires before', type: 'date' },
            {
              key: 'status',
              label: 'Status',
              options: (['available', 'quarantine', 'rejected'] as const).map((value) => ({
                value,
                label: lotStatusNames[value],
              })),
            },
            { key: 'inStock', label: 'On hand', options: [{ value: 'true', label: 'something' }] },
          ]}
          linked={linkedLots}
          heightMax={680}
          empty={
            <EmptyState title="No lots yet">
              Lots begin with the first receipt or adjustment of an item that is tracked by lots or serial
              numbers. The Stock tab of an item has its tracking.
            </EmptyState>
          }
        />
      </GridSheet>
    </PageFrame>
  );
}

/** Columns of the grid by the titles that the service has for them. */
const titles: Readonly<Record<string, ColumnOf<'lots'>>> = {
  number: 'number',
  item: 'itemNumber',
  itemName: 'itemName',
  onHand: 'onHand',
  expiresOn: 'expiresOn',
  status: 'status',
  supplierLot: 'supplierLot',
};

function linkedLots(query: Readonly<Record<string, unknown>>, shown: readonly string[]): CsvTable {
  return {
    of: 'lots',
    expiresBefore: textOf(query.expiresBefore),
    status: query.status as StockLot['status'] | undefined,
    inStock: query.inStock === 'true' ? true : undefined,
    columns: titlesOf(shown, titles),
  };
}
