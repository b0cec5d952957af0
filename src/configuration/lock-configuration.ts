/** Makes changes of configuration come one after another, and after the writers that go by it. */
import type { Tx } from '../db/transaction.ts';
import { takeConfigurationLock } from './lock-configuration.sql.ts';

/**
 * The first statement of every change of configuration. What it then reads (is the lifecycle there, is the
 * state in use, which version is this) stays true until it commits.
 */
export async function lockConfiguration(tx: Tx): Promise<void> {
  await tx.query(takeConfigurationLock, [tx.workspaceId]);
}
