/** All planning runs, newest first, and the start of another one. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../client/ask.ts';
import type { PlanningRun } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { momentColumn } from '../components/lists/columns.tsx';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { List } from '../components/lists/list-page.tsx';
import { EmptyState, GridSheet, PageFrame } from '../components/page-frame.tsx';
import { Quantity, StatusWord } from '../components/words.tsx';
import { paths } from '../navigation/paths.ts';
import { ProcurementTabs } from '../procurement/procurement-tabs.tsx';
import { exceptionsOf, PlanStatus, proposalsOf } from './plan-words.tsx';
import { StartDialog } from './start-dialog.tsx';

export function PlanListPage() {
  const mayPlan = useMay('procurement');
  const [starting, setStarting] = useState(false);
  const newest = useQuery(ask('listPlanningRuns', { query: { limit: 1 } }));
  const start = mayPlan && <Button onClick={() => setStarting(true)}>Start a planning run</Button>;
  return (
    <PageFrame title="Procurement" plainTitle="Plan" actions={start}>
      <ProcurementTabs current="plans" />
      <GridSheet>
        <List
          label="Planning runs"
          noun={['planning run', 'planning runs']}
          name="listPlanningRuns"
          input={{}}
          columns={columns}
          rowKey={({ id }) => id}
          hrefOf={({ id }) => paths.plan(id)}
          nameOf={({ createdAt }) => `Planning run of ${createdAt}`}
          heightMax={680}
          empty={
            <EmptyState title="No planning runs yet">
              A planning run compares all needs with stock and open orders, over all levels, and proposes what
              to order, make, move and cancel. It changes nothing until you commit its actions.
            </EmptyState>
          }
        />
      </GridSheet>
      {starting && <StartDialog before={newest.data?.items[0] ?? null} onClose={() => setStarting(false)} />}
    </PageFrame>
  );
}

const figure = (
  key: string,
  header: string,
  count: (run: PlanningRun) => number,
): GridColumn<PlanningRun> => ({
  key,
  header,
  width: 84,
  align: 'end',
  cell: (run) =>
    run.status === 'completed' ? <Quantity value={count(run)} /> : <span className="muted">–</span>,
  text: (run) => (run.status === 'completed' ? count(run) : null),
});

const columns: GridColumn<PlanningRun>[] = [
  momentColumn('createdAt', 'Started', { width: 130, grow: 1, phone: 'title' }),
  {
    key: 'status',
    header: 'Status',
    width: 150,
    phone: 'side',
    cell: (run) => (
      <>
        <PlanStatus run={run} /> {run.isWhatIf && <StatusWord tone="quiet">what-if</StatusWord>}{' '}
        {run.sameAs !== null && <StatusWord tone="quiet">as before</StatusWord>}
      </>
    ),
    text: ({ status, isWhatIf, sameAs }) =>
      [status, isWhatIf ? 'what-if' : [], sameAs === null ? [] : 'as before'].flat().join(', '),
  },
  figure('proposals', 'Actions', proposalsOf),
  figure('exceptions', 'Exceptions', exceptionsOf),
  {
    key: 'horizonDays',
    header: 'Days',
    width: 64,
    align: 'end',
    spare: 2,
    cell: ({ horizonDays }) => horizonDays,
    text: ({ horizonDays }) => horizonDays,
  },
  {
    key: 'by',
    header: 'By',
    width: 140,
    grow: 1,
    spare: 1,
    phone: 'detail',
    cell: ({ by }) => by.name,
    text: ({ by }) => by.name,
  },
];
