/** Remembers that entities carry values of a property, so that deleting its definition need not look. */
import type { Tx } from '../../db/transaction.ts';
import type { WorkspaceConfiguration } from '../load-configuration.ts';
import { markProperties } from '../usage.sql.ts';

/**
 * Every writer of entities calls it with the property keys that it stores values of, under
 * `holdConfiguration` and before it touches entities (the lock order). Costs nothing once a property has
 * been used: the mark is set for good, because history keeps the values that entities lose.
 */
export async function markPropertiesUsed(
  tx: Tx,
  configuration: WorkspaceConfiguration,
  keys: Iterable<string>,
): Promise<void> {
  const unused = new Set<string>();
  for (const key of keys) {
    if (configuration.properties.get(key)?.used === false) unused.add(key);
  }
  if (unused.size > 0) await tx.query(markProperties, [tx.workspaceId, [...unused]]);
}
