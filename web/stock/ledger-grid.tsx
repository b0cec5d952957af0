/** The ledger of an item, a location, a requirement or all: every movement, who made it and why, newest first. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { askAll } from '../client/ask.ts';
import type { CsvTable, LedgerActor, ListedLedgerEntry } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { type ColumnOf, textOf, titlesOf } from '../components/forms/csv-table.ts';
import {
  codeColumn,
  momentColumn,
  quantityColumn,
  textColumn,
  unitColumn,
} from '../components/lists/columns.tsx';
import type { Filter } from '../components/lists/filter-bar.tsx';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { List, type ListProps } from '../components/lists/list-page.tsx';
import { usePhone } from '../components/lists/use-media.ts';
import { EmptyState } from '../components/page-frame.tsx';
import { dayText, PartNumber, Quantity, quantityText } from '../components/words.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { CorrectDialog } from './correct-dialog.tsx';
import { CorrectButton, isCorrectable, Movement, type OnCorrect } from './ledger-movement.tsx';
import { movementNames } from './movements.ts';
import { PlaceName } from './place-name.tsx';
import { useStockTotal } from './use-stock-totals.ts';

/** Days are taken as those of the reader. */
const filters: readonly Filter[] = [
  {
    key: 'movementType',
    label: 'Movement',
    options: Object.entries(movementNames).map(([value, label]) => ({ value, label })),
  },
  { key: 'from', label: 'From', type: 'datetime-local' },
  { key: 'to', label: 'Before', type: 'datetime-local' },
  { key: 'effectiveFrom', label: 'Happened from', type: 'date' },
  { key: 'effectiveTo', label: 'Happened until', type: 'date' },
];

export type LedgerOf =
  | { item: string }
  | { location: string }
  | { requirement: string }
  | { order: string }
  | 'all';

type Given = Pick<
  ListProps<'listLedger'>,
  'noun' | 'columns' | 'rowKey' | 'filters' | 'scope' | 'heightMax' | 'empty' | 'total'
>;

/** That of the workspace alone is asked by person: those of an item or a location are short enough to be read. */
function WholeLedger(given: Given) {
  const actors = useQuery(askAll('listLedgerActors', {}));
  const options = (actors.data ?? []).map((actor) => ({ value: actor.id, label: nameOf(actor) }));
  const who: Filter = {
    key: 'actorId',
    label: 'By',
    options: options.toSorted((a, b) => a.label.localeCompare(b.label)),
  };
  return (
    <List
      label="Ledger"
      name="listLedger"
      input={{}}
      {...given}
      filters={[who, ...filters]}
      linked={linkedLedger}
    />
  );
}

function nameOf({ type, name }: LedgerActor): string {
  return type === 'automation' ? `${name} (automation)` : name;
}

export function LedgerGrid({ of }: { of: LedgerOf }) {
  const mayMoveStock = useMay('stock');
  const [correcting, setCorrecting] = useState<ListedLedgerEntry | null>(null);
  return (
    <>
      <LedgerList of={of} onCorrect={mayMoveStock ? setCorrecting : null} />
      {correcting !== null && <CorrectDialog entry={correcting} onClose={() => setCorrecting(null)} />}
    </>
  );
}

function LedgerList({ of, onCorrect }: { of: LedgerOf; onCorrect: OnCorrect }) {
  const phone = usePhone();
  const byItem = of !== 'all' && 'item' in of;
  const byLocation = of !== 'all' && 'location' in of;
  const counted = of === 'all' ? {} : 'item' in of || 'location' in of ? of : null;
  const narrowing = ['actorId', ...filters.map(({ key }) => key)];
  const total = useStockTotal('entries', counted, narrowing);
  const given = {
    noun: ['entry', 'entries'] as const,
    columns: columnsOf({ item: !byItem, location: !byLocation, correct: phone }, onCorrect),
    rowKey: ({ id }: ListedLedgerEntry) => id,
    filters,
    scope: 'ledger',
    heightMax: 680,
    total,
    empty: <EmptyState title="No movements yet">Every movement is listed here, unchanged.</EmptyState>,
  };
  if (of === 'all') return <WholeLedger {...given} />;
  if ('item' in of) {
    return (
      <List label="Ledger of the item" name="listLedgerByItem" input={{ itemEntityId: of.item }} {...given} />
    );
  }
  if ('order' in of) {
    return (
      <List
        label="Movements of the order"
        name="listLedger"
        input={{ query: { orderId: of.order } }}
        {...given}
      />
    );
  }
  if ('requirement' in of) {
    return (
      <List
        label="Movements for the requirement"
        name="listLedger"
        input={{ query: { requirementId: of.requirement } }}
        {...given}
      />
    );
  }
  const input = { locationEntityId: of.location };
  return <List label="Ledger of the location" name="listLedgerByLocation" input={input} {...given} />;
}

/** Columns of the grid by the titles that the service has for them. */
const titles: Readonly<Record<string, ColumnOf<'ledger'>>> = {
  recordedAt: 'recordedAt',
  movement: 'movementType',
  quantity: 'quantity',
  after: 'onHandAfter',
  item: 'itemNumber',
  location: 'locationNumber',
  actor: 'actorName',
  note: 'note',
  reservedAfter: 'reservedAfter',
  onOrderAfter: 'onOrderAfter',
  hash: 'hash',
  entered: 'enteredQuantity',
  coveredQuantity: 'coveredQuantity',
  unit: 'unit',
  effectiveOn: 'effectiveOn',
};

