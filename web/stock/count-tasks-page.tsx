/** Locations that are to be counted, by whom and until when. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { CountTask } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { momentColumn } from '../components/lists/columns.tsx';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { List } from '../components/lists/list-page.tsx';
import { EmptyState, GridSheet, PageFrame } from '../components/page-frame.tsx';
import { Due, PartNumber } from '../components/words.tsx';
import { paths } from '../navigation/paths.ts';
import { CountTaskDialog } from './count-task-dialog.tsx';

export function CountTasksPage() {
  const mayCount = useMay('stock');
  const [edited, setEdited] = useState<CountTask | 'new' | null>(null);
  const columns: GridColumn<CountTask>[] = [
    {
      key: 'location',
      header: 'Location',
      width: 110,
      phone: 'title',
      cell: ({ location }) => <PartNumber number={location.number} />,
      text: ({ location }) => location.number,
    },
    {
      key: 'name',
      header: 'Name',
      width: 130,
      grow: 1,
      phone: 'detail',
      cell: ({ location, below }) => (below ? `${location.name}, with all inside` : location.name),
      text: ({ location }) => location.name,
    },
    {
      key: 'assignedTo',
      header: 'Counted by',
      width: 120,
      grow: 1,
      phone: 'detail',
      cell: ({ assignedTo }) => assignedTo?.name ?? <span className="muted">nobody yet</span>,
      text: ({ assignedTo }) => assignedTo?.name ?? null,
    },
    {
      key: 'dueOn',
      header: 'Until',
      width: 110,
      phone: 'detail',
      cell: ({ dueOn, status }) => <Due date={dueOn} isOpen={status === 'open'} />,
      text: ({ dueOn }) => dueOn,
    },
    {
      key: 'note',
      header: 'Note',
      width: 140,
      grow: 1,
      spare: 2,
      cell: ({ note }) => note,
      text: ({ note }) => note,
    },
    {
      key: 'status',
      header: 'Status',
      width: 90,
      spare: 3,
      cell: ({ status, endedBy }) => (endedBy === null ? status : `${status} by ${endedBy.name}`),
      text: ({ status }) => status,
    },
    momentColumn('createdAt', 'Created', { width: 104, spare: 4 }),
    ...(mayCount
      ? [
          {
            key: 'change',
            header: 'Change',
            width: 84,
            phone: 'side' as const,
            cell: (task: CountTask) => (
              <Button
                size="xs"
                variant="default"
                aria-label={`Change the count of ${task.location.number ?? task.location.name}`}
                onClick={() => setEdited(task)}
              >
                Change
              </Button>
            ),
          },
        ]
      : []),
  ];
  return (
    <PageFrame
      title="Counts to do"
      above={{ label: 'Stock', href: paths.stock() }}
      actions={mayCount && <Button onClick={() => setEdited('new')}>Ask for a count</Button>}
    >
      <GridSheet>
        <List
          label="Counts to do"
          noun={['count', 'counts']}
          name="listCountTasks"
          input={{}}
          columns={columns}
          rowKey={({ id }) => id}
          hrefOf={(task) =>
            mayCount && task.status === 'open'
              ? paths.countTask(task)
              : paths.entity(task.location.id, 'stock')
          }
          nameOf={({ location }) => `Count ${location.number ?? location.name}`}
          filters={[{ key: 'status', label: 'Show', options: [{ value: 'any', label: 'also ended ones' }] }]}
          heightMax={680}
          empty={
            <EmptyState title="Nothing is to be counted">
              Ask for a count of a location: the member whom you name finds it under My work.
            </EmptyState>
          }
        />
      </GridSheet>
      {edited !== null && (
        <CountTaskDialog task={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
    </PageFrame>
  );
}
