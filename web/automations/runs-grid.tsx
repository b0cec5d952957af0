/** The runs of an automation, newest first. */
import { List } from '../components/lists/list-page.tsx';
import { EmptyState } from '../components/page-frame.tsx';
import { durationText, Moment } from '../components/words.tsx';
import { paths } from '../navigation/paths.ts';
import { RunStatus } from './automation-words.tsx';

export function RunsGrid({ automationId }: { automationId: string }) {
  return (
    <List
      label="Runs"
      noun={['run', 'runs']}
      name="listAutomationRuns"
      input={{ id: automationId }}
      rowKey={({ id }) => id}
      hrefOf={({ id }) => paths.automationRun(id)}
      heightMax={420}
      filters={[
        {
          key: 'status',
          label: 'Status',
          options: ['queued', 'succeeded', 'failed', 'suppressed'].map((value) => ({ value, label: value })),
        },
      ]}
      columns={[
        {
          key: 'at',
          header: 'Happened',
          width: 130,
          phone: 'title',
          cell: ({ event }) => <Moment at={event.at} />,
          text: ({ event }) => event.at,
        },
        {
          key: 'status',
          header: 'Status',
          width: 100,
          phone: 'side',
          cell: ({ status }) => <RunStatus status={status} />,
          text: ({ status }) => status,
        },
        {
          key: 'error',
          header: 'Error',
          width: 260,
          grow: 1,
          phone: 'detail',
          cell: ({ error }) =>
            error === null ? '' : `${error.line === null ? '' : `line ${error.line}: `}${error.message}`,
          text: ({ error }) => error?.message ?? null,
        },
        {
          key: 'attempt',
          header: 'Try',
          width: 50,
          align: 'end',
          cell: ({ attempt }) => attempt,
          text: (run) => run.attempt,
        },
        {
          key: 'logs',
          header: 'Log lines',
          width: 80,
          align: 'end',
          cell: (run) => run.logCount,
          text: (run) => run.logCount,
        },
        {
          key: 'changes',
          header: 'Changes',
          width: 80,
          align: 'end',
          cell: (run) => run.changeCount,
          text: (run) => run.changeCount,
        },
        {
          key: 'duration',
          header: 'Took',
          width: 90,
          align: 'end',
          cell: ({ durationMs }) => (durationMs === null ? '' : durationText(durationMs)),
          text: ({ durationMs }) => durationMs,
        },
      ]}
      empty={<EmptyState title="It has not run yet">It runs when it is on and its event happens.</EmptyState>}
    />
  );
}
