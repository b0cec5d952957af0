/** Keeps the configuration as it is while entities are written by it. */
import type { Tx } from '../db/transaction.ts';
import { holdConfigurationLock } from './lock-configuration.sql.ts';

/**
 * Any number of writers hold it together; a change of configuration waits until they have committed. Call it
 * before `loadConfiguration` and as a statement of its own: a statement that waits for the lock has its
 * snapshot already, and would read what was there before.
 */
export async function holdConfiguration(tx: Tx): Promise<void> {
  await tx.query(holdConfigurationLock, [tx.workspaceId]);
}
