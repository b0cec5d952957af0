/** The lines of an order, and what is done with each. */
import { Button, Menu } from '@mantine/core';
import type { OrderWithLines, StockLine } from '../client/operations.ts';
import { Icon } from '../components/icons.tsx';
import { DataGrid } from '../components/lists/data-grid.tsx';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { usePhone, useTablet } from '../components/lists/use-media.ts';
import { Due, isPast, PartNumber, Quantity, StatusWord } from '../components/words.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { type LineMove, movesOf } from './line-move-dialog.tsx';
import { OrderState } from './order-words.tsx';
import styles from './procurement.module.css';

type OnMove = (line: StockLine, move: LineMove) => void;

export function OrderLines({ order, onMove }: { order: OrderWithLines; onMove: OnMove | null }) {
  return (
    <DataGrid
      label="Lines"
      columns={columnsOf(order.type === 'salesOrder', onMove)}
      rows={order.lines}
      rowKey={({ id }) => id}
      hrefOf={({ itemEntityId }) => paths.entity(itemEntityId, 'stock')}
      heightMax={720}
    />
  );
}

const figure = (
  key: 'quantity' | 'reservedQty' | 'shippedQty' | 'receivedQty' | 'openQty',
  header: string,
): GridColumn<StockLine> => ({
  key,
  header,
  width: 76,
  align: 'end',
  cell: (line) => <Quantity value={line[key]} />,
  text: (line) => line[key],
});

function columnsOf(sells: boolean, onMove: OnMove | null): GridColumn<StockLine>[] {
  return [
    {
      key: 'item',
      header: 'Item',
      width: 110,
      phone: 'title',
      cell: ({ itemNumber }) => <PartNumber number={itemNumber} />,
    },
    {
      key: 'name',
      header: 'Name',
      width: 130,
      grow: 1,
      phone: 'title',
      cell: ({ itemName }) => itemName,
    },
    {
      key: 'state',
      header: 'State',
      width: 84,
      phone: 'detail',
      cell: (line) => <LineState line={line} />,
      text: ({ state }) => state,
    },
    figure('quantity', 'Quantity'),
    ...(sells ? [{ ...figure('reservedQty', 'Reserved'), spare: 3 }] : []),
    { ...figure(sells ? 'shippedQty' : 'receivedQty', sells ? 'Shipped' : 'Received'), spare: 2 },
    { ...figure('openQty', 'Open'), phone: 'side' },
    {
      key: 'requiredBy',
      header: 'Required by',
      width: 156,
      spare: 1,
      phone: 'detail',
      cell: ({ requiredBy, openQty }) => <Due date={requiredBy} isOpen={openQty > 0} />,
    },
    {
      key: 'location',
      header: sells ? 'From' : 'To',
      width: 100,
      spare: 4,
      cell: ({ locationEntityId, locationNumber, locationName }) => (
        <Link href={paths.entity(locationEntityId, 'stock')} title={locationName}>
          <PartNumber number={locationNumber} />
        </Link>
      ),
    },
    {
      key: 'for',
      header: 'For',
      width: 92,
      spare: 5,
      cell: ({ requirementId }) =>
        requirementId !== null && <Link href={paths.requirement(requirementId)}>requirement</Link>,
    },
    ...(onMove === null
      ? []
      : [
          {
            key: 'do',
            header: 'Do',
            width: 148,
            phone: 'side' as const,
            cell: (line: StockLine) => <Moves line={line} onMove={onMove} />,
          },
        ]),
  ];
}

/**
 * On a phone the day and what is open leave no room for it, and say it too: what is on its way has both. On a tablet there is none
 * for the day, and that it is past says more than that the line is on its way.
 */
function LineState({ line: { state, openQty, requiredBy } }: { line: StockLine }) {
  const [phone, tablet] = [usePhone(), useTablet()];
  const isOnItsWay = openQty > 0 && requiredBy !== null && state !== 'Draft';
  if (phone && isOnItsWay) return null;
  return tablet && isOnItsWay && isPast(requiredBy) ? (
    <StatusWord tone="bad">Overdue</StatusWord>
  ) : (
    <OrderState state={state} />
  );
}

function Moves({ line, onMove }: { line: StockLine; onMove: OnMove }) {
  const [first, ...others] = movesOf(line);
  return (
    <span className={styles.ways}>
      {first !== undefined && (
        <Button size="xs" variant="default" onClick={() => onMove(line, first)}>
          {first.label}
        </Button>
      )}
      {others.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button
              size="xs"
              variant="subtle"
              aria-label={`More for ${line.itemNumber ?? 'the line'}`}
              rightSection={<Icon name="down" size={12} />}
            />
          </Menu.Target>
          <Menu.Dropdown>
            {others.map((other) => (
              <Menu.Item key={other.label} onClick={() => onMove(line, other)}>
                {other.label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </span>
  );
}
