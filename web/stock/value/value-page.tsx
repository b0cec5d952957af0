/** The value of stock, by item, now or at a past time: what is known, and apart from it what has no known cost. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../client/ask.ts';
import type { StockValue } from '../../client/operations.ts';
import { useMay } from '../../client/session.ts';
import { Figures } from '../../components/charts/figures.tsx';
import { Asked } from '../../components/dialogs/asked.tsx';
import { measuredColumn, numberColumn, textColumn, unitColumn } from '../../components/lists/columns.tsx';
import type { GridColumn } from '../../components/lists/grid-column.ts';
import { List } from '../../components/lists/list-page.tsx';
import { EmptyState, GridSheet, PageFrame } from '../../components/page-frame.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { costMethodNames, momentText, Quantity, quantityText } from '../../components/words.tsx';
import { entityFilter } from '../../entities/lists/entity-filter.tsx';
import { useAddress } from '../../navigation/address.ts';
import { Link } from '../../navigation/link.tsx';
import { paths } from '../../navigation/paths.ts';
import { StockTabs } from '../stock-tabs.tsx';
import { RevalueDialog } from './revalue-dialog.tsx';
import { StandardCostDialog } from './standard-cost.tsx';
import { moneyWords } from './value-words.ts';

const filters = [
  { key: 'at', label: 'At', type: 'datetime-local' as const, name: momentText },
  entityFilter('below', 'At or in location', 'location'),
];

export function ValuePage() {
  const settings = useQuery(ask('getStockSettings', {}));
  return (
    <PageFrame title="Stock" plainTitle="Stock value">
      <StockTabs current="value" />
      <Asked of={settings}>{({ costing }) => (costing === null ? <NotValued /> : <Valued />)}</Asked>
    </PageFrame>
  );
}

function NotValued() {
  const mayConfigure = useMay('configuration');
  return (
    <GridSheet>
      <EmptyState title="Stock is not valued">
        A workspace values its stock once it has a method and a currency, under{' '}
        {mayConfigure ? (
          <Link href={paths.settings('stock')}>Settings, Stock</Link>
        ) : (
          'Settings, Stock: somebody who may configure sets them'
        )}
        .
      </EmptyState>
    </GridSheet>
  );
}

function Valued() {
  const mayRevalue = useMay('procurement');
  const address = useAddress();
  const [revalued, setRevalued] = useState<StockValue | null>(null);
  const [at, below] = [address.get('at'), address.get('below')];
  // What is over keeps its value: a revaluation is of now.
  const columns = mayRevalue && at === undefined ? [...shown, revalueColumn(setRevalued)] : shown;
  return (
    <>
      <Total at={at} below={below} />
      <GridSheet>
        <List
          label="Stock value"
          noun={['item', 'items']}
          name="listStockValues"
          input={{}}
          columns={columns}
          rowKey={({ itemEntityId }) => itemEntityId}
          hrefOf={({ itemEntityId }) => paths.entity(itemEntityId, 'stock')}
          nameOf={({ itemNumber, itemName }) => `${itemNumber ?? ''} ${itemName}`}
          filters={filters}
          heightMax={680}
          empty={<EmptyState title="Nothing is in stock">What is received has a value here.</EmptyState>}
        />
      </GridSheet>
      {revalued !== null && <CostDialog row={revalued} onClose={() => setRevalued(null)} />}
    </>
  );
}

/** An item with a standard cost gets another standard: a revaluation would be refused. */
function CostDialog({ row, onClose }: { row: StockValue; onClose: () => void }) {
  const { itemEntityId, itemNumber, itemName, currency, standardCost } = row;
  const of = { item: { id: itemEntityId, number: itemNumber, name: itemName }, currency, onClose };
  return standardCost === null ? (
    <RevalueDialog {...of} layer={null} />
  ) : (
    <StandardCostDialog {...of} standard={standardCost} />
  );
}

function Total({ at, below }: { at: string | undefined; below: string | undefined }) {
  const query = { ...(at === undefined ? {} : { at }), ...(below === undefined ? {} : { below }) };
  const { data, error, refetch } = useQuery(ask('getStockValueTotal', { query }));
  if (error !== null && data === undefined)
    return <ProblemPanel error={error} onRetry={() => void refetch()} />;
  return (
    <Figures
      figures={[
        {
          label: 'Value',
          value: data === undefined ? null : moneyWords(data.value, data.currency),
          note: data && costMethodNames[data.method],
        },
        { label: 'Items in stock', value: data === undefined ? null : quantityText(data.items) },
        {
          label: 'Without a known cost',
          value: data === undefined ? null : quantityText(data.unknownItems),
          note:
            data !== undefined && data.unknownItems > 0
              ? 'items; what has no known cost is not in the value'
              : undefined,
          ...(data !== undefined && data.unknownItems > 0 ? { tone: 'warn' as const } : {}),
        },
      ]}
    />
  );
}

const shown: readonly GridColumn<StockValue>[] = [
  numberColumn('itemNumber', 'Item', { width: 112, phone: 'title' }),
  textColumn('itemName', 'Name', { width: 132, grow: 1, phone: 'detail' }),
  measuredColumn('onHand', 'On hand', { width: 80, spare: 1 }),
  {
    key: 'unknownQuantity',
    header: 'No known cost',
    width: 108,
    align: 'end',
    phone: 'detail',
    cell: ({ unknownQuantity, unit }) =>
      unknownQuantity > 0 && (
        <>
          <Quantity value={unknownQuantity} unit={unit} /> unknown
        </>
      ),
    text: ({ unknownQuantity }) => unknownQuantity,
  },
  {
    key: 'unitValue',
    header: 'For one',
    width: 100,
    align: 'end',
    spare: 2,
    cell: ({ unitValue, currency }) => (unitValue === null ? '' : moneyWords(unitValue, currency)),
    text: ({ unitValue }) => unitValue,
  },
  {
    key: 'value',
    header: 'Value',
    width: 124,
    align: 'end',
    phone: 'side',
    cell: ({ value, currency }) => <strong>{moneyWords(value, currency)}</strong>,
    text: ({ value }) => value,
  },
  textColumn('currency', 'Currency', { width: 72, hidden: true }),
  unitColumn,
];

function revalueColumn(onRevalue: (row: StockValue) => void): GridColumn<StockValue> {
  return {
    key: 'revalue',
    header: 'Revalue',
    width: 128,
    phone: 'side',
    cell: (row) => {
      const act = row.standardCost === null ? 'Revalue' : 'Standard cost';
      return (
        <Button
          size="xs"
          variant="default"
          aria-label={`${act} ${row.itemNumber ?? row.itemName}`}
          onClick={() => onRevalue(row)}
        >
          {act}
        </Button>
      );
    },
  };
}
