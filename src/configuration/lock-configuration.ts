/** Makes changes of configuration come one after another, and after the writers that go by it. */
import type { Tx } from '../db/transaction.ts';
import { shareConfigurationLock, takeConfigurationLock } from './lock-configuration.sql.ts';

/**
 * The first statement of every change of configuration. What it then reads (is the lifecycle there, is the
 * state in use, which version is this) stays true until it commits.
 */
export async function lockConfiguration(tx: Tx): Promise<void> {
  await tx.query(takeConfigurationLock, [tx.workspaceId]);
}

/**
 * Shares the lock without reading the configuration: until the transaction ends nobody changes configuration, and nobody archives or
 * merges entities.
 */
export async function shareConfiguration(tx: Tx): Promise<void> {
  await tx.queryPrepared(shareConfigurationLock, [tx.workspaceId]);
}
