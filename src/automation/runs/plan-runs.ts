/** Selects the runs that are due: outbox rows in order, their events in order, for each the automations in theirs. */

import { type CallerRights, readCallerRights } from '../../access/read-caller-rights.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import { selectChainRuns } from '../../events/outbox.sql.ts';
import type { OutboxRow, Position } from '../../events/read-lane.ts';
import { unpackEvents } from '../../events/record-events.ts';
import type { Filter } from '../filter.schema.ts';
import { heardBy } from '../heard-by.ts';
import type { Threshold } from '../threshold.schema.ts';
import { Crossings } from './crossings.ts';
import { EventFilters, fits } from './match-filters.ts';
import { selectEnabled, selectQueued, selectRunAlready } from './run.sql.ts';

export interface DueRun {
  id: string;
  row: OutboxRow;
  /** Which event of the row. */
  index: number;
  automation: { id: string; name: string; script: string; scriptVersion: number };
  contextType: number;
  context: Record<string, unknown>;
  /** The event that it is for, which a retry has from the run before. */
  event: { id: string; index: number; at: string };
  attempt: number;
  /** The caller that triggered it, and for whom it acts; null if an event did. */
  caller: CallerRights | null;
  /** Its row is there and waits for it. */
  queued: boolean;
}

interface EnabledRow {
  id: string;
  name: string;
  context_type: number;
  script: string;
  script_version: number;
  filter: Filter | null;
  threshold: Threshold | null;
  enabled_at: string | null;
}

interface QueuedRow {
  id: string;
  automation_id: string;
  script_version: number;
  event_id: string;
  event_index: number;
  attempt: number;
  event_at: string;
  triggered_by: string | null;
  script: string;
  name: string;
}

export interface RunPlan {
  runs: AsyncIterator<DueRun>;
  /** Queued runs that there is nothing to run for any more. */
  orphans: string[];
  /** Runs that each chain has led to already, by its root. */
  chains: Map<string, number>;
  crossings: Crossings;
  /** The event at which `runs` ended although there are more; null if there are none. */
  stoppedAt: () => Position | null;
}

/** Events, times automations, that one turn looks at in vain: the rest waits for the next, behind other workspaces. */
const LEFT_OUT_MAX = 20_000;

export async function planRuns(tx: Tx, rows: readonly OutboxRow[]): Promise<RunPlan> {
  const enabled = await tx.query<EnabledRow>(selectEnabled, [tx.workspaceId]);
  const targets = rows.flatMap((row) => row.target_run_id ?? []);
  const queued =
    targets.length === 0 ? [] : await tx.query<QueuedRow>(selectQueued, [tx.workspaceId, targets]);
  const byId = new Map(queued.map((one) => [one.id, one]));
  const callers = await readCallerRights(
    tx,
    queued.flatMap((one) => one.triggered_by ?? []),
  );
  const [first] = rows;
  const already =
    first === undefined || first.target_run_id !== null
      ? []
      : await tx.query<{ automation_id: string }>(selectRunAlready, [tx.workspaceId, first.id, first.next]);
  const done = new Set(already.map((one) => one.automation_id));
  const roots = [...new Set(rows.filter((row) => row.depth > 0).map((row) => row.root_id))];
  const chains =
    roots.length === 0
      ? []
      : await tx.query<{ root_id: string; runs: number }>(selectChainRuns, [tx.workspaceId, roots]);
  const crossings = new Crossings();
  let stopped: Position | null = null;
  const stop = (at: Position) => {
    stopped = at;
  };
  return {
    runs: dueRuns(tx, rows, { enabled, queued: byId, callers, done, crossings }, stop),
    orphans: targets.filter((id) => !byId.has(id)),
    chains: new Map(chains.map((chain) => [chain.root_id, chain.runs])),
    crossings,
    stoppedAt: () => stopped,
  };
}

interface Known {
  enabled: readonly EnabledRow[];
  queued: ReadonlyMap<string, QueuedRow>;
  callers: ReadonlyMap<string, CallerRights>;
  /** Automations that have had the first event already. */
  done: ReadonlySet<string>;
  crossings: Crossings;
}

async function* dueRuns(
  tx: Tx,
  rows: readonly OutboxRow[],
  { enabled, queued, callers, done, crossings }: Known,
  stop: (at: Position) => void,
): AsyncGenerator<DueRun> {
  let leftOut = 0;
  for (const [at, row] of rows.entries()) {
    if (row.target_run_id !== null) {
      const wanted = queued.get(row.target_run_id);
      if (wanted !== undefined) yield queuedRun(row, wanted, callers.get(wanted.triggered_by ?? '') ?? null);
      continue;
    }
    const recordedAt = Date.parse(row.recorded_at);
    const listening = enabled.filter(
      (one) =>
        heardBy(one.context_type, one.threshold) === row.context_type &&
        one.enabled_at !== null &&
        Date.parse(one.enabled_at) <= recordedAt,
    );
    if (listening.length === 0) continue;
    const filters = new EventFilters(listening.map(({ filter }) => filter));
    const events = unpackEvents(row.events);
    for (let from = row.next; from < events.length; from += filters.together) {
      const together = events.slice(from, from + filters.together);
      const subjects = await filters.read(tx, together);
      await crossings.read(tx, listening, together);
      for (const [offset, context] of together.entries()) {
        const index = from + offset;
        if (leftOut >= LEFT_OUT_MAX) return stop({ row, index });
        leftOut += listening.length;
        for (const automation of listening) {
          if (!fits(automation.filter, row.context_type, context, subjects)) continue;
          const own =
            automation.threshold === null ? context : crossings.cross(automation, context, row, index);
          if (own === null || (at === 0 && index === row.next && done.has(automation.id))) continue;
          leftOut -= 1;
          yield freshRun(row, index, automation, own);
        }
      }
    }
  }
}

function freshRun(
  row: OutboxRow,
  index: number,
  { id, name, context_type: contextType, script, script_version: scriptVersion }: EnabledRow,
  context: Record<string, unknown>,
): DueRun {
  return {
    id: newId(),
    row,
    index,
    automation: { id, name, script, scriptVersion },
    contextType,
    context,
    event: { id: row.id, index, at: row.recorded_at },
    attempt: 1,
    caller: null,
    queued: false,
  };
}

function queuedRun(row: OutboxRow, wanted: QueuedRow, caller: CallerRights | null): DueRun {
  const { id, automation_id, name, script, script_version: scriptVersion } = wanted;
  return {
    id,
    row,
    index: 0,
    automation: { id: automation_id, name, script, scriptVersion },
    contextType: row.context_type,
    context: unpackEvents(row.events)[0] as Record<string, unknown>,
    event: { id: wanted.event_id, index: wanted.event_index, at: wanted.event_at },
    attempt: wanted.attempt,
    caller,
    queued: true,
  };
}
