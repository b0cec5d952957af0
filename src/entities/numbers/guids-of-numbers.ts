/** Finds by which GUIDs the entities with given numbers are known. */
import type { Tx } from '../../db/transaction.ts';
import { textArray } from '../../db/wire/array-parameter.ts';
import { selectGuidsOfNumbers } from './taken-numbers.sql.ts';

/** Numbers that no entity has are left out. Of a number that several entities have, two are returned. */
export async function guidsOfNumbers(
  tx: Tx,
  numbers: readonly string[],
): Promise<{ number: string; guids: (string | null)[] }[]> {
  const rows = await tx.query<{ number: string; guid: string | null }>(selectGuidsOfNumbers, [
    tx.workspaceId,
    textArray(numbers),
  ]);
  return [...Map.groupBy(rows, ({ number }) => number)].map(([number, of]) => ({
    number,
    guids: of.map(({ guid }) => guid),
  }));
}
