/** Finds numbers that other entities have already, and refuses them where the category says so. */
import type { CategoryConfiguration } from '../../configuration/current/workspace-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { textArray } from '../../db/wire/array-parameter.ts';
import { fieldError } from '../../errors.ts';
import { lockNumbers, selectGuidsOfNumbers, selectTakenNumbers } from './taken-numbers.sql.ts';

/** Whether entities of the category may not have a number that another entity has. */
export function refusesTaken({ numbering }: CategoryConfiguration): boolean {
  return numbering.whenTaken === 'refuse';
}

/** Returns those of the numbers that entities have. */
export async function takenNumbers(tx: Tx, numbers: readonly string[]): Promise<ReadonlySet<string>> {
  if (numbers.length === 0) return new Set();
  const rows = await tx.query<{ number: string }>(selectTakenNumbers, [tx.workspaceId, textArray(numbers)]);
  return new Set(rows.map(({ number }) => number));
}

/** Keeps other transactions from giving numbers of which each may be given once, until this one ends. */
export async function lockTakenNumbers(tx: Tx): Promise<void> {
  await tx.query(lockNumbers, [tx.workspaceId]);
}

/**
 * Throws `number_taken` where another entity has the number and the category allows each number once. `own`: the entity itself has the
 * number already.
 */
export async function requireFreeNumber(
  tx: Tx,
  category: CategoryConfiguration,
  number: string,
  { own = false }: { own?: boolean } = {},
): Promise<void> {
  if (!refusesTaken(category)) return;
  await lockTakenNumbers(tx);
  const holders = await tx.query(selectGuidsOfNumbers, [tx.workspaceId, textArray([number])]);
  if (holders.length <= (own ? 1 : 0)) return;
  const message = `Another entity has the number ${JSON.stringify(number)}. Category "${category.key}" allows each number once.`;
  throw fieldError('number_taken', '/number', message);
}
