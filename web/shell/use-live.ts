/** Keeps what is shown up to date with what happens: answers that an event concerns are asked anew, if they are in view. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { followWorkspace, type LiveEvent } from '../client/live.ts';
import type { PlanningRun, SyncBatch } from '../client/operations.ts';
import { ofResults, readAtEnd } from '../client/read-at-end.ts';
import type { OperationName } from '../client/request.ts';

/** A batch under way changes every second: lists follow at this pace. */
const PACE_MS = 2000;

const ofBatches: readonly OperationName[] = ['listSyncBatches', 'getOverview'];
/** The end of a batch changes which links are pending, and which elements of earlier batches are still rejected. */
const ofEnd: readonly OperationName[] = ['listPendingLinks', 'getSyncBatch', 'listSyncProblems'];
const ofRuns: readonly OperationName[] = [
  'listAllAutomationRuns',
  'listAutomationRuns',
  'getAutomationRun',
  'getOverview',
  'listAutomations',
];

const ofPlans: readonly OperationName[] = ['listPlanningRuns', 'getPlanningRun', 'getMyWork'];
/** The end of a planning run stores its actions. */
const ofPlanEnd: readonly OperationName[] = ['listPlanningActions'];

const ofInbox: readonly OperationName[] = ['listInbox'];

export function useLive(): void {
  const client = useQueryClient();
  useEffect(() => {
    const ended = new AbortController();
    const stale = new Set<OperationName>();
    let timer: ReturnType<typeof setTimeout> | null = null;
    const refresh = () => {
      timer = null;
      for (const name of stale) void client.invalidateQueries({ queryKey: [name] });
      stale.clear();
    };
    const mark = (names: readonly OperationName[], waitMs = PACE_MS) => {
      for (const name of names) stale.add(name);
      timer ??= setTimeout(refresh, waitMs);
    };
    let opened = false;
    const take = (live: LiveEvent) => {
      if (live.event === 'batch') {
        const { results: _, ...batch } = live.data;
        client.setQueryData<SyncBatch>(['getSyncBatch', { id: batch.batchId }], (before) =>
          before === undefined ? before : { ...before, ...batch },
        );
        if (batch.finishedAt !== null) readAtEnd(client, batch.batchId);
        mark(batch.finishedAt === null ? [...ofBatches, 'listSyncProblems'] : [...ofBatches, ...ofEnd]);
      } else if (live.event === 'run') mark(ofRuns);
      else if (live.event === 'plan') {
        const { id, status } = live.data;
        const isUnderWay = status === 'queued' || status === 'running';
        client.setQueryData<PlanningRun>(['getPlanningRun', { id }], (before) =>
          before === undefined || before.finishedAt !== null || !isUnderWay ? before : { ...before, status },
        );
        mark(isUnderWay ? ofPlans : [...ofPlans, ...ofPlanEnd], 0);
      } else if (live.event === 'inbox') {
        client.setQueryData(['countUnread', {}], live.data);
        mark(ofInbox, 0);
      }
      // What the page has just read at its first opening is not read twice.
      else if (opened)
        mark([
          ...ofBatches,
          ...ofEnd,
          ...ofResults,
          ...ofRuns,
          ...ofPlans,
          ...ofPlanEnd,
          ...ofInbox,
          'countUnread',
          'getSyncBatch',
        ]);
      opened = true;
    };
    followWorkspace(take, ended.signal);
    return () => {
      ended.abort();
      if (timer !== null) clearTimeout(timer);
    };
  }, [client]);
}
