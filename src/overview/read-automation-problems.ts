/** Problems of automations besides failed runs: schedules that do not run, and mails that could not be sent. */
import { rfc3339 } from '../db/time.ts';
import type { Tx } from '../db/transaction.ts';
import type { Overview } from './overview.schema.ts';
import { countFailedMails, selectLateSchedules } from './overview.sql.ts';

/** A schedule is looked at every second: one that is this late does not run. */
const LATE_SECONDS = 120;
const COUNTED_MAX = 1000;
const SHOWN_MAX = 10;
const MESSAGE_CHARS_MAX = 300;

interface ScheduleRow {
  automationId: string;
  name: string;
  nextRunAt: string | null;
  message: string | null;
  counted: number;
}

export async function readLateSchedules(tx: Tx): Promise<Overview['lateSchedules']> {
  const rows = await tx.query<ScheduleRow>(selectLateSchedules, [tx.workspaceId, LATE_SECONDS, SHOWN_MAX]);
  const items = rows.map(({ counted: _, nextRunAt, ...one }) => ({
    ...one,
    nextRunAt: nextRunAt === null ? null : rfc3339(nextRunAt),
  }));
  return { count: rows[0]?.counted ?? 0, items };
}

export async function readFailedMails(tx: Tx, since: string): Promise<Overview['failedMails']> {
  const [last] = await tx.query<{ lastRunId: string | null; message: string | null; counted: number }>(
    countFailedMails,
    [tx.workspaceId, since, COUNTED_MAX, MESSAGE_CHARS_MAX],
  );
  if (last === undefined) return { count: 0, isAtLeast: false, lastRunId: null, message: null };
  const { counted, ...shown } = last;
  return { count: counted, isAtLeast: counted === COUNTED_MAX, ...shown };
}
