/** Positions of an item, at a location, or all: what is there, what is promised, what is coming. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CsvTable, StockPosition } from '../client/operations.ts';
import { type ColumnOf, textOf, titlesOf } from '../components/csv-table.ts';
import { momentColumn, quantityColumn } from '../components/lists/columns.tsx';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { List } from '../components/lists/list-page.tsx';
import { PartNumber } from '../components/words.tsx';
import { useAddress } from '../navigation/address.ts';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { PlaceName } from './place-name.tsx';
import styles from './stock.module.css';

export interface PositionsGridProps {
  of: { item: string } | { location: string } | 'all';
  /** Absent: the key may not move stock. */
  onAdjust?: (position: StockPosition) => void;
  empty: ReactNode;
  tools?: ReactNode;
}

export function PositionsGrid({ of, onAdjust, empty, tools }: PositionsGridProps) {
  const byItem = of !== 'all' && 'item' in of;
  const isAlsoGone = useAddress().get('stocked') === 'false';
  const columns: GridColumn<StockPosition>[] = [
    {
      key: 'number',
      header: byItem ? 'Location' : 'Item',
      width: 128,
      phone: 'title',
      cell: (position) => <PartNumber number={byItem ? position.locationNumber : position.itemNumber} />,
      text: (position) => (byItem ? position.locationNumber : position.itemNumber),
    },
    {
      key: 'name',
      header: 'Name',
      width: 180,
      grow: 1,
      phone: 'detail',
      cell: (position) => (byItem ? position.locationName : position.itemName),
      text: (position) => (byItem ? position.locationName : position.itemName),
    },
    ...(of === 'all'
      ? [
          {
            key: 'location',
            header: 'Location',
            width: 110,
            phone: 'detail' as const,
            cell: (position: StockPosition) => (
              <Link href={paths.entity(position.locationEntityId, 'stock')}>
                <PlaceName number={position.locationNumber} name={position.locationName} />
              </Link>
            ),
            text: (position: StockPosition) => position.locationNumber,
          },
        ]
      : []),
    quantityColumn('onHand', 'On hand', { width: 76, phone: 'side' }),
    quantityColumn('reserved', 'Reserved', { width: 76, spare: 2 }),
    quantityColumn('available', 'Available', { width: 76 }),
    quantityColumn('onOrder', 'On order', { width: 76, spare: 1 }),
    momentColumn('updatedAt', 'Moved', { width: 104, spare: 3 }),
    ...(onAdjust === undefined
      ? []
      : [
          {
            key: 'adjust',
            header: 'Adjust',
            width: 76,
            phone: 'side' as const,
            cell: (position: StockPosition) => (
              <Button
                size="xs"
                variant="default"
                aria-label={`Adjust ${position.itemNumber ?? position.itemName} at ${position.locationNumber ?? position.locationName}`}
                onClick={() => onAdjust(position)}
              >
                Adjust
              </Button>
            ),
          },
        ]),
  ];
  const given = {
    noun: ['position', 'positions'] as const,
    columns,
    rowKey: ({ itemEntityId, locationEntityId }: StockPosition) => `${itemEntityId} ${locationEntityId}`,
    hrefOf: ({ itemEntityId, locationEntityId }: StockPosition) =>
      paths.entity(byItem ? locationEntityId : itemEntityId, 'stock'),
    nameOf: (position: StockPosition) =>
      byItem
        ? `${position.locationNumber ?? ''} ${position.locationName}`
        : `${position.itemNumber ?? ''} ${position.itemName}`,
    scope: 'positions',
    heightMax: 420,
    empty,
    tools,
  };
  if (of === 'all') {
    return (
      <List
        label="Positions"
        name="listPositions"
        input={{}}
        {...given}
        heightMax={680}
        search={{ key: 'q', placeholder: 'Number or name of the item' }}
        linked={linkedPositions}
        filters={[{ key: 'short', label: 'Available', options: [{ value: 'true', label: 'nothing' }] }]}
      />
    );
  }
  return 'item' in of ? (
    <List
      label="Positions of the item"
      name="listPositionsByItem"
      input={{ itemEntityId: of.item }}
      {...given}
    />
  ) : (
    <List
      label="Positions at the location"
      name="listPositionsByLocation"
      input={{ locationEntityId: of.location, query: isAlsoGone ? {} : { stocked: 'true' } }}
      {...given}
      tools={
        <>
          <StockedLink isAlsoGone={isAlsoGone} />
          {tools}
        </>
      }
    />
  );
}

/** A position stays when the last unit has gone: at a location people look for what is there. */
function StockedLink({ isAlsoGone }: { isAlsoGone: boolean }) {
  const address = useAddress();
  const next = new URLSearchParams(address.search);
  if (isAlsoGone) next.delete('stocked');
  else next.set('stocked', 'false');
  return (
    <Link className={styles.tool} href={next.size === 0 ? address.pathname : `${address.pathname}?${next}`}>
      {isAlsoGone ? 'Only what is here' : 'Also items with none here'}
    </Link>
  );
}

/** Columns of the grid of all positions by the titles that the service has for them. */
const titles: Readonly<Record<string, ColumnOf<'positions'>>> = {
  number: 'itemNumber',
  name: 'itemName',
  location: 'locationNumber',
  onHand: 'onHand',
  reserved: 'reserved',
  available: 'available',
  onOrder: 'onOrder',
  updatedAt: 'updatedAt',
};

function linkedPositions(query: Readonly<Record<string, unknown>>, columns: readonly string[]): CsvTable {
  return {
    of: 'positions',
    q: textOf(query.q),
    short: query.short === 'true' ? true : undefined,
    columns: titlesOf(columns, titles),
  };
}
