/**
 * How much configuration one workspace may have. Writers of entities read all of it where it has changed, so it
 * stays small by rule.
 */
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { measureConfiguration } from './configuration.sql.ts';

export const configurationLimits = {
  categories: 1000,
  lifecycles: 200,
  /** Characters of one lifecycle as JSON. */
  lifecycleChars: 256 * 1024,
  propertyDefinitions: 5000,
  /** Each costs every new entity. */
  filterableProperties: 50,
  /** All of an entity are written to one line. */
  searchableProperties: 50,
  /** Bytes of all configuration together, as text in the database, which a process parses when it has changed. */
  bytes: 4 * 1024 * 1024,
} as const;

/** Refuses one more where there are as many as there may be. */
export function requireRoom(
  kind: 'categories' | 'lifecycles' | 'propertyDefinitions',
  present: number,
): void {
  const limit = configurationLimits[kind];
  if (present < limit) return;
  throw new AppError('configuration_full', {
    detail: `The workspace has ${limit} ${kind}, which is as many as it can have. Delete some that are not in use.`,
    extensions: { limit },
  });
}

/** Refuses a lifecycle whose settings make it larger than every read of the configuration should bear. */
export function requireLifecycleSize(lifecycle: unknown): void {
  const limit = configurationLimits.lifecycleChars;
  if (JSON.stringify(lifecycle).length <= limit) return;
  throw new AppError('payload_too_large', {
    detail: `A lifecycle has at most ${limit} characters as JSON. Shorten the settings of its feature automations.`,
    extensions: { limit },
  });
}

/**
 * Refuses what has been written where all configuration together is too much now. What became smaller is taken
 * whatever there is: that is the way out.
 */
export async function requireRoomForAll(tx: Tx, before: unknown, after: unknown): Promise<void> {
  if (JSON.stringify(after).length <= JSON.stringify(before).length) return;
  const limit = configurationLimits.bytes;
  const [row] = await tx.query<{ bytes: number }>(measureConfiguration, [tx.workspaceId]);
  if (row === undefined || row.bytes <= limit) return;
  throw new AppError('configuration_full', {
    detail: `The configuration of the workspace would have ${row.bytes} bytes; it has at most ${limit}. Delete what is not in use, or shorten the settings of feature automations.`,
    extensions: { limit },
  });
}
