/** The cost of an item: what is purchased for a quantity of it, at present prices. */

import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { amountText } from '../../clients/typescript/amount-text.ts';
import { ask } from '../client/ask.ts';
import type { Cost } from '../client/operations.ts';
import { Asked } from '../components/dialogs/asked.tsx';
import { readQuantity } from '../components/forms/exact-quantity.ts';
import { QuantityInput } from '../components/forms/quantity-input.tsx';
import { DataGrid } from '../components/lists/data-grid.tsx';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { Sheet } from '../components/page-frame.tsx';
import { PartNumber, Quantity, quantityText } from '../components/words.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './procurement.module.css';

interface Wanted {
  quantity: number;
  currency: string;
  /** The number of a revision to compare with; null: none. */
  revision: number | null;
}

/** The newest revisions, among which one is chosen to compare with. */
const REVISIONS = 200;

export function ItemCost({ itemId }: { itemId: string }) {
  const [fields, setFields] = useState({ quantity: '1', currency: '', revision: '' });
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const set = (patch: Partial<typeof fields>) => setFields({ ...fields, ...patch });
  const query = {
    quantity: wanted?.quantity ?? 1,
    ...(wanted === null || wanted.currency === '' ? {} : { currency: wanted.currency }),
  };
  const revisions = useQuery(ask('listRevisions', { id: itemId, query: { limit: REVISIONS } }));
  const cost = useQuery({ ...ask('getCost', { id: itemId, query }), enabled: wanted !== null });
  const revision = wanted?.revision ?? null;
  const other = useQuery({
    ...ask('getCost', { id: itemId, query: { ...query, revision: revision ?? 1 } }),
    enabled: revision !== null,
  });
  const quantity = readQuantity(fields.quantity);
  const currency = fields.currency.trim().toUpperCase();
  const isWrong = quantity === null || quantity <= 0 || !/^([A-Z]{3})?$/.test(currency);
  const choices = (revisions.data?.items ?? []).map((one) => ({
    value: String(one.revisionNumber),
    label: `${one.revision} (${one.state})`,
  }));
  const labelOf = (number: number) =>
    revisions.data?.items.find(({ revisionNumber }) => revisionNumber === number)?.revision ?? String(number);
  return (
    <Sheet title="Cost">
      <form
        className={styles.asking}
        onSubmit={(event) => {
          event.preventDefault();
          if (isWrong || quantity === null) return;
          setWanted({
            quantity,
            currency,
            revision: fields.revision === '' ? null : Number(fields.revision),
          });
        }}
      >
        <QuantityInput
          label="Quantity to make"
          value={fields.quantity}
          onValue={(text) => set({ quantity: text })}
        />
        <TextInput
          label="In currency"
          placeholder="As priced"
          value={fields.currency}
          maxLength={3}
          onChange={(event) => set({ currency: event.currentTarget.value })}
        />
        <NativeSelect
          label="Beside revision"
          data={[{ value: '', label: 'None' }, ...choices]}
          value={fields.revision}
          onChange={(event) => set({ revision: event.currentTarget.value })}
        />
        <Button type="submit" variant="default" disabled={isWrong}>
          Calculate cost
        </Button>
      </form>
      {wanted !== null && (
        <Asked of={cost}>
          {(found) =>
            revision === null ? (
              <Known cost={found} other={null} />
            ) : (
              <Asked of={other}>
                {(beside) => <Known cost={found} other={beside} label={labelOf(revision)} />}
              </Asked>
            )
          }
        </Asked>
      )}
    </Sheet>
  );
}

interface KnownProps {
  cost: Cost;
  /** The cost of another revision, which has this label. */
  other: Cost | null;
  label?: string;
}

function Known({ cost, other, label = '' }: KnownProps) {
  const { items, itemCount, unknown, unknownCount } = cost;
  const others = new Map(
    other === null
      ? []
      : [...other.unknown.map(ofUnknown), ...other.items.map(ofPriced)].map((row) => [row.id, row]),
  );
  const rows = [...unknown.map(ofUnknown), ...items.map(ofPriced)].map((row) => ({
    ...row,
    other: others.get(row.id)?.amount ?? null,
  }));
  const only = [...others.values()]
    .filter(({ id }) => !rows.some((row) => row.id === id))
    .map((row) => ({ ...row, quantity: 0, price: null, order: null, amount: '', other: row.amount }));
  return (
    <>
      <Totals cost={cost} title={other === null ? null : 'Now'} />
      {other !== null && <Totals cost={other} title={`Revision ${label}`} />}
      <DataGrid
        label="Purchased items"
        columns={other === null ? columns : columnsBeside(label)}
        rows={[...rows, ...only]}
        rowKey={({ id }) => id}
        hrefOf={({ id }) => paths.entity(id)}
        heightMax={480}
      />
      {itemCount + unknownCount > items.length + unknown.length && (
        <p className={styles.nothing}>
          {items.length + unknown.length} of {itemCount + unknownCount} items are shown: the most expensive
          ones.
        </p>
      )}
    </>
  );
}

