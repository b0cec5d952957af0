/** Remembers that entities carry values of a property, so that deleting its definition need not look. */
import type { Tx } from '../../db/transaction.ts';
import { markProperties } from '../usage.sql.ts';
import type { WorkspaceConfiguration } from './workspace-configuration.ts';

/** Keys of a configuration that are marked for good, beyond what it said when it was read. */
const marked = new WeakMap<WorkspaceConfiguration, Set<string>>();
/** Keys that a transaction has marked: they are not, where it is rolled back. */
const markedBy = new WeakMap<Tx, Set<string>>();

/** Whether what the transaction reads of the configuration may be undone. */
export function hasMarked(tx: Tx): boolean {
  return (markedBy.get(tx)?.size ?? 0) > 0;
}

/**
 * Every writer of entities calls it with the property keys that it stores values of, under
 * `configurationForWriting` and before it touches entities (the lock order). Costs nothing once a property has
 * been used: the mark is set for good, because history keeps the values that entities lose.
 */
export async function markPropertiesUsed(
  tx: Tx,
  configuration: WorkspaceConfiguration,
  keys: Iterable<string>,
): Promise<void> {
  const known = marked.get(configuration) ?? new Set();
  const own = markedBy.get(tx) ?? new Set();
  const unused = new Set<string>();
  for (const key of keys) {
    if (configuration.properties.get(key)?.used === false && !known.has(key)) unused.add(key);
  }
  if (unused.size === 0) return;
  const rows = await tx.query<{ key: string }>(markProperties, [tx.workspaceId, [...unused]]);
  for (const { key } of rows) own.add(key);
  // What was marked before this transaction stays so, whatever becomes of it.
  for (const key of unused) if (!own.has(key)) known.add(key);
  marked.set(configuration, known);
  markedBy.set(tx, own);
}
