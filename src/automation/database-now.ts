/** The database's clock, by which events are dated: an automation's beginning must be told by the same one. */
import type { Tx } from '../db/transaction.ts';

/** When the transaction began, to the microsecond. */
export async function databaseNow(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ now: string }>('select now() as now');
  return (row as { now: string }).now;
}
