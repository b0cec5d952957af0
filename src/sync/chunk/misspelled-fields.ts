/** Warns once in each import of a field whose name is nearly right, on the first element that was found to have it. */
import type { Tx } from '../../db/transaction.ts';
import { nearestField } from '../elements/near-misses.ts';
import type { SyncResult } from '../elements/sync-result.ts';
import { noteMisspelled } from './batch.sql.ts';
import { type BatchRef, pair } from './thread-context.ts';

/** The place of the element that carries the warning, by the name of the field. */
export type MisspelledFields = Readonly<Record<string, number>>;

/**
 * Notes what a chunk has found with the batch, and returns what its chunks have found so far. It takes the lock of the batch's row, so it
 * comes after all locks of entities.
 */
export async function noteFields(
  tx: Tx,
  ref: BatchRef,
  noted: MisspelledFields | null,
  found: ReadonlyMap<string, number>,
): Promise<MisspelledFields> {
  const further = [...found].filter(([name]) => noted === null || !Object.hasOwn(noted, name));
  if (further.length === 0) return noted ?? {};
  const [row] = await tx.query<{ misspelled: MisspelledFields }>(noteMisspelled, [
    ...pair(ref),
    JSON.stringify(Object.fromEntries(further)),
  ]);
  return row?.misspelled ?? {};
}

/** Adds the warnings to those of the results that carry them and do not have them yet. */
export function warnOfFields(results: readonly SyncResult[], fields: MisspelledFields): void {
  const names = Object.entries(fields);
  if (names.length === 0) return;
  for (const result of results) {
    for (const [name, index] of names) {
      if (index !== result.index) continue;
      const said = result.warnings ?? [];
      if (said.some(({ code, property }) => code === 'unknown_field' && property === name)) continue;
      const message = `The field ${JSON.stringify(name)} is not known and was ignored; send it as ${JSON.stringify(nearestField(name))}. Other elements of this import that have it carry no such warning.`;
      result.warnings = [...said, { code: 'unknown_field', property: name, message }];
    }
  }
}
