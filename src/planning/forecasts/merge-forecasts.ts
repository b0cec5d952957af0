/** Forecasts of an item that is merged into another (contract §3.15). */
import type { Tx } from '../../db/transaction.ts';
import { lockForecastsOfWorkspace, type MergedRow, selectMerged } from './forecasts.sql.ts';

/** Returns how many forecasts move, and why they cannot. With `isLocked` nobody sets forecasts until the transaction ends. */
export async function forecastsOfMerged(
  tx: Tx,
  { from, into, isLocked }: { from: string; into: string; isLocked: boolean },
): Promise<{ count: number; problem: string | null }> {
  if (isLocked) await tx.query(lockForecastsOfWorkspace, [tx.workspaceId]);
  const [row] = await tx.query<MergedRow>(selectMerged, [tx.workspaceId, from, into]);
  if (row === undefined) throw new Error('A count without a row');
  const { count, from_day: first } = row;
  if (first === null) return { count, problem: null };
  const span = `The forecast of ${first} to ${row.until_day}`;
  const problem = row.is_same
    ? `${span} and that of the item that stays are more than 999999999.999999 together. Set a smaller one.`
    : `${span} reaches into that of ${row.other_from} to ${row.other_until} of the item that stays. End one before, or delete one.`;
  return { count, problem };
}
