/** The columns of the actions and of the exceptions of a planning run. */
import { amountText } from '../../clients/typescript/amount-text.ts';
import type { PlanningAction } from '../client/operations.ts';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { dayText, PartNumber, StatusWord } from '../components/words.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import {
  actionNames,
  exceptionText,
  isChange,
  lineText,
  plannedText,
  sameLineText,
  textBefore,
} from './plan-words.tsx';
import styles from './planning.module.css';

/** Exceptions are what that list is about: they have room. A phone shows how an action stands where it is open no more. */
export function columnsOf(
  shows: 'proposals' | 'exceptions',
  phone: boolean,
): readonly GridColumn<PlanningAction>[] {
  const own = phone ? columns.map((one) => onPhone(one, shows)) : columns;
  if (shows === 'proposals') return own;
  return own.map((one) => {
    if (one === action) return { ...action, header: 'Exception', width: 200, grow: 1, phone: 'detail' };
    if (one.key === 'amount') return { ...one, hidden: true };
    if (one.key === 'status') return { ...one, phone: 'side' };
    return one.phone === 'detail' || one.phone === 'below' ? { ...one, phone: undefined } : one;
  });
}

/** The third line of an action has its exceptions, amount and line: there is no room beside the item. */
function onPhone(
  one: GridColumn<PlanningAction>,
  shows: 'proposals' | 'exceptions',
): GridColumn<PlanningAction> {
  if (one === status) return { ...one, cell: (row) => row.status !== 'open' && statusCell(row) };
  if (one === action && shows === 'proposals') return { ...one, cell: (row) => actionWord(row) };
  if (one.key === 'neededOn') return { ...one, cell: (row) => neededCell(row, false) };
  if (one.key !== 'for') return one;
  return {
    ...one,
    cell: (row, _, rows) => (
      <>
        {exceptionWords(row)} {supplierOrLine(row, () => false, rows)}
      </>
    ),
  };
}

const tones = { open: 'accent', committed: 'good', dismissed: 'quiet' } as const;

const exceptionsText = (row: PlanningAction) =>
  row.exceptions.map((name) => exceptionText(name, row)).join(', ');

const actionWord = (row: PlanningAction) =>
  row.action !== 'none' && <StatusWord tone="accent">{actionNames[row.action]}</StatusWord>;

const exceptionWords = (row: PlanningAction) =>
  row.exceptions.map((name) => (
    <StatusWord key={name} tone="warn">
      {exceptionText(name, row)}
    </StatusWord>
  ));

const action: GridColumn<PlanningAction> = {
  key: 'action',
  header: 'Action',
  width: 184,
  grow: 1,
  phone: 'side',
  cell: (row, isShown) => (
    <span className={styles.words}>
      {!isShown('status') && row.status !== 'open' && statusCell(row)}
      {actionWord(row)}
      {exceptionWords(row)}
    </span>
  ),
  text: (row) => [row.action === 'none' ? [] : actionNames[row.action], exceptionsText(row)].flat().join(' '),
};

function moneyText({ amount, currency }: PlanningAction): string {
  return amount === null ? '' : amountText(amount, currency);
}

/** Also says the amount, where its column is not shown. The day of a part of a line stands in a column of its own. */
function supplierOrLine(
  row: PlanningAction,
  isShown: (key: string) => boolean,
  rows: readonly PlanningAction[],
): string {
  return [
    isShown('amount') ? '' : moneyText(row),
    row.partOn === null ? (lineText(row) ?? row.supplier ?? '') : `${row.lineNumber}, one part`,
    sameLineText(row, rows),
  ]
    .filter((text) => text !== '')
    .join(', ');
}

/** Also says from when a line is moved, where no other column does. */
function neededCell(row: PlanningAction, isBeforeShown: boolean) {
  const before = isBeforeShown ? '' : textBefore(row);
  return (
    <>
      {dayText(row.neededOn)} {before !== '' && <span className={`muted ${styles.before}`}>{before}</span>}
    </>
  );
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
    width: 54,
    align: 'end',
    phone: 'detail',
    cell: plannedText,
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
    width: 124,
    phone: 'detail',
    cell: (row, isShown) => neededCell(row, isShown('startsOn')),
    text: ({ neededOn }) => neededOn,
  },
  {
    key: 'for',
    header: 'Supplier or line',
    width: 130,
    grow: 2,
    phone: 'below',
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
