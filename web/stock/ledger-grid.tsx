/** The ledger of an item or a location: every movement, who made it and why, newest first. */
import type { StockLedgerEntry } from '../client/operations.ts';
import type { Filter } from '../components/lists/filter-bar.tsx';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { List } from '../components/lists/list-page.tsx';
import { EmptyState } from '../components/page-frame.tsx';
import { Moment, PartNumber, Quantity, quantityText } from '../components/words.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { movementNames } from './movements.ts';

const filters: readonly Filter[] = [
  {
    key: 'movementType',
    label: 'Movement',
    options: Object.entries(movementNames).map(([value, label]) => ({ value, label })),
  },
];

export function LedgerGrid({ of }: { of: { item: string } | { location: string } }) {
  const byItem = 'item' in of;
  const given = {
    noun: ['entry', 'entries'] as const,
    columns: columnsOf(byItem),
    rowKey: ({ id }: StockLedgerEntry) => id,
    filters,
    scope: 'ledger',
    heightMax: 560,
    empty: (
      <EmptyState title="No movements yet">
        Every movement that ever happens stands here, unchanged.
      </EmptyState>
    ),
  };
  return byItem ? (
    <List label="Ledger of the item" name="listLedgerByItem" input={{ itemEntityId: of.item }} {...given} />
  ) : (
    <List
      label="Ledger of the location"
      name="listLedgerByLocation"
      input={{ locationEntityId: of.location }}
      {...given}
    />
  );
}

function columnsOf(byItem: boolean): GridColumn<StockLedgerEntry>[] {
  return [
    {
      key: 'recordedAt',
      header: 'When',
      width: 120,
      cell: ({ recordedAt }) => <Moment at={recordedAt} />,
      text: ({ recordedAt }) => recordedAt,
      phone: 'detail',
    },
    {
      key: 'movement',
      header: 'Movement',
      width: 140,
      cell: ({ movementType }) => movementNames[movementType],
      text: ({ movementType }) => movementType,
      phone: 'title',
    },
    {
      key: 'quantity',
      header: 'Quantity',
      width: 90,
      align: 'end',
      cell: ({ quantity }) => <Quantity value={quantity} signed />,
      text: ({ quantity }) => quantity,
      phone: 'side',
    },
    {
      key: 'after',
      header: 'On hand after',
      width: 100,
      align: 'end',
      cell: ({ onHandAfter }) => quantityText(onHandAfter),
      text: ({ onHandAfter }) => onHandAfter,
    },
    {
      key: 'other',
      header: byItem ? 'Location' : 'Item',
      width: 150,
      cell: (entry) => (
        <Link href={paths.entity(byItem ? entry.locationEntityId : entry.itemEntityId, 'stock')}>
          <PartNumber number={byItem ? entry.locationNumber : entry.itemNumber} />
        </Link>
      ),
      text: (entry) => (byItem ? entry.locationNumber : entry.itemNumber),
    },
    {
      key: 'actor',
      header: 'By',
      width: 140,
      cell: ({ actor }) => actor.name,
      text: ({ actor }) => actor.name,
    },
    {
      key: 'note',
      header: 'Note',
      width: 160,
      grow: 1,
      cell: ({ note }) => note ?? '',
      text: ({ note }) => note,
    },
    {
      key: 'for',
      header: 'For',
      width: 100,
      cell: ({ orderId, requirementId }) =>
        orderId !== null ? (
          <Link href={paths.order(orderId)}>order</Link>
        ) : requirementId !== null ? (
          <Link href={paths.requirement(requirementId)}>requirement</Link>
        ) : (
          ''
        ),
    },
    {
      key: 'reservedAfter',
      header: 'Reserved after',
      width: 100,
      align: 'end',
      hidden: true,
      cell: ({ reservedAfter }) => quantityText(reservedAfter),
      text: ({ reservedAfter }) => reservedAfter,
    },
    {
      key: 'onOrderAfter',
      header: 'On order after',
      width: 100,
      align: 'end',
      hidden: true,
      cell: ({ onOrderAfter }) => quantityText(onOrderAfter),
      text: ({ onOrderAfter }) => onOrderAfter,
    },
    {
      key: 'hash',
      header: 'Hash',
      width: 200,
      hidden: true,
      cell: ({ hash }) => <span className="mono">{hash}</span>,
      text: ({ hash }) => hash,
    },
  ];
}
