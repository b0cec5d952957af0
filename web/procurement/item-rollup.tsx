/** A numeric property of everything that an item contains, added up, such as the mass of an assembly. */
import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../client/ask.ts';
import type { Rollup } from '../client/operations.ts';
import { Asked } from '../components/dialogs/asked.tsx';
import { readQuantity } from '../components/forms/exact-quantity.ts';
import { QuantityInput } from '../components/forms/quantity-input.tsx';
import { DataGrid } from '../components/lists/data-grid.tsx';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { Facts, Sheet } from '../components/page-frame.tsx';
import { countText, PartNumber, Quantity, quantityText } from '../components/words.tsx';
import { usePropertyDefinitions } from '../entities/configuration.ts';
import { paths } from '../navigation/paths.ts';
import styles from './procurement.module.css';

/** Nothing where the workspace has no numeric property. */
export function ItemRollup({ itemId }: { itemId: string }) {
  const numeric = usePropertyDefinitions().filter(({ type }) => type === 'numeric');
  const [fields, setFields] = useState({ property: '', quantity: '1' });
  const [wanted, setWanted] = useState<{ property: string; quantity: number } | null>(null);
  const query = wanted ?? { property: '', quantity: 1 };
  const rollup = useQuery({ ...ask('getRollup', { id: itemId, query }), enabled: wanted !== null });
  const quantity = readQuantity(fields.quantity);
  const isWrong = fields.property === '' || quantity === null || quantity <= 0;
  if (numeric.length === 0) return null;
  return (
    <Sheet title="Sum of a property">
      <form
        className={styles.asking}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isWrong && quantity !== null) setWanted({ property: fields.property, quantity });
        }}
      >
        <NativeSelect
          label="Property"
          data={[
            { value: '', label: 'Choose' },
            ...numeric.map(({ key, name }) => ({ value: key, label: name })),
          ]}
          value={fields.property}
          onChange={(event) => setFields({ ...fields, property: event.currentTarget.value })}
        />
        <QuantityInput
          label="Quantity"
          value={fields.quantity}
          onValue={(text) => setFields({ ...fields, quantity: text })}
        />
        <Button type="submit" variant="default" disabled={isWrong}>
          Add up
        </Button>
      </form>
      {wanted !== null && <Asked of={rollup}>{(found) => <Known found={found} />}</Asked>}
    </Sheet>
  );
}

function Known({ found }: { found: Rollup }) {
  const { items, unknown, itemCount, unknownCount, total, perUnit, stated, unit, quantity } = found;
  const measured = (value: number | null) =>
    value === null ? 'unknown' : `${quantityText(value)}${unit === null ? '' : ` ${unit}`}`;
  const rows: Row[] = [...unknown.map((one) => ({ ...one, value: null, amount: null })), ...items];
  return (
    <>
      <Facts
        facts={[
          [found.propertyName, measured(total)],
          ...(quantity === 1 ? [] : [['For one', measured(perUnit)] as const]),
          ...(stated === null ? [] : [['Stated for the item', measured(stated)] as const]),
          ...(unknownCount === 0
            ? []
            : [['Without a value', `${countText(unknownCount, 'item')}, in no sum`] as const]),
        ]}
      />
      <DataGrid
        label="Items that are added up"
        columns={columns}
        rows={rows}
        rowKey={({ itemEntityId }) => itemEntityId}
        hrefOf={({ itemEntityId }) => paths.entity(itemEntityId)}
        heightMax={480}
      />
      {itemCount + unknownCount > rows.length && (
        <p className={styles.nothing}>
          {rows.length} of {itemCount + unknownCount} items are shown: those with the largest sums.
        </p>
      )}
    </>
  );
}

interface Row {
  itemEntityId: string;
  itemNumber: string | null;
  itemName: string;
  quantity: number;
  value: number | null;
  amount: number | null;
}

const columns: readonly GridColumn<Row>[] = [
  {
    key: 'item',
    header: 'Item',
    width: 170,
    grow: 1,
    phone: 'title',
    cell: ({ itemNumber, itemName }) => (
      <>
        <PartNumber number={itemNumber} /> {itemName}
      </>
    ),
    text: ({ itemNumber, itemName }) => itemNumber ?? itemName,
  },
  {
    key: 'quantity',
    header: 'Quantity',
    width: 90,
    align: 'end',
    phone: 'detail',
    cell: ({ quantity }) => <Quantity value={quantity} />,
    text: ({ quantity }) => quantity,
  },
  {
    key: 'value',
    header: 'For one',
    width: 100,
    align: 'end',
    spare: 1,
    cell: ({ value }) => (value === null ? 'unknown' : quantityText(value)),
    text: ({ value }) => value,
  },
  {
    key: 'amount',
    header: 'Sum',
    width: 100,
    align: 'end',
    phone: 'side',
    cell: ({ amount }) => (amount === null ? 'unknown' : <strong>{quantityText(amount)}</strong>),
    text: ({ amount }) => amount,
  },
];
