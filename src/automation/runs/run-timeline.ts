/** The timeline of a run: from its event, by its wait, its log and its calls, to its changes and the runs that these triggered. */
import { rfc3339 } from '../../db/time.ts';
import { contextTypeOf } from '../../events/record-events.ts';
import type { TimelineEntry } from './run.schema.ts';
import type { FullRunRow, MailRow, RelatedRow } from './run-row.ts';

const ENTRIES_MAX = 1000;
const TEXT_CHARS_MAX = 500;

export function timelineOf(
  run: FullRunRow,
  effects: readonly RelatedRow[],
  mails: readonly MailRow[],
): TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  const add = (at: string, kind: TimelineEntry['kind'], text: string, more: Partial<TimelineEntry> = {}) =>
    entries.push({
      at: rfc3339(at),
      kind,
      text: text.slice(0, TEXT_CHARS_MAX),
      ms: null,
      ok: true,
      runId: null,
      ...more,
    });
  const by = run.triggered_by === null ? '' : `, by ${run.triggered_by.name}`;
  add(run.event_at, 'event', `${contextTypeOf(run.context_type)}${by}`);
  if (run.started_at !== null) {
    const startedAt = Date.parse(run.started_at);
    add(run.started_at, 'start', 'started', { ms: Math.max(0, startedAt - Date.parse(run.event_at)) });
    // Times within the run are measured by another clock than its end.
    const endedAt = run.finished_at === null ? Infinity : Math.max(startedAt, Date.parse(run.finished_at));
    const after = (ms: number) => new Date(Math.min(startedAt + ms, endedAt)).toISOString();
    const steps = [
      ...(run.logs ?? []).map(({ level, message }, at) => ({
        ms: run.times?.logs[at] ?? 0,
        tell: (ms: number) => add(after(ms), 'log', message, { ok: level !== 'error' }),
      })),
      ...(run.api_calls ?? []).map(({ method, ms: took, ok }, at) => ({
        ms: run.times?.calls[at] ?? 0,
        tell: (ms: number) => add(after(ms), 'call', method, { ms: took, ok }),
      })),
    ];
    for (const { ms, tell } of steps.toSorted((a, b) => a.ms - b.ms)) tell(ms);
  }
  if (run.finished_at !== null) {
    for (const { property, from, to } of run.changes ?? [])
      add(run.finished_at, 'change', `${property}: ${shown(from)} → ${shown(to)}`);
    const text = run.error === null ? run.status : `${run.status}: ${run.error.name}: ${run.error.message}`;
    add(run.finished_at, 'end', text, { ms: run.duration_ms, ok: run.status === 'succeeded' });
  }
  for (const { subject, status, sent_at, created_at } of mails)
    if (status !== 'waiting')
      add(sent_at ?? created_at, 'mail', `${subject}: ${status}`, { ok: status === 'sent' });
  for (const { id, status, event_at } of effects)
    add(event_at, 'run', status, { ok: status !== 'failed', runId: id });
  return entries.slice(0, ENTRIES_MAX);
}

function shown(value: string | number | boolean | null): string {
  return value === null ? '–' : String(value);
}
