/** Numbers of entities: the counter behind a category's numbering scheme, and its values in the category's pattern. */
import type { Tx } from '../db/transaction.ts';
import { advanceCounter, selectNextValue } from './numbering.sql.ts';

/**
 * Takes `count` (at least 1) consecutive values of the category's counter and returns the first; counting
 * starts at 1. Gap-free when called in the transaction that writes the entities, since a rollback gives the
 * values back; it then locks the counter until that transaction ends. A counter outlives its category, so
 * that no number is given out twice.
 */
export async function allocateNumbers(tx: Tx, category: string, count: number): Promise<number> {
  if (!Number.isSafeInteger(count) || count < 1) throw new RangeError(`Cannot allocate ${count} numbers`);
  const [row] = await tx.query<{ first: string }>(advanceCounter, [tx.workspaceId, category, count]);
  if (row === undefined) throw new Error('The counter statement gave no row');
  return Number(row.first);
}

/** Returns the value that `allocateNumbers` would give next. Nothing is reserved: another caller may get it first. */
export async function nextValue(tx: Tx, category: string): Promise<number> {
  const [row] = await tx.query<{ next: string }>(selectNextValue, [tx.workspaceId, category]);
  return Number(row?.next ?? 1);
}

/** Turns a counter's value into a number by the category's pattern. */

const run = /\{(0+)\}/;

/**
 * `formatNumber('PRT-{000000}', 42)` is `PRT-000042`. The run of zeros is the least width: a value with more
 * digits is written whole.
 */
export function formatNumber(pattern: string, value: number): string {
  return pattern.replace(run, (_, zeros: string) => String(value).padStart(zeros.length, '0'));
}
