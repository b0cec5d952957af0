/** A run in the form of the API. */
import { rfc3339 } from '../../db/time.ts';
import { contextTypeOf } from '../../events/record-events.ts';
import type { Run, RunSummary } from './run.schema.ts';
import type { Around, FullRunRow, MailRow, RelatedRow, RunRow } from './run-row.ts';
import { timelineOf } from './run-timeline.ts';

export function showRunSummary(row: RunRow): RunSummary {
  return {
    id: row.id,
    automationId: row.automation_id,
    scriptVersion: row.script_version,
    status: row.status,
    attempt: row.attempt,
    retryOf: row.retry_of,
    triggeredBy: row.triggered_by,
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
