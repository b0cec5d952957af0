/** The configuration that a transaction writes entities by: held and read once, however many steps ask for it. */
import type { Tx } from '../db/transaction.ts';
import { loadConfiguration, type WorkspaceConfiguration } from './load-configuration.ts';
import { holdConfigurationOnce } from './lock-configuration.sql.ts';

const read = new WeakMap<Tx, WorkspaceConfiguration>();

/**
 * Takes the configuration lock, so call it before rows of entities are locked. What was read stays true while the
 * lock is held; only `used` of a property may have been set by the transaction itself, which need not be told.
 */
export async function heldConfiguration(tx: Tx): Promise<WorkspaceConfiguration> {
  const [row] = await tx.query<{ held: boolean | null }>(holdConfigurationOnce, [tx.workspaceId]);
  const known = read.get(tx);
  if (row?.held === true && known !== undefined) return known;
  const configuration = await loadConfiguration(tx);
  read.set(tx, configuration);
  return configuration;
}
