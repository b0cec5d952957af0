/** The columns of the actions and of the exceptions of a planning run. */
import type { PlanningAction } from '../client/operations.ts';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { dayText, PartNumber, Quantity, StatusWord } from '../components/words.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { actionNames, exceptionText, isChange, lineText } from './plan-words.tsx';
import styles from './planning.module.css';

/** Exceptions are what that list is about: they have room. A phone shows how an action stands where it is open no more. */
export function columnsOf(
  shows: 'proposals' | 'exceptions',
  phone: boolean,
): readonly GridColumn<PlanningAction>[] {
  const ofActions = columns.map((one) =>
    phone && one === status
      ? { ...one, cell: (row: PlanningAction) => row.status !== 'open' && statusCell(row) }
      : one,
  );
  if (shows === 'proposals') return ofActions;
  return ofActions.map((one) => {
    if (one === action) return { ...action, header: 'Exception', width: 200, grow: 1, phone: 'detail' };
    if (one.key === 'amount') return { ...one, hidden: true };
    if (one.key === 'status') return { ...one, phone: 'side' };
    return one.phone === 'detail' ? { ...one, phone: undefined } : one;
  });
}

const tones = { open: 'accent', committed: 'good', dismissed: 'quiet' } as const;

const exceptionsText = (row: PlanningAction) =>
  row.exceptions.map((name) => exceptionText(name, row)).join(', ');

const action: GridColumn<PlanningAction> = {
  key: 'action',
  header: 'Action',
  width: 150,
  phone: 'side',
  cell: (row) => (
    <span className={styles.words}>
      {row.action !== 'none' && <StatusWord tone="accent">{actionNames[row.action]}</StatusWord>}
      {row.exceptions.length > 0 && <StatusWord tone="warn">{exceptionsText(row)}</StatusWord>}
    </span>
  ),
  text: (row) => [row.action === 'none' ? [] : actionNames[row.action], exceptionsText(row)].flat().join(' '),
};

const statusCell = ({ status, orderId }: PlanningAction) =>
  orderId === null ? (
    <StatusWord tone={tones[status]}>{status}</StatusWord>
  ) : (
    <Link href={paths.order(orderId)}>{status}</Link>
  );

const status: GridColumn<PlanningAction> = {
  key: 'status',
  header: 'Status',
  width: 84,
  phone: 'detail',
  cell: statusCell,
  text: ({ status }) => status,
};

const columns: readonly GridColumn<PlanningAction>[] = [
  action,
  {
    key: 'item',
    header: 'Item',
    width: 140,
    grow: 2,
    phone: 'title',
    cell: ({ itemNumber, itemName }) => (
      <>
        <PartNumber number={itemNumber} /> <span className="muted">{itemName}</span>
      </>
    ),
    text: ({ itemNumber, itemName }) => itemNumber ?? itemName,
  },
  {
    key: 'quantity',
    header: 'Quantity',
    width: 72,
    align: 'end',
    phone: 'detail',
    cell: ({ quantity }) => <Quantity value={quantity} />,
    text: ({ quantity }) => quantity,
  },
  {
    key: 'startsOn',
    header: 'Act on',
    width: 90,
    spare: 1,
    // A line that exists has a date, and no day on which to begin.
    cell: (row) => (isChange(row) ? '' : dayText(row.startsOn)),
    text: ({ startsOn }) => startsOn,
  },
  {
    key: 'neededOn',
    header: 'Needed on',
    width: 90,
    phone: 'detail',
    cell: ({ neededOn }) => dayText(neededOn),
    text: ({ neededOn }) => neededOn,
  },
  {
    key: 'for',
    header: 'Supplier or line',
    width: 108,
    grow: 1,
    spare: 2,
    phone: 'detail',
    cell: (row) => lineText(row) ?? row.supplier ?? '',
    text: (row) => lineText(row) ?? row.supplier,
  },
  {
    key: 'amount',
    header: 'Amount',
    width: 84,
    align: 'end',
    spare: 3,
    cell: ({ amount, currency }) => (amount === null ? '' : `${amount} ${currency}`),
    text: ({ amount, currency }) => (amount === null ? null : `${amount} ${currency}`),
  },
  status,
];
