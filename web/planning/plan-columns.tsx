/** The columns of the actions and of the exceptions of a planning run. */
import { amountText } from '../../clients/typescript/amount-text.ts';
import type { PlanningAction } from '../client/operations.ts';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { dayText, PartNumber, Quantity, StatusWord } from '../components/words.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { actionNames, exceptionText, isChange, lineText, textBefore } from './plan-words.tsx';
import styles from './planning.module.css';

/** Exceptions are what that list is about: they have room. A phone shows how an action stands where it is open no more. */
export function columnsOf(
  shows: 'proposals' | 'exceptions',
  phone: boolean,
): readonly GridColumn<PlanningAction>[] {
  const ofActions = columns.map((one) => {
    if (phone && one === status)
      return { ...one, cell: (row: PlanningAction) => row.status !== 'open' && statusCell(row) };
    if (phone && one.key === 'for')
      return { ...one, cell: (row: PlanningAction) => supplierOrLine(row, () => false) };
    return one;
  });
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
  width: 112,
  grow: 2,
  phone: 'side',
  cell: (row, isShown) => (
    <span className={styles.words}>
      {!isShown('status') && row.status !== 'open' && statusCell(row)}
      {row.action !== 'none' && <StatusWord tone="accent">{actionNames[row.action]}</StatusWord>}
      {row.exceptions.length > 0 && <StatusWord tone="warn">{exceptionsText(row)}</StatusWord>}
    </span>
  ),
  text: (row) => [row.action === 'none' ? [] : actionNames[row.action], exceptionsText(row)].flat().join(' '),
};

function moneyText({ amount, currency }: PlanningAction): string {
  return amount === null ? '' : amountText(amount, currency);
}

/** Also says the amount, and from when a line is moved, where their columns are not shown. */
function supplierOrLine(row: PlanningAction, isShown: (key: string) => boolean): string {
  return [
    isShown('amount') ? '' : moneyText(row),
    isShown('startsOn') ? '' : textBefore(row),
    lineText(row) ?? row.supplier ?? '',
  ]
    .filter((text) => text !== '')
    .join(', ');
}

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
  spare: 3,
  phone: 'detail',
  cell: statusCell,
  text: ({ status }) => status,
};

const columns: readonly GridColumn<PlanningAction>[] = [
  action,
  {
    key: 'item',
    header: 'Item',
    width: 130,
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
    width: 66,
    align: 'end',
    phone: 'detail',
    cell: ({ quantity }) => <Quantity value={quantity} />,
    text: ({ quantity }) => quantity,
  },
  {
    key: 'startsOn',
    header: 'Act on',
    width: 118,
    spare: 2,
    // A line that exists has a date, and no day on which to begin.
    cell: (row) => (isChange(row) ? textBefore(row) : dayText(row.startsOn)),
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
    grow: 2,
    phone: 'detail',
    cell: supplierOrLine,
    text: (row) => lineText(row) ?? row.supplier,
  },
  {
    key: 'amount',
    header: 'Amount',
    width: 84,
    align: 'end',
    spare: 1,
    cell: moneyText,
    text: (row) => moneyText(row) || null,
  },
  status,
];
