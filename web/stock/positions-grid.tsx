/** Positions of an item, at a location, or all: what is there, what is promised, what is coming. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CsvTable, ListedStockPosition } from '../client/operations.ts';
import { type ColumnOf, textOf, titlesOf } from '../components/forms/csv-table.ts';
import { exactDifference } from '../components/forms/exact-quantity.ts';
import {
  measuredColumn,
  momentColumn,
  quantityColumn,
  textColumn,
  unitColumn,
} from '../components/lists/columns.tsx';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { List } from '../components/lists/list-page.tsx';
import { PartNumber, Quantity } from '../components/words.tsx';
import { useAddress } from '../navigation/address.ts';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { PlaceName, pathText } from './place-name.tsx';
import styles from './stock.module.css';
import { useInTransit, useStockTotal } from './use-stock-totals.ts';

export interface PositionsGridProps {
  of: { item: string } | { location: string } | 'all';
  /** Absent: the key may not move stock. */
  onAdjust?: (position: ListedStockPosition) => void;
  empty: ReactNode;
  tools?: ReactNode;
}

export function PositionsGrid({ of, onAdjust, empty, tools }: PositionsGridProps) {
  const byItem = of !== 'all' && 'item' in of;
  const address = useAddress();
  const isAlsoGone = address.get('stocked') === 'false';
  const isHereOnly = address.get('below') === 'false';
  // At a location the list is narrowed to what is there, or goes on below it, unless the address says otherwise.
  const isWhole = of === 'all' || byItem || (isAlsoGone && isHereOnly);
  const total = useStockTotal('positions', isWhole ? (of === 'all' ? {} : of) : null, ['q', 'short']);
  const inTransit = useInTransit(byItem ? of.item : null);
  const columns: GridColumn<ListedStockPosition>[] = [
    {
      key: 'number',
      header: byItem ? 'Location' : 'Item',
      width: 128,
      phone: 'title',
      cell: (position) =>
        byItem ? (
          <PartNumber number={position.locationNumber} />
        ) : (
          <PartNumber number={position.itemNumber} picture={position.itemPicture} />
        ),
      text: (position) => (byItem ? position.locationNumber : position.itemNumber),
    },
    {
      key: 'name',
      header: 'Name',
      width: 180,
      grow: 1,
      phone: 'detail',
      cell: (position) => (byItem ? pathText(position) : position.itemName),
      text: (position) => (byItem ? pathText(position) : position.itemName),
    },
    ...(of === 'all' || (!byItem && !isHereOnly)
      ? [
          {
            key: 'location',
            header: 'Location',
            width: 110,
            phone: 'detail' as const,
            cell: (position: ListedStockPosition) => (
              <Link href={paths.entity(position.locationEntityId, 'stock')}>
                <PlaceName
                  number={position.locationNumber}
                  name={position.locationName}
                  path={position.locationPath}
                />
              </Link>
            ),
            text: (position: ListedStockPosition) => position.locationNumber,
          },
        ]
      : []),
    measuredColumn('onHand', 'On hand', { width: 76, phone: 'side' }),
    {
      key: 'reserved',
      header: 'Reserved',
      width: 76,
      align: 'end',
      spare: 2,
      cell: (position) => <Quantity value={exactDifference(position.reserved, position.blocked)} />,
      text: (position) => exactDifference(position.reserved, position.blocked),
    },
    quantityColumn('blocked', 'Blocked', { width: 76, spare: 5 }),
    quantityColumn('available', 'Available', { width: 76 }),
    ...comingColumns(inTransit),
    momentColumn('updatedAt', 'Moved', { width: 104, spare: 3 }),
    momentColumn('lastCountedAt', 'Counted', { width: 104, spare: 4 }),
    unitColumn,
    ...(byItem ? [] : [textColumn('itemRevision', 'Rev.', { width: 48, hidden: true })]),
    ...(onAdjust === undefined
      ? []
      : [
          {
            key: 'adjust',
            header: 'Adjust',
            width: 76,
            phone: 'side' as const,
            cell: (position: ListedStockPosition) => (
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
    rowKey: ({ itemEntityId, locationEntityId }: ListedStockPosition) =>
      `${itemEntityId} ${locationEntityId}`,
    hrefOf: ({ itemEntityId, locationEntityId }: ListedStockPosition) =>
      paths.entity(byItem ? locationEntityId : itemEntityId, 'stock'),
    nameOf: (position: ListedStockPosition) =>
      byItem
        ? `${position.locationNumber ?? ''} ${pathText(position)}`
        : `${position.itemNumber ?? ''} ${position.itemName}`,
    scope: 'positions',
    heightMax: 420,
    empty,
    tools,
    total,
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
      input={{
        locationEntityId: of.location,
        query: { ...(isAlsoGone ? {} : { stocked: 'true' }), ...(isHereOnly ? {} : { below: 'true' }) },
      }}
      {...given}
      tools={
        <>
          <ToggleLink name="below" isOff={isHereOnly} off="Also inside" on="Only directly here" />
          <ToggleLink
            name="stocked"
            isOff={isAlsoGone}
            off="Only what is here"
            on="Also items with none here"
          />
          {tools}
        </>
      }
    />
  );
}

/** Shows what is on order; goods that come from another location beside it, where there are any. */
function comingColumns(inTransit: ReadonlyMap<string, number>): GridColumn<ListedStockPosition>[] {
  if (inTransit.size === 0) return [quantityColumn('onOrder', 'On order', { width: 76, spare: 1 })];
  const sentTo = ({ locationEntityId }: ListedStockPosition) => inTransit.get(locationEntityId) ?? 0;
  const ordered = (position: ListedStockPosition) => exactDifference(position.onOrder, sentTo(position));
  const column = (
    key: string,
    header: string,
    value: (position: ListedStockPosition) => number,
  ): GridColumn<ListedStockPosition> => ({
    key,
    header,
    width: 76,
    align: 'end',
    spare: 1,
    cell: (position) => <Quantity value={value(position)} />,
    text: value,
  });
  return [column('onOrder', 'On order', ordered), column('inTransit', 'In transit', sentTo)];
}

/**
 * Switches a filter in the address: `below` for the locations inside, `stocked` because a position stays when its last unit has left.
 */
function ToggleLink({ name, isOff, off, on }: { name: string; isOff: boolean; off: string; on: string }) {
  const address = useAddress();
  const next = new URLSearchParams(address.search);
  if (isOff) next.delete(name);
  else next.set(name, 'false');
  return (
    <Link className={styles.tool} href={next.size === 0 ? address.pathname : `${address.pathname}?${next}`}>
      {isOff ? off : on}
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
  blocked: 'blocked',
  available: 'available',
  onOrder: 'onOrder',
  updatedAt: 'updatedAt',
  lastCountedAt: 'lastCountedAt',
  unit: 'unit',
  itemRevision: 'itemRevision',
};

function linkedPositions(query: Readonly<Record<string, unknown>>, columns: readonly string[]): CsvTable {
  return {
    of: 'positions',
    q: textOf(query.q),
    short: query.short === 'true' ? true : undefined,
    columns: titlesOf(columns, titles),
  };
}
