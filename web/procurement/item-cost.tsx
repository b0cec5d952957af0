/** The cost of an item: what is purchased for a quantity of it, at present prices. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../client/ask.ts';
import type { Cost } from '../client/operations.ts';
import { Asked } from '../components/asked.tsx';
import { readQuantity } from '../components/exact-quantity.ts';
import { DataGrid } from '../components/lists/data-grid.tsx';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { Sheet } from '../components/page-frame.tsx';
import { QuantityInput } from '../components/quantity-input.tsx';
import { PartNumber, Quantity, quantityText } from '../components/words.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './procurement.module.css';

export function ItemCost({ itemId }: { itemId: string }) {
  const [text, setText] = useState('1');
  const [wanted, setWanted] = useState<number | null>(null);
  const cost = useQuery({
    ...ask('getCost', { id: itemId, query: { quantity: wanted ?? 1 } }),
    enabled: wanted !== null,
  });
  const quantity = readQuantity(text);
  return (
    <Sheet title="Cost">
      <form
        className={styles.asking}
        onSubmit={(event) => {
          event.preventDefault();
          if (quantity !== null && quantity > 0) setWanted(quantity);
        }}
      >
        <QuantityInput label="Quantity to make" value={text} onValue={setText} />
        <Button type="submit" variant="default" disabled={quantity === null || quantity <= 0}>
          Calculate cost
        </Button>
      </form>
      {wanted !== null && <Asked of={cost}>{(found) => <Known cost={found} />}</Asked>}
    </Sheet>
  );
}

function Known({ cost }: { cost: Cost }) {
  const { totals, items, itemCount, unknown, unknownCount } = cost;
  return (
    <>
      <p role="status">
        {totals.length === 0
          ? 'No item that is purchased for it has a price.'
          : totals.map((total) => (
              <span key={total.currency} className={styles.total}>
                {totalText(total, cost.quantity)}
              </span>
            ))}
        {unknownCount > 0 &&
          ` ${unknownCount} ${unknownCount === 1 ? 'item has' : 'items have'} no price and ${unknownCount === 1 ? 'is' : 'are'} in no total.`}
      </p>
      <DataGrid
        label="Purchased items"
        columns={columns}
        rows={[...unknown.map(ofUnknown), ...items.map(ofPriced)]}
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

function totalText(
  { currency, amount, perUnit, orderAmount }: Cost['totals'][number],
  quantity: number,
): string {
  const forOne = quantity === 1 ? '' : `, or ${perUnit} ${currency} for one`;
  return `${amount} ${currency}${forOne}. In whole packs: ${orderAmount} ${currency}.`;
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
}

function ofPriced(item: Cost['items'][number]): Row {
  const { currency, priceUnit } = item;
  return {
    id: item.itemEntityId,
    number: item.itemNumber,
    name: item.itemName,
    quantity: item.quantity,
    supplier: item.supplier,
    price: `${item.price} ${currency}${priceUnit === null ? '' : ` per ${priceUnit}`}`,
    amount: `${item.amount} ${currency}`,
    order: `${quantityText(item.orderQuantity)} for ${item.orderAmount} ${currency}`,
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
  };
}

const columns: readonly GridColumn<Row>[] = [
  {
    key: 'item',
    header: 'Item',
    width: 200,
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
    width: 90,
    align: 'end',
    phone: 'detail',
    cell: ({ quantity }) => <Quantity value={quantity} />,
  },
  { key: 'supplier', header: 'Supplier', width: 130, phone: 'detail', cell: ({ supplier }) => supplier },
  { key: 'price', header: 'Price', width: 110, align: 'end', cell: ({ price }) => price },
  {
    key: 'amount',
    header: 'Cost',
    width: 110,
    align: 'end',
    phone: 'side',
    cell: ({ amount }) => <strong>{amount}</strong>,
  },
  { key: 'order', header: 'In whole packs', width: 150, align: 'end', cell: ({ order }) => order },
];
