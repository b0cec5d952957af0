/** Retries failed runs by what they have in common: those that nobody has retried yet, the oldest first, some in a call. */
import { firstIdAt } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import { HIGHEST_ID, LOWEST_ID } from '../../stock/entries/ledger-entry.ts';
import { lockRetries, retryRun } from './retry-run.ts';
import type { RunRetries, RunsRetried } from './run.schema.ts';
import { selectUnretried } from './run.sql.ts';

/** More are retried by another call: a transaction must end. */
const RETRIED_MAX = 100;
/** Maximum number of the newest failed runs that are considered. */
const LOOKED_MAX = 10_000;

interface Row {
  matching: number;
  looked: number;
  disabled: number;
  ids: string[];
}

export async function retryFailed(tx: Tx, wanted: RunRetries): Promise<RunsRetried> {
  const { automationId = null, from, to, script, dryRun } = wanted;
  if (!dryRun) await lockRetries(tx);
  const [found] = await tx.query<Row>(selectUnretried, [
    tx.workspaceId,
    from === undefined ? LOWEST_ID : firstIdAt(Date.parse(from)),
    to === undefined ? HIGHEST_ID : firstIdAt(Date.parse(to)),
    LOOKED_MAX,
    automationId,
    RETRIED_MAX,
  ]);
  const { matching, looked, disabled, ids } = found as Row;
  const runs: RunsRetried['runs'] = [];
  for (const retryOf of dryRun ? [] : ids) runs.push({ id: await retryRun(tx, retryOf, script), retryOf });
  return {
    dryRun,
    matching,
    isPartial: looked === LOOKED_MAX,
    disabled,
    runs,
    left: matching - runs.length,
  };
}
