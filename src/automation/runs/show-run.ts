/** A run in the form of the API. */
import { rfc3339 } from '../../db/time.ts';
import { contextTypeOf } from '../../events/record-events.ts';
import type { RunTimes } from '../sandbox/script-result.ts';
import type { Run, RunSummary } from './run.schema.ts';
import { timelineOf } from './run-timeline.ts';

export interface RunRow {
  id: string;
  automation_id: string;
  script_version: number;
  event_id: string;
  event_index: number;
  attempt: number;
  context_type: number;
  event_at: string;
  status: Run['status'];
  depth: number;
  cause_run_id: string | null;
  retry_of: string | null;
  error: Run['error'];
  duration_ms: number | null;
  cpu_ms: number | null;
  started_at: string | null;
  finished_at: string | null;
  log_count: number;
  change_count: number;
}

export interface FullRunRow extends RunRow {
  context: Record<string, unknown>;
  result: unknown;
  logs: Run['logs'] | null;
  api_calls: Run['apiCalls'] | null;
  changes: Run['changes'] | null;
  /** Null for runs that are older than it. */
  times: RunTimes | null;
}

export interface RelatedRow {
  id: string;
  automation_id: string;
  status: Run['status'];
  depth: number;
  event_at: string;
}

export interface MailRow {
  id: string;
  recipients: string[];
  subject: string;
  status: Run['mails'][number]['status'];
  attempts: number;
  error: string | null;
  created_at: string;
  sent_at: string | null;
}

/** What led to a run, and what it led to. */
export interface Around {
  chain: readonly RelatedRow[];
  effects: readonly RelatedRow[];
  mails: readonly MailRow[];
}

export function showRunSummary(row: RunRow): RunSummary {
  return {
    id: row.id,
    automationId: row.automation_id,
    scriptVersion: row.script_version,
    status: row.status,
    attempt: row.attempt,
    retryOf: row.retry_of,
    event: {
      id: row.event_id,
      index: row.event_index,
      contextTypeId: row.context_type,
      contextType: contextTypeOf(row.context_type),
      at: rfc3339(row.event_at),
    },
    depth: row.depth,
    causeRunId: row.cause_run_id,
    error: row.error,
    logCount: row.log_count,
    changeCount: row.change_count,
    durationMs: row.duration_ms,
    cpuMs: row.cpu_ms,
    startedAt: row.started_at === null ? null : rfc3339(row.started_at),
    finishedAt: row.finished_at === null ? null : rfc3339(row.finished_at),
  };
}

export function showRun(row: FullRunRow, { chain, effects, mails }: Around): Run {
  return {
    ...showRunSummary(row),
    context: row.context,
    result: row.result,
    logs: row.logs ?? [],
    apiCalls: row.api_calls ?? [],
    changes: row.changes ?? [],
    mails: mails.map(showMail),
    timeline: timelineOf(row, effects, mails),
    chain: chain.map(showRelated),
    effects: effects.map(showRelated),
  };
}

function showMail({
  id,
  recipients,
  subject,
  status,
  attempts,
  error,
  ...at
}: MailRow): Run['mails'][number] {
  const sentAt = at.sent_at === null ? null : rfc3339(at.sent_at);
  return { id, to: recipients, subject, status, attempts, error, createdAt: rfc3339(at.created_at), sentAt };
}

function showRelated({ id, automation_id: automationId, status, depth }: RelatedRow) {
  return { id, automationId, status, depth };
}
