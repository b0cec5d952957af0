/** The clock of the database, and its times in the form of the API. */
import type { Tx } from './transaction.ts';

/** RFC 3339 UTC with milliseconds from a `timestamptz` in text form (the connections' time zone is UTC). */
export function rfc3339(timestamp: string): string {
  return new Date(timestamp).toISOString();
}

/** When the transaction began, to the microsecond: by this clock events are dated, and what must be told from them. */
export async function databaseNow(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ now: string }>('select now() as now');
  return (row as { now: string }).now;
}
