/** One order: its lines, and what is done with each. */

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { amountDigits } from '../../../clients/typescript/amount-text.ts';
import { ask } from '../../client/ask.ts';
import type { OrderWithLines, StockLine } from '../../client/operations.ts';
import { useMay } from '../../client/session.ts';
import { CommentsPanel } from '../../collaboration/comments-panel.tsx';
import { FollowButton } from '../../collaboration/follow-button.tsx';
import { type Figure, Figures } from '../../components/charts/figures.tsx';
import { PageFrame, Sheet, Waiting } from '../../components/page-frame.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { countText, isPast, Moment, PartNumber, quantityText } from '../../components/words.tsx';
import { usePathParam } from '../../navigation/address.ts';
import { Link } from '../../navigation/link.tsx';
import { paths } from '../../navigation/paths.ts';
import { LedgerGrid } from '../../stock/ledger-grid.tsx';
import { LineDialog } from '../lines/line-dialog.tsx';
import { LineMoveDialog } from '../lines/line-move-dialog.tsx';
import type { LineMove } from '../lines/line-moves.ts';
import { OrderDocument } from '../order-document.tsx';
import { SupplierDialog } from '../suppliers/supplier-dialog.tsx';
import { DeliveryDialog, deliverableLines, deliveryWordsOf } from './delivery-dialog.tsx';
import { OrderLines } from './order-lines.tsx';
import { OrderManyDialog } from './order-many-dialog.tsx';
import { sumsOf } from './order-sums.ts';
import { OrderWays } from './order-ways.tsx';
import { OrderState, orderTypeText, useOrderName } from './order-words.tsx';
import { ReturnDialog, returnableLines } from './return-dialog.tsx';

export function OrderPage() {
  const id = usePathParam('id');
  const mayOrder = useMay('procurement');
  const mayMoveStock = useMay('stock');
  const query = useQuery(ask('getOrder', { id }));
  const nameOf = useOrderName();
  const [doing, setDoing] = useState<'one' | 'many' | 'delivery' | 'return' | 'supplier' | null>(null);
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
  const name = nameOf(order);
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
          {name !== null && <span>{name}</span>}
          {order.supplier !== null && (
            <span>
              from <Link href={paths.orders({ supplier: order.supplier })}>{order.supplier}</Link>
            </span>
          )}
          {order.customer !== null && <span>for {order.customer}</span>}
          {order.ourReference !== null && <span>our reference {order.ourReference}</span>}
          {order.theirReference !== null && <span>their reference {order.theirReference}</span>}
          {mayOrder && (
            <Button variant="subtle" size="compact-sm" onClick={() => setDoing('supplier')}>
              {partnerText(order)}
            </Button>
          )}
          <span>
            made <Moment at={order.createdAt} />
          </span>
        </>
      }
      actions={
        <>
          <FollowButton of={{ entity: order.id }} />
          <OrderDocument order={order} />
          {mayOrder && <OrderWays order={order} />}
          {mayOrder && isOpen(order) && (
            <>
              <Button variant="default" onClick={() => setDoing('many')}>
                Add from a list
              </Button>
              <Button onClick={() => setDoing('one')}>Add a line</Button>
            </>
          )}
        </>
      }
    >
      <Figures figures={figuresOf(order)} />
      <Sheet
        title="Lines"
        flush
        actions={
          mayMoveStock && (
            <>
              {returnableLines(order).length > 0 && (
                <Button variant="default" size="xs" onClick={() => setDoing('return')}>
                  Return
                </Button>
              )}
              {deliverableLines(order).length > 0 && (
                <Button variant="default" size="xs" onClick={() => setDoing('delivery')}>
                  {deliveryWordsOf(order).act} all open
                </Button>
              )}
            </>
          )
        }
      >
        <OrderLines
          order={order}
          onMove={mayOrder || mayMoveStock ? (line, what) => setMove({ line, move: what }) : null}
        />
      </Sheet>
      <Sheet title="Movements" flush>
        <LedgerGrid of={{ order: order.id }} />
      </Sheet>
      <CommentsPanel of={{ entity: order.id }} />
      {doing === 'one' && <LineDialog order={order} onClose={() => setDoing(null)} />}
      {doing === 'many' && <OrderManyDialog order={order} onClose={() => setDoing(null)} />}
      {doing === 'supplier' && <SupplierDialog order={order} onClose={() => setDoing(null)} />}
      {doing === 'return' && <ReturnDialog order={order} onClose={() => setDoing(null)} />}
      {doing === 'delivery' && <DeliveryDialog order={order} onClose={() => setDoing(null)} />}
      {move !== null && (
        <LineMoveDialog
          // As it is now, whoever has moved it since the dialog was opened.
          line={order.lines.find(({ id: lineId }) => lineId === move.line.id) ?? move.line}
          move={move.move}
          onClose={() => setMove(null)}
        />
      )}
    </PageFrame>
  );
}

/** To one that is closed or cancelled the service adds nothing. */
function isOpen({ state }: OrderWithLines): boolean {
  return state !== 'Closed' && state !== 'Cancelled';
}

function figuresOf(order: OrderWithLines): Figure[] {
  const { type, totals, lines } = order;
  const overdue = lines.filter(({ openQty, requiredBy }) => openQty > 0 && isPast(requiredBy)).length;
  const loose = lines.filter(({ openQty, packs }) => openQty > 0 && !Number.isInteger(packs ?? 0)).length;
  const open: Figure = {
    label: 'Lines open',
    value: `${quantityText(totals.openLines)} of ${quantityText(totals.lines)}`,
    tone: totals.openLines > 0 ? 'warn' : undefined,
    note:
      overdue + loose > 0 ? (
        <>
          {overdue > 0 && <span className="bad">{quantityText(overdue)} overdue</span>}
          {overdue > 0 && loose > 0 && ', '}
          {loose > 0 && `${quantityText(loose)} not in whole packs`}
        </>
      ) : undefined,
  };
  const cost: Figure[] = totals.amounts.map(({ currency, amount }, at) => ({
    label: `Amount in ${currency}`,
    value: amountDigits(amount, currency),
    note:
      at === 0 && totals.unpricedLines > 0
        ? `without ${countText(totals.unpricedLines, 'line')} that have no price`
        : undefined,
  }));
  const sums = sumsOf(order);
  if (sums === null) return [open, ...cost];
  const complete: Figure = {
    label: 'Lines complete',
    value: quantityText(sums.complete),
    note: sums.cancelled > 0 ? `${quantityText(sums.cancelled)} cancelled` : undefined,
  };
  if (sums.ofOneItem === null) return [open, complete, ...cost];
  const { ordered, done, open: left, doneOfCancelled } = sums.ofOneItem;
  return [
    open,
    complete,
    { label: 'Ordered', value: quantityText(ordered) },
    {
      label: type === 'salesOrder' ? 'Shipped' : 'Received',
      value: quantityText(done),
      note: doneOfCancelled > 0 ? `and ${quantityText(doneOfCancelled)} of cancelled lines` : undefined,
    },
    { label: 'Open', value: quantityText(left), tone: left > 0 ? 'warn' : undefined },
    ...cost,
  ];
}

/** The button that changes who is on the other side of the order. */
function partnerText({
  type,
  supplier,
  customer,
}: Pick<OrderWithLines, 'type' | 'supplier' | 'customer'>): string {
  if (type === 'purchaseOrder') return supplier === null ? 'Name the supplier' : 'Change supplier';
  if (type === 'salesOrder') return customer === null ? 'Name the customer' : 'Change customer';
  return 'References';
}
