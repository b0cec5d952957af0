/** The configuration that a transaction writes entities by: held and read once, however many steps ask for it. */
import type { Tx } from '../../db/transaction.ts';
import { shareConfigurationLock } from '../lock-configuration.sql.ts';
import { cacheOf } from './configuration-cache.ts';
import { findKnown, readConfiguration } from './read-configuration.ts';
import type { WorkspaceConfiguration } from './workspace-configuration.ts';

const read = new WeakMap<Tx, WorkspaceConfiguration>();

/** For callers that have taken the lock and read the version by a statement of their own. */
export async function configurationHeld(tx: Tx, version: string | null): Promise<WorkspaceConfiguration> {
  const known = version === null ? null : cacheOf(tx.db).find(tx.workspaceId, version);
  const configuration = known ?? (await readConfiguration(tx));
  read.set(tx, configuration);
  return configuration;
}

/**
 * Takes the configuration lock, so call it before rows of entities are locked. What was read stays true while the
 * lock is held; only `used` of a property may have been set by the transaction itself, which need not be told.
 */
export async function configurationForWriting(tx: Tx): Promise<WorkspaceConfiguration> {
  const holding = tx.queryPrepared<{ held: boolean | null }>(shareConfigurationLock, [tx.workspaceId]);
  // Sent together; a statement of its own has a snapshot of its own, taken when the lock is had.
  const finding = findKnown(tx);
  const [[row], found] = await Promise.all([holding, finding]);
  const known = read.get(tx);
  if (row?.held === true && known !== undefined) return known;
  const configuration = found ?? (await readConfiguration(tx));
  read.set(tx, configuration);
  return configuration;
}