function linkedLedger(query: Readonly<Record<string, unknown>>, columns: readonly string[]): CsvTable {
  return {
    of: 'ledger',
    actorId: textOf(query.actorId),
    movementType: query.movementType as ListedLedgerEntry['movementType'] | undefined,
    from: textOf(query.from),
    to: textOf(query.to),
    effectiveFrom: textOf(query.effectiveFrom),
    effectiveTo: textOf(query.effectiveTo),
    columns: titlesOf(columns, titles),
  };
}

/** Who made a movement is what the ledger is asked for most: it stands wherever the ledger does, and gives way to nothing. */
const by: GridColumn<ListedLedgerEntry> = {
  key: 'actor',
  header: 'By',
  width: 56,
  grow: 2,
  cell: ({ actor }) => <By name={actor.name} />,
  text: ({ actor }) => actor.name,
  phone: 'title',
};

/** On a phone, where no head says it, behind the movement: "Adjustment by Ada". */
function By({ name }: { name: string }) {
  const phone = usePhone();
  return phone ? <span className="muted">by {name}</span> : <span title={name}>{name}</span>;
}

/** The order that it came from, or the requirement that it was for. The widths are such that a tablet shows it beside item, location and caller. */
const forColumn: GridColumn<ListedLedgerEntry> = {
  key: 'for',
  header: 'For',
  width: 72,
  spare: 2,
  phone: 'detail',
  cell: ({ orderId, orderNumber, requirementId, requirementNumber }) =>
    orderId !== null ? (
      <Link href={paths.order(orderId)}>
        <PartNumber number={orderNumber} />
      </Link>
    ) : (
      requirementId !== null && (
        <Link href={paths.requirement(requirementId)}>
          <PartNumber number={requirementNumber} />
        </Link>
      )
    ),
  text: ({ orderNumber, requirementNumber }) => orderNumber ?? requirementNumber,
};

const sideColumn = (side: 'item' | 'location'): GridColumn<ListedLedgerEntry> => ({
  key: side,
  ...(side === 'item'
    ? { header: 'Item', width: 77, grow: 1 }
    : { header: 'Location', width: 76, grow: 1, spare: 1 }),
  cell: (entry) => (
    <Link href={paths.entity(entry[`${side}EntityId`], 'stock')}>
      {side === 'location' ? (
        <PlaceName number={entry.locationNumber} name={entry.locationName} />
      ) : (
        <PartNumber number={entry.itemNumber ?? entry.itemName} />
      )}
    </Link>
  ),
  text: (entry) => entry[`${side}Number`],
  phone: 'detail',
});

/** Only on a phone. */
const correctColumn = (onCorrect: (entry: ListedLedgerEntry) => void): GridColumn<ListedLedgerEntry> => ({
  key: 'correct',
  header: 'Actions',
  width: 48,
  phone: 'side',
  cell: (entry) => isCorrectable(entry) && <CorrectButton onClick={() => onCorrect(entry)} />,
});

function columnsOf(
  shown: { item: boolean; location: boolean; correct: boolean },
  onCorrect: OnCorrect,
): GridColumn<ListedLedgerEntry>[] {
  return [
    momentColumn('recordedAt', 'When', { width: 88, phone: 'detail' }),
    {
      key: 'effectiveOn',
      header: 'Happened on',
      width: 96,
      spare: 7,
      cell: ({ effectiveOn }) => effectiveOn !== null && dayText(effectiveOn),
      text: ({ effectiveOn }) => effectiveOn,
      phone: 'detail',
    },
    {
      key: 'movement',
      header: 'Movement',
      width: 104,
      grow: 1,
      cell: (entry) => <Movement entry={entry} onCorrect={onCorrect} />,
      text: ({ movementType }) => movementType,
      phone: 'title',
    },
    {
      key: 'quantity',
      header: 'Quantity',
      width: 52,
      grow: 1,
      align: 'end',
      cell: ({ quantity, unit }) => <Quantity value={quantity} signed unit={unit} />,
      text: ({ quantity }) => quantity,
      phone: 'side',
    },
    unitColumn,
    { key: 'entered', header: 'Entered', width: 90, hidden: true, cell: enteredText, text: enteredText },
    textColumn('coveredQuantity', 'Covers', { width: 66, hidden: true }),
    { ...quantityColumn('onHandAfter', 'On hand', { width: 66, spare: 6 }), key: 'after' },
    quantityColumn('reservedAfter', 'Reserved', { width: 66, spare: 5 }),
    quantityColumn('onOrderAfter', 'On order', { width: 66, spare: 4 }),
    ...(shown.item ? [sideColumn('item')] : []),
    ...(shown.location ? [sideColumn('location')] : []),
    by,
    forColumn,
    textColumn('note', 'Note', { width: 96, grow: 2, phone: 'detail', spare: 3 }),
    codeColumn('hash', 'Hash', { width: 200, hidden: true }),
    ...(shown.correct && onCorrect !== null ? [correctColumn(onCorrect)] : []),
  ];
}

/** The quantity in the unit in which it was entered; empty where that is the base unit. */
function enteredText({
  enteredQuantity,
  enteredUnit,
}: {
  enteredQuantity: number | null;
  enteredUnit: string | null;
}): string {
  return enteredUnit === null ? '' : `${quantityText(enteredQuantity ?? 0)} ${enteredUnit}`;
}
