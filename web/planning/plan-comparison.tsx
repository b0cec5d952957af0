/** Compares a planning run with another one: which actions are new, gone or changed. */
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ask, askAll } from '../client/ask.ts';
import type { PlanningAction, PlanningDifference, PlanningRun } from '../client/operations.ts';
import { Asked } from '../components/dialogs/asked.tsx';
import { DataGrid } from '../components/lists/data-grid.tsx';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { EmptyState, Sheet } from '../components/page-frame.tsx';
import { dayText, momentText, PartNumber, quantityText, StatusWord } from '../components/words.tsx';
import { useAddress } from '../navigation/address.ts';
import { useGo } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { actionNames, plannedText } from './plan-words.tsx';
import styles from './planning.module.css';

/** The newest runs, among which one is chosen. */
const RUNS = 100;
/** More differences than these are not shown. */
const DIFFERENCES_MAX = 2000;

export function PlanComparison({ run }: { run: PlanningRun }) {
  const address = useAddress();
  const go = useGo();
  const runs = useQuery(ask('listPlanningRuns', { query: { limit: RUNS } }));
  const other = address.get('with') ?? '';
  return (
    <Sheet title="Comparison with another run">
      <Asked of={runs}>
        {({ items }) => (
          <NativeSelect
            label="Compare with"
            value={other}
            data={[
              { value: '', label: 'Choose a run' },
              ...items
                .filter(({ id, status }) => status === 'completed' && id !== run.id)
                .map((one) => ({ value: one.id, label: nameOf(one) })),
            ]}
            onChange={(event) =>
              go(paths.plan(run.id, { show: 'comparison', with: event.currentTarget.value }))
            }
          />
        )}
      </Asked>
      {other !== '' && <Differences run={run} other={other} />}
    </Sheet>
  );
}

function nameOf({ createdAt, by, isWhatIf }: PlanningRun): string {
  return `${momentText(createdAt)} by ${by.name}${isWhatIf ? ', what-if' : ''}`;
}

function Differences({ run, other }: { run: PlanningRun; other: string }) {
  const found = useQuery(
    askAll('comparePlanningRuns', { id: run.id, query: { with: other } }, DIFFERENCES_MAX),
  );
  return (
    <Asked of={found}>
      {(differences) => {
        const rows = rowsOf(differences);
        if (rows.length === 0)
          return <EmptyState title="No differences">Both runs have the same actions.</EmptyState>;
        return (
          <>
            <p role="status" className={styles.told}>
              {countsText(rows)}, compared with the other run.
            </p>
            <DataGrid
              label="Differences"
              columns={columns}
              rows={rows}
              rowKey={({ key }) => key}
              hrefOf={({ action }) => paths.planItem(run.id, action.itemEntityId)}
              heightMax={640}
            />
            {differences.length >= DIFFERENCES_MAX && (
              <p>There may be more: these are the first by the date on which to act.</p>
            )}
          </>
        );
      }}
    </Asked>
  );
}

interface Row {
  key: string;
  change: 'new' | 'gone' | 'changed';
  action: PlanningAction;
  /** The action of the other run, where it has another date or quantity. */
  before: PlanningAction | null;
}

/** An action of one item, kind and line that both runs have with another date or quantity is changed: the first of one with the first of the other. */
function rowsOf(differences: readonly PlanningDifference[]): Row[] {
  const keyOf = ({ itemEntityId, action, lineId }: PlanningAction) => `${itemEntityId} ${action} ${lineId}`;
  const gone = Map.groupBy(
    differences.filter(({ change }) => change === 'removed').map(({ action }) => action),
    keyOf,
  );
  const taken = new Set<PlanningAction>();
  const added = differences.flatMap(({ change, action }): Row[] => {
    if (change !== 'added') return [];
    const before = gone.get(keyOf(action))?.shift() ?? null;
    if (before !== null) taken.add(before);
    return [{ key: `new ${action.number}`, change: before === null ? 'new' : 'changed', action, before }];
  });
  const removed = differences.flatMap(({ change, action }): Row[] =>
    change === 'removed' && !taken.has(action)
      ? [{ key: `gone ${action.number}`, change: 'gone', action, before: null }]
      : [],
  );
  return [...added, ...removed].toSorted((a, b) => a.action.startsOn.localeCompare(b.action.startsOn));
}

function countsText(rows: readonly Row[]): string {
  return (['new', 'gone', 'changed'] as const)
    .map((kind) => `${quantityText(rows.filter(({ change }) => change === kind).length)} ${kind}`)
    .join(', ');
}

const tones = { new: 'good', gone: 'quiet', changed: 'warn' } as const;

/** Where it was otherwise in the other run, that stands behind. */
const withBefore = (now: string, before: string | undefined) =>
  before === undefined || before === now ? now : `${now}, was ${before}`;

const columns: readonly GridColumn<Row>[] = [
  {
    key: 'change',
    header: 'Change',
    width: 84,
    phone: 'side',
    cell: ({ change }) => <StatusWord tone={tones[change]}>{change}</StatusWord>,
  },
  {
    key: 'item',
    header: 'Action',
    width: 150,
    grow: 2,
    phone: 'title',
    cell: ({ action: { action, itemNumber, itemName } }) => (
      <>
        {actionNames[action]} <PartNumber number={itemNumber} /> <span className="muted">{itemName}</span>
      </>
    ),
  },
  {
    key: 'quantity',
    header: 'Quantity',
    width: 120,
    grow: 1,
    phone: 'detail',
    cell: ({ action, before }) =>
      withBefore(plannedText(action), before === null ? undefined : plannedText(before)),
  },
  {
    key: 'neededOn',
    header: 'Needed on',
    width: 190,
    grow: 1,
    phone: 'detail',
    cell: ({ action, before }) =>
      withBefore(dayText(action.neededOn), before === null ? undefined : dayText(before.neededOn)),
  },
];
