/** Finds what has changed in a workspace between two looks at it. */
import type { SyncBatch } from '../sync/batch/sync.schema.ts';
import type { ChangedPlan, ChangedRun, WorkspaceEvent } from './overview.schema.ts';

/** A change that is reported; a connection opens by itself. */
export type Change = Exclude<WorkspaceEvent, { event: 'open' }>;

export const NEWEST_BATCHES = 10;
export const NEWEST_RUNS = 20;
export const NEWEST_PLANS = 10;
/** Batches that wait or are under way, and planning runs that do. */
export const UNFINISHED_MAX = 20;

/** A run of an automation. */
export interface LatestRun {
  id: string;
  automation_id: string;
  status: ChangedRun['status'];
}

/** Each list is bounded by the numbers above. */
interface Latest {
  batches: readonly SyncBatch[];
  runs: readonly LatestRun[];
  plans: readonly ChangedPlan[];
}

/** States by id. */
export interface Seen {
  /** Displayed state of each batch. */
  batches: Map<string, string>;
  runs: Map<string, ChangedRun['status']>;
  plans: Map<string, ChangedPlan['status']>;
}

export function seenIn({ batches, runs, plans }: Latest): Seen {
  return {
    batches: new Map(batches.map((batch) => [batch.batchId, stateOf(batch)])),
    runs: new Map(runs.map(({ id, status }) => [id, status])),
    plans: new Map(plans.map(({ id, status }) => [id, status])),
  };
}

/** The first look, before which nothing was seen, reports nothing. */
export function changesSince(before: Seen | null, { batches, runs, plans }: Latest): Change[] {
  if (before === null) return [];
  const changedBatches = batches
    .filter((batch) => before.batches.get(batch.batchId) !== stateOf(batch))
    .map((data) => ({ event: 'batch' as const, data }));
  const changedRuns = runs
    .filter(({ id, status }) => before.runs.get(id) !== status)
    .map(({ id, automation_id: automationId, status }) => ({
      event: 'run' as const,
      data: { id, automationId, status },
    }));
  const changedPlans = plans
    .filter(({ id, status }) => before.plans.get(id) !== status)
    .map(({ id, status }) => ({ event: 'plan' as const, data: { id, status } }));
  // If none of them is known from the look before, more may lie between the two looks.
  const missed =
    (before.runs.size > 0 && runs.length === NEWEST_RUNS && runs.every(({ id }) => !before.runs.has(id))) ||
    (before.batches.size > 0 && changedBatches.length >= NEWEST_BATCHES) ||
    (before.plans.size > 0 && changedPlans.length >= NEWEST_PLANS);
  return [
    ...changedBatches,
    ...changedRuns,
    ...changedPlans,
    ...(missed ? [{ event: 'missed' as const, data: {} }] : []),
  ];
}

/** Differs whenever anything that is shown does. */
function stateOf({ status, finishedAt, counts }: SyncBatch): string {
  const { created, updated, skipped, error } = counts;
  return [finishedAt === null ? 'under way' : 'ended', status, created, updated, skipped, error].join(' ');
}

export function isUnderWay(state: string): boolean {
  return state.startsWith('under way');
}
