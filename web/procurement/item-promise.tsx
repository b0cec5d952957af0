/** By when a quantity of an item can be promised: from stock and open lines, and with new orders. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { ask } from '../client/ask.ts';
import type { PlanningPromise } from '../client/operations.ts';
import { Asked } from '../components/dialogs/asked.tsx';
import { readQuantity } from '../components/forms/exact-quantity.ts';
import { QuantityInput } from '../components/forms/quantity-input.tsx';
import { DataGrid } from '../components/lists/data-grid.tsx';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { Facts, Sheet } from '../components/page-frame.tsx';
import { dayText, PartNumber, plainWords, Quantity } from '../components/words.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './procurement.module.css';

type Order = PlanningPromise['orders'][number];

/** Items that a sentence names. */
const ITEMS_NAMED = 5;

export function ItemPromise({ itemId }: { itemId: string }) {
  const [text, setText] = useState('1');
  const [wanted, setWanted] = useState<number | null>(null);
  const promise = useQuery({
    ...ask('getPromise', { id: itemId, query: { quantity: wanted ?? 1 } }),
    enabled: wanted !== null,
    // It is asked for anew with each press: stock may have moved.
    staleTime: 0,
  });
  const quantity = readQuantity(text);
  const isWrong = quantity === null || quantity <= 0;
  return (
    <Sheet title="Promise">
      <form
        className={styles.asking}
        onSubmit={(event) => {
          event.preventDefault();
          if (isWrong || quantity === null) return;
          if (quantity === wanted) void promise.refetch();
          else setWanted(quantity);
        }}
      >
        <QuantityInput label="Quantity to promise" value={text} onValue={setText} />
        <Button type="submit" variant="default" disabled={isWrong} loading={promise.isFetching}>
          Find the day
        </Button>
      </form>
      {wanted !== null && <Asked of={promise}>{(found) => <Days promise={found} />}</Asked>}
    </Sheet>
  );
}

function Days({ promise }: { promise: PlanningPromise }) {
  const { availableOn, capableOn, orders, withoutLeadTimeCount, withoutLeadTime, day, planningRun } = promise;
  const text = (on: string | null) =>
    on === null ? 'not within a year' : on === day ? `today, ${dayText(on)}` : dayText(on);
  return (
    <>
      <div role="status" className={styles.answer}>
        <Facts
          facts={[
            ['From stock and open orders', text(availableOn)],
            ['With new orders', text(capableOn)],
          ]}
        />
        {planningRun !== null && (
          <p>
            It rests on the{' '}
            <Link href={paths.plan(planningRun.id)}>planning run of {dayText(planningRun.day)}</Link>, which
            planned until {dayText(planningRun.horizonEndsOn)}: the item, or a component, is part of very many
            others.
          </p>
        )}
        {withoutLeadTimeCount > 0 && (
          <p>
            <strong>The day may be too early:</strong>{' '}
            {withoutLeadTimeCount === 1 ? '1 item has' : `${withoutLeadTimeCount} items have`} no lead time,
            which counts as 0 days:{' '}
            {withoutLeadTime.slice(0, ITEMS_NAMED).map(({ itemEntityId, itemNumber }, at) => (
              <Fragment key={itemEntityId}>
                {at > 0 && ', '}
                <Link href={paths.entity(itemEntityId, 'demand')}>{itemNumber ?? 'no number'}</Link>
              </Fragment>
            ))}
            {withoutLeadTimeCount > ITEMS_NAMED && ` and ${withoutLeadTimeCount - ITEMS_NAMED} more`}.
          </p>
        )}
      </div>
      {orders.length > 0 && (
        <DataGrid
          label="Orders that the promise takes"
          columns={columns}
          rows={orders.map((order, at) => ({ ...order, key: String(at) }))}
          rowKey={({ key }) => key}
          hrefOf={({ itemEntityId }) => paths.entity(itemEntityId, 'demand')}
          heightMax={420}
        />
      )}
    </>
  );
}

const columns: readonly GridColumn<Order>[] = [
  {
    key: 'item',
    header: 'Item',
    width: 130,
    grow: 1,
    phone: 'title',
    cell: ({ action, itemNumber }) => (
      <>
        {action} <PartNumber number={itemNumber} />
      </>
    ),
  },
  {
    key: 'quantity',
    header: 'Quantity',
    width: 72,
    align: 'end',
    phone: 'side',
    cell: ({ quantity }) => <Quantity value={quantity} />,
  },
  {
    key: 'startsOn',
    header: 'Act on',
    width: 90,
    phone: 'detail',
    cell: ({ startsOn }) => dayText(startsOn),
  },
  { key: 'neededOn', header: 'Needed on', width: 90, cell: ({ neededOn }) => dayText(neededOn) },
  {
    key: 'exceptions',
    header: 'Uncertain',
    width: 140,
    grow: 1,
    phone: 'detail',
    cell: ({ exceptions }) => exceptions.map(plainWords).join(', '),
  },
];
