/** The lines of an order, and what is done with each. */

import { Button, Menu } from '@mantine/core';
import { amountText } from '../../../clients/typescript/amount-text.ts';
import type { OrderWithLines, StockLine } from '../../client/operations.ts';
import { allows, useSession } from '../../client/session.ts';
import { Icon } from '../../components/icons.tsx';
import { textColumn, unitColumn } from '../../components/lists/columns.tsx';
import { DataGrid } from '../../components/lists/data-grid.tsx';
import type { GridColumn } from '../../components/lists/grid-column.ts';
import { usePhone } from '../../components/lists/use-media.ts';
import { Due, PartNumber, Quantity } from '../../components/words.tsx';
import { Link } from '../../navigation/link.tsx';
import { paths } from '../../navigation/paths.ts';
import { areaOfMove, type LineMove, movesOf } from '../lines/line-moves.ts';
import styles from '../procurement.module.css';
import { promisedText } from '../promises-field.tsx';
import { OrderState } from './order-words.tsx';

/** In pixels. The days of a line that is promised in parts take more than one line. */
const TWO_LINES_BELOW = 1200;

type OnMove = (line: StockLine, move: LineMove) => void;

export function OrderLines({ order, onMove }: { order: OrderWithLines; onMove: OnMove | null }) {
  return (
    <DataGrid
      label="Lines"
      columns={columnsOf(order, onMove)}
      rows={order.lines}
      rowKey={({ id }) => id}
      hrefOf={({ itemEntityId }) => paths.entity(itemEntityId, 'stock')}
      heightMax={720}
      tallBelow={order.lines.some(({ promises }) => promises.length > 1) ? TWO_LINES_BELOW : undefined}
    />
  );
}

const figure = (
  key: 'quantity' | 'reservedQty' | 'shippedQty' | 'receivedQty' | 'returnedQty' | 'openQty',
  header: string,
): GridColumn<StockLine> => ({
  key,
  header,
  width: 64,
  align: 'end',
  cell: (line) => <Quantity value={line[key]} />,
  text: (line) => line[key],
});

/** Price and amount of purchase lines; the SKU and the packs stand in the tooltip. */
const priceColumns: GridColumn<StockLine>[] = [
  {
    key: 'price',
    header: 'Price',
    width: 96,
    align: 'end',
    spare: 6,
    cell: ({ price, currency, priceUnit, sku, packs }) =>
      price !== null && (
        <span title={sku === null ? undefined : `${sku}, ${packs} packs`}>
          {amountText(price, currency)} {priceUnit !== null && `/ ${priceUnit}`}
        </span>
      ),
    text: ({ price }) => price,
  },
  {
    key: 'amount',
    header: 'Amount',
    width: 96,
    align: 'end',
    spare: 6,
    phone: 'detail',
    cell: ({ amount, currency }) => amount !== null && amountText(amount, currency),
    text: ({ amount }) => amount,
  },
];

const promisedColumn: GridColumn<StockLine> = {
  key: 'promised',
  header: 'Promised',
  width: 150,
  grow: 1,
  spare: 3,
  phone: 'below',
  cell: ({ promises }) => promises.length > 0 && <Promised promises={promises} />,
  text: ({ promises }) => promisedText(promises),
};

/** On a tablet there is room for what a storekeeper works by: how much was ordered and came, and by when. The rest gives way in this order. */
const spare = { reserved: 3, open: 2, state: 1, place: 4, for: 5, unit: 6, revision: 7 };

function columnsOf({ type, lines }: OrderWithLines, onMove: OnMove | null): GridColumn<StockLine>[] {
  const hasReturns = lines.some(({ returnedQty }) => returnedQty > 0);
  const sells = type === 'salesOrder';
  return [
    {
      key: 'item',
      header: 'Item',
      width: 160,
      grow: 1,
      phone: 'title',
      cell: ({ itemNumber, itemName, itemPicture, itemRevisionLabel, requirementId, free }) => (
        <span title={`${itemName}, Rev. ${itemRevisionLabel}`}>
          <PartNumber number={itemNumber} picture={itemPicture} /> <span className="muted">{itemName}</span>
          {requirementId !== null && free > 0 && (
            <span className="muted">
              , <Quantity value={free} /> free
            </span>
          )}
        </span>
      ),
    },
    textColumn('itemRevisionLabel', 'Rev.', { width: 44, spare: spare.revision }),
    {
      key: 'state',
      header: 'State',
      width: 84,
      spare: spare.state,
      phone: 'detail',
      cell: (line) => <LineState line={line} />,
      text: ({ state }) => state,
    },
    figure('quantity', 'Quantity'),
    ...(lines.some(({ unit }) => unit !== null) ? [{ ...unitColumn, hidden: false, spare: spare.unit }] : []),
    ...(sells ? [{ ...figure('reservedQty', 'Reserved'), spare: spare.reserved }] : []),
    figure(sells ? 'shippedQty' : 'receivedQty', sells ? 'Shipped' : 'Received'),
    ...(hasReturns ? [figure('returnedQty', 'Returned')] : []),
    { ...figure('openQty', 'Open'), spare: spare.open, phone: 'side' },
    ...(lines.some(({ price }) => price !== null) ? priceColumns : []),
    {
      key: 'requiredBy',
      header: 'Required by',
      width: 148,
      phone: 'detail',
      cell: ({ requiredBy, openQty }) => <Due date={requiredBy} isOpen={openQty > 0} />,
    },
    ...(lines.some(({ promises }) => promises.length > 0) ? [promisedColumn] : []),
    {
      key: 'location',
      header: sells ? 'From' : 'To',
      width: 92,
      spare: spare.place,
      cell: ({ locationEntityId, locationNumber, locationName }) => (
        <Link href={paths.entity(locationEntityId, 'stock')} title={locationName}>
          <PartNumber number={locationNumber} />
        </Link>
      ),
    },
    {
      key: 'for',
      header: 'For',
      width: 100,
      // The components of a manufacturing line are reached from here.
      ...(type === 'manufacturingOrder' ? { phone: 'detail' as const } : { spare: spare.for }),
      cell: ({ id, requirementId }) => (
        <>
          {type === 'manufacturingOrder' && <Link href={paths.build(id)}>components</Link>}{' '}
          {requirementId !== null && <Link href={paths.requirement(requirementId)}>requirement</Link>}
        </>
      ),
    },
    ...(onMove === null
      ? []
      : [
          {
            key: 'do',
            header: 'Actions',
            width: 124,
            phone: 'side' as const,
            screenOnly: true,
            cell: (line: StockLine, isShown: (key: string) => boolean) => (
              <Moves line={line} onMove={onMove} isStateShown={isShown('state')} />
            ),
          },
        ]),
  ];
}

/** There is no head on a phone. */
function Promised({ promises }: Pick<StockLine, 'promises'>) {
  const text = promisedText(promises);
  return <span title={text}>{usePhone() ? `promised ${text}` : text}</span>;
}

/** On a phone the day and what is open leave no room for it, and say it too: what is on its way has both. */
function LineState({ line: { state, openQty, requiredBy } }: { line: StockLine }) {
  return usePhone() && openQty > 0 && requiredBy !== null && state !== 'Draft' ? null : (
    <OrderState state={state} />
  );
}

function Moves({ line, onMove, isStateShown }: { line: StockLine; onMove: OnMove; isStateShown: boolean }) {
  const session = useSession();
  const [first, ...others] = movesOf(line).filter((move) => allows(session, areaOfMove(move)));
  // What there is to do says how a line stands; where there is nothing, its state does.
  if (first === undefined && !isStateShown) return <OrderState state={line.state} />;
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
