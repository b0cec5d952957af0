/** The reorder list: what is below its point, by supplier, and orders of what is chosen. A buyer opens it in the morning. */

import { Button, Checkbox, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { amountText } from '../../clients/typescript/amount-text.ts';
import { ask } from '../client/ask.ts';
import type { ReorderProposal, ReorderTotal } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { Asked } from '../components/dialogs/asked.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { typedQuantity } from '../components/forms/exact-quantity.ts';
import { EmptyState, PageFrame, Sheet } from '../components/page-frame.tsx';
import { useAction } from '../components/use-action.ts';
import { countText, dayText, Quantity, quantityText } from '../components/words.tsx';
import { EntityPicker, type PickedEntity } from '../entities/entity-picker.tsx';
import { Link, useGo } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { typedQuantityOf } from './open-quantities.ts';
import styles from './procurement.module.css';
import { ProcurementTabs } from './procurement-tabs.tsx';
import { QuantityTable } from './quantity-table.tsx';
import { askReorder, convertedText, microOf, moneyText } from './reorder-totals.ts';
import { SUPPLY_CHANGES } from './supply-dialog.tsx';

/** Number of items that the service orders in one call. */
const LINES_MAX = 500;

export function ReorderPage() {
  const settings = useQuery(ask('getStockSettings', {}));
  const [typed, setTyped] = useState<string | null>(null);
  const own = settings.data?.costing?.currency ?? '';
  const text = typed ?? own;
  // Until it is a code, the sums are in the currency before.
  const currency = /^[A-Z]{3}$/.test(text) ? text : text === '' ? '' : own;
  const found = useQuery({
    ...askReorder(currency),
    enabled: !settings.isPending,
    placeholderData: keepPreviousData,
  });
  return (
    <PageFrame title="Procurement">
      <ProcurementTabs current="reorder" />
      <p className="muted">
        This list shows the items that are below their reorder points, each by itself.{' '}
        <Link href={paths.plans()}>A planning run</Link> covers all needs over all levels.
      </p>
      <Asked of={found}>
        {({ proposals, totals }) =>
          proposals.length === 0 ? (
            <EmptyState title="Nothing is below its reorder point">
              The Demand tab of an item says how it is reordered.
            </EmptyState>
          ) : (
            <>
              <div className={styles.asking}>
                <TextInput
                  label="Totals also in"
                  placeholder="a currency"
                  maxLength={3}
                  value={text}
                  error={text === '' || /^[A-Z]{3}$/.test(text) ? null : 'Three letters, such as EUR.'}
                  onChange={(event) => setTyped(event.currentTarget.value.trim().toUpperCase())}
                />
                <p role="status">{allText(totals)}</p>
              </div>
              <Proposals proposals={proposals} totals={totals} />
            </>
          )
        }
      </Asked>
    </PageFrame>
  );
}

interface Chosen {
  of: ReorderProposal;
  quantity: number;
}

function Proposals({
  proposals,
  totals,
}: {
  proposals: readonly ReorderProposal[];
  totals: readonly ReorderTotal[];
}) {
  const mayWrite = useMay('procurement');
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [isOrdering, setOrdering] = useState(false);
  const textOf = ({ itemEntityId, quantity }: ReorderProposal) =>
    texts[itemEntityId] ?? typedQuantity(quantity);
  const rows = proposals.map((of) => ({ of, ...typedQuantityOf(textOf(of)) }));
  const chosen: Chosen[] = rows.flatMap(({ of, now }) =>
    now !== null && now > 0 ? [{ of, quantity: now }] : [],
  );
  const wrong = rows.find((row) => row.wrong !== null);
  const bySupplier = [...Map.groupBy(rows, ({ of }) => headOf(of))].toSorted(([a], [b]) =>
    a.localeCompare(b),
  );
  const setAll = (own: typeof rows, value: (of: ReorderProposal) => string) =>
    setTexts({ ...texts, ...Object.fromEntries(own.map(({ of }) => [of.itemEntityId, value(of)])) });
  return (
    <>
      {bySupplier.map(([head, own]) => (
        <Sheet key={head} title={head}>
          <QuantityTable
            label={`Below their points: ${head}`}
            before={[
              { header: 'Projected', isFigure: true },
              { header: 'Point', isFigure: true },
              { header: 'Offer', isAside: true },
            ]}
            field="Order"
            after="Amount"
            rows={own.map(({ of, text, wrong: fault, now }) => ({
              id: of.itemEntityId,
              itemNumber: of.itemNumber,
              itemName: of.itemName,
              text,
              wrong: fault,
              before: [
                <span
                  key="projected"
                  title={`${quantityText(of.availableQty)} available, ${quantityText(of.comingQty)} coming, ${quantityText(of.draftQty)} drafted, ${quantityText(of.demandQty)} needed`}
                >
                  <Quantity value={of.projectedQty} />
                </span>,
                <Quantity key="point" value={of.reorderPoint} />,
                <span key="offer">{offerOf(of)}</span>,
              ],
              after:
                now === of.quantity && of.amount !== null && of.currency !== null
                  ? moneyText(microOf(of.amount), of.currency)
                  : '',
            }))}
            onType={(id, text) => setTexts((before) => ({ ...before, [id]: text }))}
            fill="Use proposed quantities"
            isReadOnly={!mayWrite}
            onClear={() => setAll(own, () => '')}
            onFill={() => setAll(own, ({ quantity }) => typedQuantity(quantity))}
          >
            {countText(own.length, 'item')}
            {own.every(({ of }) => of.makeOrBuy === 'make') && ' to make'}
            {totalOf(own.map(({ of }) => of))}
            {convertedOf(head, totals)}.{mayWrite && ' Clear the quantity of what is not to be ordered.'}
          </QuantityTable>
        </Sheet>
      ))}
      {mayWrite && (
        <div>
          <Button disabled={chosen.length === 0 || wrong !== undefined} onClick={() => setOrdering(true)}>
            Order {countText(chosen.length, 'item')}
          </Button>
        </div>
      )}
      {isOrdering && (
        <OrderDialog
          chosen={chosen.slice(0, LINES_MAX)}
          onClose={() => setOrdering(false)}
          onDone={() => setTexts({})}
        />
      )}
    </>
  );
}

function headOf({ makeOrBuy, supplier }: ReorderProposal): string {
  return makeOrBuy === 'make' ? 'Made here' : (supplier ?? 'No supplier');
}

/** Such as `DK-1, 3 packs of 10, 0.50 USD, received on 4 Dec`. */
function offerOf({
  sku,
  packs,
  packQuantity,
  unit,
  price,
  currency,
  receivedOn,
  supplierPartId,
  makeOrBuy,
}: ReorderProposal) {
  const received = receivedOn === null ? '' : `, received on ${dayText(receivedOn)}`;
  if (supplierPartId === null)
    return `${makeOrBuy === 'make' ? 'manufacturing order' : 'no supplier part'}${received}`;
  const inUnit = unit === null ? '' : ` ${unit}`;
  const cost = price === null ? 'no price' : amountText(price, currency);
  return `${sku}, ${quantityText(packs ?? 0)} × ${quantityText(packQuantity ?? 1)}${inUnit}, ${cost}${received}`;
}

/** What everything on the list costs, in words. */
function allText(totals: readonly ReorderTotal[]): string {
  const sums = new Map<string, bigint>();
  for (const { currency, amount } of totals.flatMap(({ amounts }) => amounts))
    sums.set(currency, (sums.get(currency) ?? 0n) + microOf(amount));
  if (sums.size === 0) return '';
  const said = [...sums].map(([currency, sum]) => moneyText(sum, currency)).join(', ');
  const converted = convertedText(totals);
  return `All together: ${said}${converted === '' ? '' : ` (${converted})`}.`;
}

function convertedOf(head: string, totals: readonly ReorderTotal[]): string {
  const text = convertedText(totals.filter(({ supplier }) => supplier === head));
  return text === '' ? '' : ` (${text})`;
}

/** Sums of exact decimals by currency, as text. */
function totalOf(own: readonly ReorderProposal[]): string {
  const sums = new Map<string, bigint>();
  for (const { amount, currency } of own) {
    if (amount === null || currency === null) continue;
    sums.set(currency, (sums.get(currency) ?? 0n) + microOf(amount));
  }
  // A made item needs no price.
  const unpriced = own.filter(({ amount, makeOrBuy }) => amount === null && makeOrBuy !== 'make').length;
  const texts = [...sums].map(([currency, sum]) => moneyText(sum, currency));
  if (unpriced > 0) texts.push(`${unpriced} without a price`);
  return texts.length === 0 ? '' : `: ${texts.join(', ')}`;
}

function OrderDialog({
  chosen,
  onClose,
  onDone,
}: {
  chosen: readonly Chosen[];
  onClose: () => void;
  onDone: () => void;
}) {
  const go = useGo();
  const [location, setLocation] = useState<PickedEntity | null>(null);
  const [isDraft, setDraft] = useState(true);
  const homeless = chosen.filter(({ of }) => of.locationEntityId === null).length;
  const order = useAction('orderReorder', {
    changes: [...SUPPLY_CHANGES, 'listReorder'],
    done: ({ orders }) => `${countText(chosen.length, 'item')} in ${countText(orders.length, 'order')}.`,
    onDone: ({ orders: [first, ...others] }) => {
      onClose();
      onDone();
      if (first !== undefined)
        go(others.length === 0 ? paths.order(first.id) : paths.orders({ open: 'true' }));
    },
  });
  return (
    <Dialog
      title={`Order ${countText(chosen.length, 'item')}`}
      submit="Order"
      onClose={onClose}
      busy={order.isPending}
      error={order.error}
      notYet={homeless > 0 && location === null ? 'Choose a location.' : null}
      onSubmit={() =>
        order.mutate({
          body: {
            lines: chosen.map(({ of, quantity }) => ({ itemEntityId: of.itemEntityId, quantity })),
            ...(location === null ? {} : { locationEntityId: location.id }),
            state: isDraft ? ('Draft' as const) : ('Ordered' as const),
          },
        })
      }
    >
      <p>One order for each supplier: all of them are created, or none.</p>
      {homeless > 0 && (
        <EntityPicker label="Received at" plays="location" value={location} onPick={setLocation} autoFocus />
      )}
      <Checkbox
        label="As drafts"
        description="Draft lines promise nothing yet and are ordered later. They are not proposed again."
        checked={isDraft}
        onChange={(event) => setDraft(event.currentTarget.checked)}
      />
    </Dialog>
  );
}
