/** Rows of runs, and of their mails, as the statements return them. */
import type { RunTimes } from '../sandbox/script-result.ts';
import type { Run } from './run.schema.ts';

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
  triggered_by: Run['triggeredBy'];
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
  /** The times; null for runs that are older than this column. */
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

/** The runs that led to a run, and its consequences. */
export interface Around {
  chain: readonly RelatedRow[];
  effects: readonly RelatedRow[];
  mails: readonly MailRow[];
}
