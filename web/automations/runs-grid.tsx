/** Lists the runs of one automation or of all, newest first. Failed runs can be retried. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ask, askAll } from '../client/ask.ts';
import type { AutomationRunSummary as Run } from '../client/operations.ts';
import { call } from '../client/request.ts';
import { useMay } from '../client/session.ts';
import type { BulkAction } from '../components/lists/bulk-bar.tsx';
import type { GridColumn } from '../components/lists/grid-column.ts';
import type { Filter } from '../components/lists/list-filters.ts';
import { List } from '../components/lists/list-page.tsx';
import { EmptyState } from '../components/page-frame.tsx';
import { durationText, Moment } from '../components/words.tsx';
import { paths } from '../navigation/paths.ts';
import { contextText, RunStatus } from './automation-words.tsx';
import { RetryDialog } from './retry-dialog.tsx';

export function RunsGrid({ automationId }: { automationId?: string }) {
  const mayConfigure = useMay('configuration');
  const all = useQuery({ ...askAll('listAutomations', {}), enabled: automationId === undefined });
  const named = useMemo(() => namedColumns(all.data ?? []), [all.data]);
  const people = useQuery(askAll('listPeople', {}));
  const [retrying, setRetrying] = useState(false);
  // The button is only there when a run has failed.
  const one = { query: { status: 'failed', limit: 1 } } as const;
  const failedOfAll = useQuery({
    ...ask('listAllAutomationRuns', one),
    enabled: mayConfigure && automationId === undefined,
  });
  const failedOfOne = useQuery({
    ...ask('listAutomationRuns', { id: automationId ?? '', ...one }),
    enabled: mayConfigure && automationId !== undefined,
  });
  const failed = (failedOfOne.data ?? failedOfAll.data)?.items ?? [];
  const given = {
    tools: failed.length > 0 && (
      <Button variant="default" onClick={() => setRetrying(true)}>
        Retry failed runs
      </Button>
    ),
    noun: ['run', 'runs'] as const,
    rowKey: ({ id }: Run) => id,
    hrefOf: ({ id }: Run) => paths.automationRun(id),
    nameOf: ({ event }: Run) => `Run of ${event.at}`,
    bulk: mayConfigure ? [retry] : [],
    filters: [status, triggeredBy(people.data ?? [])],
    columns: automationId === undefined ? named : columns,
    empty: (
      <EmptyState title="No runs yet">
        {automationId === undefined ? 'An automation runs' : 'It runs'} when it is enabled and its event
        happens.
      </EmptyState>
    ),
  };
  return (
    <>
      {automationId === undefined ? (
        <List label="Runs" name="listAllAutomationRuns" input={{}} heightMax={680} {...given} />
      ) : (
        <List
          label="Runs of the automation"
          name="listAutomationRuns"
          input={{ id: automationId }}
          heightMax={420}
          {...given}
        />
      )}
      {retrying && (
        <RetryDialog
          {...(automationId === undefined ? {} : { automationId })}
          onClose={() => setRetrying(false)}
        />
      )}
    </>
  );
}

/** Retries with the current version of the script. */
const retry: BulkAction<Run> = {
  label: 'Retry',
  explain: (count) =>
    `${count} will run again for the same events with the current version of the script. Runs whose automation is off are listed.`,
  run: async ({ id }, signal) => {
    await call('retryAutomationRun', { id, body: {} }, { signal });
    return [];
  },
};

const status: Filter = {
  key: 'status',
  label: 'Status',
  options: ['queued', 'succeeded', 'failed', 'suppressed'].map((value) => ({ value, label: value })),
};

function triggeredBy(people: readonly { id: string; name: string }[]): Filter {
  const options = people.map(({ id, name }) => ({ value: id, label: name }));
  return {
    key: 'triggeredBy',
    label: 'Triggered by',
    options: options.toSorted((a, b) => a.label.localeCompare(b.label)),
  };
}

function namedColumns(automations: readonly { id: string; name: string }[]): GridColumn<Run>[] {
  const names = new Map(automations.map(({ id, name }) => [id, name]));
  const name: GridColumn<Run> = {
    key: 'automation',
    header: 'Automation',
    width: 180,
    grow: 1,
    phone: 'title',
    cell: ({ automationId }) => names.get(automationId) ?? <span className="muted">deleted</span>,
    text: ({ automationId }) => names.get(automationId) ?? automationId,
  };
  return [
    name,
    ...columns.map((column) => (column.key === 'at' ? { ...column, phone: 'detail' as const } : column)),
  ];
}

function errorText({ error }: Run): string {
  return error === null ? '' : `${error.line === null ? '' : `line ${error.line}: `}${error.message}`;
}

function triggerText({ event, triggeredBy }: Run): string {
  const kind = contextText(event.contextTypeId);
  return triggeredBy === null ? kind : `${kind}, by ${triggeredBy.name}`;
}

const columns: GridColumn<Run>[] = [
  {
    key: 'at',
    header: 'Time',
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
    key: 'trigger',
    header: 'Trigger',
    width: 110,
    grow: 1,
    cell: (run, isShown) =>
      run.error === null || isShown('error') ? triggerText(run) : `${triggerText(run)}: ${errorText(run)}`,
    text: (run) => triggerText(run),
  },
  {
    key: 'error',
    header: 'Error',
    width: 160,
    grow: 1,
    spare: 1,
    phone: 'detail',
    cell: errorText,
    text: ({ error }) => error?.message ?? null,
  },
  {
    key: 'attempt',
    header: 'Attempt',
    width: 68,
    spare: 4,
    align: 'end',
    cell: ({ attempt }) => attempt,
    text: (run) => run.attempt,
  },
  {
    key: 'logs',
    header: 'Log lines',
    width: 72,
    spare: 3,
    align: 'end',
    cell: (run) => run.logCount,
    text: (run) => run.logCount,
  },
  {
    key: 'changes',
    header: 'Changes',
    width: 72,
    spare: 2,
    align: 'end',
    cell: (run) => run.changeCount,
    text: (run) => run.changeCount,
  },
  {
    key: 'duration',
    header: 'Duration',
    width: 90,
    align: 'end',
    cell: ({ durationMs }) => (durationMs === null ? '' : durationText(durationMs)),
    text: ({ durationMs }) => durationMs,
  },
];