function Totals({ cost, title }: { cost: Cost; title: string | null }) {
  const { totals, converted, unknownCount, quantity } = cost;
  return (
    <p role="status">
      {title !== null && <strong>{title}: </strong>}
      {totals.length === 0
        ? 'No item that is purchased for it has a price.'
        : totals.map((total) => (
            <span key={total.currency} className={styles.total}>
              {totalText(total, quantity)}
            </span>
          ))}
      {converted !== null && <span className={styles.total}>{convertedText(converted, quantity)}</span>}
      {unknownCount > 0 &&
        ` ${unknownCount} ${unknownCount === 1 ? 'item has' : 'items have'} no price and ${unknownCount === 1 ? 'is' : 'are'} in no total.`}
    </p>
  );
}

/** Amounts in currencies without a rate are in no sum: where all of them are, there is none. */
function convertedText(
  { missing, currency, amount, perUnit, orderAmount }: NonNullable<Cost['converted']>,
  quantity: number,
): string {
  const sum =
    amount === null || perUnit === null || orderAmount === null
      ? []
      : [`Together ${totalText({ currency, amount, perUnit, orderAmount }, quantity)}`];
  const isOne = missing.length === 1;
  const none =
    missing.length === 0
      ? []
      : [
          `${missing.join(', ')} ${isOne ? 'has' : 'have'} no exchange rate to ${currency}${sum.length === 0 ? '' : ` and ${isOne ? 'is' : 'are'} not in it`}.`,
        ];
  return [...sum, ...none].join(' ');
}

function totalText(
  {
    currency,
    amount,
    perUnit,
    orderAmount,
  }: Pick<Cost['totals'][number], 'currency' | 'amount' | 'perUnit' | 'orderAmount'>,
  quantity: number,
): string {
  const forOne = quantity === 1 ? '' : `, or ${amountText(perUnit, currency)} for one`;
  return `${amountText(amount, currency)}${forOne}. In whole packs: ${amountText(orderAmount, currency)}.`;
}

interface Row {
  id: string;
  number: string | null;
  name: string;
  quantity: number;
  supplier: string;
  price: string | null;
  amount: string;
  order: string | null;
  /** Its cost in the revision beside it. */
  other: string | null;
}

function ofPriced(item: Cost['items'][number]): Row {
  const { currency, priceUnit } = item;
  return {
    id: item.itemEntityId,
    number: item.itemNumber,
    name: item.itemName,
    quantity: item.quantity,
    supplier: item.supplier,
    price: `${amountText(item.price, currency)}${priceUnit === null ? '' : ` per ${priceUnit}`}`,
    amount: amountText(item.amount, currency),
    order: `${quantityText(item.orderQuantity)} for ${amountText(item.orderAmount, currency)}`,
    other: null,
  };
}

const reasons = { noSupplierPart: 'No supplier part', noPrice: 'No price' } as const;

function ofUnknown(item: Cost['unknown'][number]): Row {
  return {
    id: item.itemEntityId,
    number: item.itemNumber,
    name: item.itemName,
    quantity: item.quantity,
    supplier: reasons[item.reason],
    price: null,
    amount: 'unknown',
    order: null,
    other: null,
  };
}

const columns: readonly GridColumn<Row>[] = [
  {
    key: 'item',
    header: 'Item',
    width: 190,
    grow: 1,
    phone: 'title',
    cell: ({ number, name }) => (
      <>
        <PartNumber number={number} /> {name}
      </>
    ),
  },
  {
    key: 'quantity',
    header: 'Needed',
    width: 72,
    align: 'end',
    phone: 'detail',
    cell: ({ quantity }) => <Quantity value={quantity} />,
  },
  {
    key: 'supplier',
    header: 'Supplier',
    width: 130,
    grow: 1,
    phone: 'detail',
    cell: ({ supplier }) => supplier,
  },
  { key: 'price', header: 'Price', width: 120, align: 'end', spare: 1, cell: ({ price }) => price },
  {
    key: 'amount',
    header: 'Cost',
    width: 100,
    align: 'end',
    phone: 'side',
    cell: ({ amount }) => <strong>{amount}</strong>,
  },
  { key: 'order', header: 'In whole packs', width: 140, align: 'end', cell: ({ order }) => order },
];

/** In place of packs: the cost in the other revision. */
function columnsBeside(label: string): readonly GridColumn<Row>[] {
  return [
    ...columns.filter(({ key }) => key !== 'order'),
    {
      key: 'other',
      header: `In revision ${label}`,
      width: 120,
      align: 'end',
      phone: 'detail',
      cell: ({ other }) => other,
    },
  ];
}
