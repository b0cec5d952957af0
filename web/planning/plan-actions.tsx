/** The actions or the exceptions of a planning run, to be filtered, chosen, committed and dismissed. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { askAll } from '../client/ask.ts';
import type { PlanningAction, PlanningRun } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import type { BulkAction } from '../components/lists/bulk-bar.tsx';
import type { Filter } from '../components/lists/list-filters.ts';
import { List } from '../components/lists/list-page.tsx';
import { usePhone } from '../components/lists/use-media.ts';
import { EmptyState } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useAction } from '../components/use-action.ts';
import { countText } from '../components/words.tsx';
import { entityFilter } from '../entities/lists/entity-filter.tsx';
import { useAddress } from '../navigation/address.ts';
import { paths } from '../navigation/paths.ts';
import { ACTIONS_MAX, CommitDialog } from './commit-dialog.tsx';
import { columnsOf } from './plan-columns.tsx';
import { actionNames, countsOf, exceptionNames, isCreation } from './plan-words.tsx';
import styles from './planning.module.css';

/** In pixels. An action with its exceptions, its item and its line needs this much in one line. */
const TWO_LINES_BELOW = 1100;

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
  const narrowing = useNarrowing();
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
                {Object.keys(narrowing).length > 0 && ' of these'}
              </Button>
            )
          }
          heightMax={640}
          tallBelow={TWO_LINES_BELOW}
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
      {isAll && <CommitAll run={run} narrowing={narrowing} onClose={() => setAll(false)} onDone={onDone} />}
    </>
  );
}

function creationsOf({ actions: { order = 0, make = 0 } }: PlanningRun): number {
  return order + make;
}

type Narrowing = Partial<Record<(typeof narrowingKeys)[number], string>>;
const narrowingKeys = ['supplierId', 'project', 'item'] as const;

/** Returns the filters of the list that also narrow what is ordered and made. */
function useNarrowing(): Narrowing {
  const address = useAddress();
  return Object.fromEntries(
    narrowingKeys.flatMap((key) => {
      const value = address.get(key);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

interface CommitAllProps {
  run: PlanningRun;
  narrowing: Narrowing;
  onClose: () => void;
  onDone: () => void;
}

/** Reads what is still open before it asks. */
function CommitAll({ run, narrowing, ...rest }: CommitAllProps) {
  const open = { id: run.id, query: { ...narrowing, has: 'proposal', status: 'open' } } as const;
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
    entityFilter('project', 'Project', 'project'),
    entityFilter('item', 'Item', 'item'),
    {
      key: 'status',
      label: 'Status',
      options: ['open', 'committed', 'dismissed'].map((value) => ({ value, label: value })),
    },
  ];
}
