/** One order: its lines, and what is done with each. */
import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../client/ask.ts';
import type { OrderWithLines, StockLine } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { Icon } from '../components/icons.tsx';
import { PageFrame, Sheet, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { countText, dayText, Moment, PartNumber, Quantity } from '../components/words.tsx';
import { usePathParam } from '../navigation/address.ts';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { LineDialog } from './line-dialog.tsx';
import { type LineMove, LineMoveDialog, movesOf } from './line-move-dialog.tsx';
import { OrderState, orderTypeText } from './order-words.tsx';

export function OrderPage() {
  const id = usePathParam('id');
  const mayWrite = useMay('write');
  const query = useQuery(ask('getOrder', { id }));
  const [adding, setAdding] = useState(false);
  const [move, setMove] = useState<{ line: StockLine; move: LineMove } | null>(null);
  const above = { label: 'Orders', href: paths.orders() };
  if (query.data === undefined) {
    return (
      <PageFrame title="Order" above={above}>
        {query.isError ? <ProblemPanel error={query.error} /> : <Waiting />}
      </PageFrame>
    );
  }
  const order = query.data;
  return (
    <PageFrame
      title={
        <>
          {orderTypeText(order.type)} <PartNumber number={order.number} />
        </>
      }
      plainTitle={`${orderTypeText(order.type)} ${order.number ?? ''}`}
      above={above}
      lead={
        <>
          <OrderState state={order.state} />
          <span>
            {countText(order.totals.openLines, 'line')} of {order.totals.lines} open
          </span>
          <span>
            made <Moment at={order.createdAt} />
          </span>
        </>
      }
      actions={mayWrite && <Button onClick={() => setAdding(true)}>Add a line</Button>}
    >
      <Lines order={order} onMove={mayWrite ? (line, what) => setMove({ line, move: what }) : null} />
      {adding && <LineDialog order={order} onClose={() => setAdding(false)} />}
      {move !== null && <LineMoveDialog {...move} onClose={() => setMove(null)} />}
    </PageFrame>
  );
}

function Lines({
  order,
  onMove,
}: {
  order: OrderWithLines;
  onMove: ((line: StockLine, move: LineMove) => void) | null;
}) {
  const sells = order.type === 'salesOrder';
  return (
    <Sheet title="Lines" flush>
      <table>
        <thead>
          <tr>
            <th>Item</th>
            <th>State</th>
            <th className="end">Quantity</th>
            {sells && <th className="end">Reserved</th>}
            <th className="end">{sells ? 'Shipped' : 'Received'}</th>
            <th className="end">Open</th>
            <th>Required by</th>
            <th>For</th>
            {onMove !== null && <th>Do</th>}
          </tr>
        </thead>
        <tbody>
          {order.lines.map((line) => {
            const [first, ...others] = movesOf(line);
            return (
              <tr key={line.id}>
                <td>
                  <Link href={paths.entity(line.itemEntityId, 'stock')}>
                    <PartNumber number={line.itemNumber} />
                  </Link>
                </td>
                <td>
                  <OrderState state={line.state} />
                </td>
                <td className="end">
                  <Quantity value={line.quantity} />
                </td>
                {sells && (
                  <td className="end">
                    <Quantity value={line.reservedQty} />
                  </td>
                )}
                <td className="end">
                  <Quantity value={sells ? line.shippedQty : line.receivedQty} />
                </td>
                <td className="end">
                  <Quantity value={line.openQty} />
                </td>
                <td>{line.requiredBy === null ? '–' : dayText(line.requiredBy)}</td>
                <td>
                  {line.requirementId !== null && (
                    <Link href={paths.requirement(line.requirementId)}>requirement</Link>
                  )}
                </td>
                {onMove !== null && (
                  <td>
                    {first !== undefined && (
                      <Button size="xs" variant="default" onClick={() => onMove(line, first)}>
                        {first.label}
                      </Button>
                    )}{' '}
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
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </Sheet>
  );
}
