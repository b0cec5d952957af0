/** The actions or the exceptions of a planning run, to be filtered, chosen, committed and dismissed. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { askAll } from '../client/ask.ts';
import type { PlanningAction, PlanningRun } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import type { BulkAction } from '../components/lists/bulk-bar.tsx';
import type { GridColumn } from '../components/lists/grid-column.ts';
import type { Filter } from '../components/lists/list-filters.ts';
import { List } from '../components/lists/list-page.tsx';
import { usePhone } from '../components/lists/use-media.ts';
import { EmptyState } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useAction } from '../components/use-action.ts';
import { countText, dayText, PartNumber, Quantity, StatusWord } from '../components/words.tsx';
import { entityFilter } from '../entities/lists/entity-filter.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { ACTIONS_MAX, CommitDialog } from './commit-dialog.tsx';
import {
  actionNames,
  countsOf,
  exceptionNames,
  exceptionText,
  isChange,
  isCreation,
  lineText,
} from './plan-words.tsx';
import styles from './planning.module.css';

export interface PlanActionsProps {
  run: PlanningRun;
  shows: 'proposals' | 'exceptions';
}

export function PlanActions({ run, shows }: PlanActionsProps) {
  const mayPlan = useMay('procurement') && !run.isWhatIf;
  const phone = usePhone();
  const [committing, setCommitting] = useState<readonly PlanningAction[] | null>(null);
  const [isAll, setAll] = useState(false);
  // Chosen rows are chosen no more when something was done with them.
  const [round, setRound] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const onDone = () => {
    setRound((before) => before + 1);
    // The buttons that acted go with the choice: the keyboard goes on at the list.
    box.current?.focus({ preventScroll: true });
  };
  const dismiss = useDismissal(run, true, onDone);
  const restore = useDismissal(run, false, onDone);
  const filters = useFilters(run, shows);
  const error = dismiss.error ?? restore.error;
  const bulk: BulkAction<PlanningAction>[] = [
    { label: 'Commit', begin: setCommitting },
    { label: 'Dismiss', begin: dismiss.send },
    { label: 'Take dismissal back', begin: restore.send },
  ];
  return (
    <>
      {error !== null && <ProblemPanel error={error} />}
      <div className={styles.actions} ref={box} tabIndex={-1}>
        <List
          key={round}
          label={shows === 'proposals' ? 'Actions of the plan' : 'Exceptions of the plan'}
          noun={
            shows === 'proposals'
              ? ['action', 'actions']
              : ['action with exceptions', 'actions with exceptions']
          }
          name="listPlanningActions"
          input={{ id: run.id, query: { has: shows === 'proposals' ? 'proposal' : 'exception' } }}
          columns={columnsOf(shows, phone)}
          rowKey={({ number }) => String(number)}
          hrefOf={({ itemEntityId }) => paths.planItem(run.id, itemEntityId)}
          nameOf={({ action, itemNumber, itemName }) => `${actionNames[action]} ${itemNumber ?? itemName}`}
          filters={filters}
          bulk={mayPlan ? bulk : []}
          tools={
            mayPlan &&
            shows === 'proposals' &&
            creationsOf(run) > 0 && (
              <Button variant="default" onClick={() => setAll(true)}>
                Commit what to order and make
              </Button>
            )
          }
          heightMax={640}
          empty={
            <EmptyState title={shows === 'proposals' ? 'Nothing to do' : 'No exceptions'}>
              {shows === 'proposals'
                ? 'Stock and open orders cover all needs in time.'
                : 'Every need is met in time, and nothing is missing for it.'}
            </EmptyState>
          }
        />
      </div>
      {committing !== null && (
        <CommitDialog run={run} chosen={committing} onClose={() => setCommitting(null)} onDone={onDone} />
      )}
      {isAll && <CommitAll run={run} onClose={() => setAll(false)} onDone={onDone} />}
    </>
  );
}

function creationsOf({ actions: { order = 0, make = 0 } }: PlanningRun): number {
  return order + make;
}

/** Reads what is still open before it asks. */
function CommitAll({ run, ...rest }: { run: PlanningRun; onClose: () => void; onDone: () => void }) {
  const open = { id: run.id, query: { has: 'proposal', status: 'open' } } as const;
  // Each commit changes which actions are open.
  const found = useQuery({ ...askAll('listPlanningActions', open), staleTime: 0 });
  if (found.isError) return <ProblemPanel error={found.error} onRetry={() => void found.refetch()} />;
  if (found.data === undefined || found.isFetching) return null;
  const creations = found.data.filter(isCreation);
  return <CommitDialog run={run} chosen={creations} {...rest} />;
}

function useDismissal({ id }: PlanningRun, dismissed: boolean, onDone: () => void) {
  const action = useAction('dismissPlanningActions', {
    changes: ['listPlanningActions'],
    done: ({ items }) =>
      dismissed
        ? `${countText(items.length, 'action')} dismissed, in later runs too while the need is the same.`
        : `${countText(items.length, 'dismissal')} taken back.`,
    onDone,
  });
  const send = (rows: readonly PlanningAction[]) => {
    const actions = rows
      .filter(({ status }) => status === (dismissed ? 'open' : 'dismissed'))
      .slice(0, ACTIONS_MAX)
      .map(({ number }) => number);
    if (actions.length > 0) action.mutate({ id, body: { actions, dismissed } });
  };
  return { send, error: action.error };
}

function useFilters(run: PlanningRun, shows: PlanActionsProps['shows']): Filter[] {
  const suppliers = useQuery(askAll('listSuppliers', {}));
  const kinds = countsOf(actionNames, run.actions).filter(
    ({ name }) => shows !== 'proposals' || name !== 'none',
  );
  const option = ({ name, label, count }: { name: string; label: string; count: number }) => ({
    value: name,
    label,
    count,
  });
  return [
    { key: 'action', label: 'Kind', options: kinds.map(option) },
    { key: 'exception', label: 'Exception', options: countsOf(exceptionNames, run.exceptions).map(option) },
    {
      key: 'supplierId',
      label: 'Supplier',
      options: (suppliers.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
    },
    entityFilter('item', 'Item', 'item'),
    {
      key: 'status',
      label: 'Status',
      options: ['open', 'committed', 'dismissed'].map((value) => ({ value, label: value })),
    },
  ];
}

/** Exceptions are what that list is about: they have room. A phone shows how an action stands where it is open no more. */
function columnsOf(shows: PlanActionsProps['shows'], phone: boolean): readonly GridColumn<PlanningAction>[] {
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
