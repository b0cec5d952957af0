/** A workspace has a bound on its keys: each is a caller with a rate limit of its own. */
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { countApiKeys, lockAdminKeys } from './api-key.sql.ts';

/** Throws `configuration_full`. Until the transaction ends nobody else makes a key of the workspace. */
export async function requireRoomForKey(tx: Tx, limit: number): Promise<void> {
  await tx.query(lockAdminKeys, [tx.workspaceId]);
  const [present] = await tx.query<{ count: number }>(countApiKeys, [tx.workspaceId]);
  if ((present?.count ?? 0) < limit) return;
  throw new AppError('configuration_full', {
    detail: `The workspace has ${limit} API keys that are not revoked, which is as many as it can have. Revoke some.`,
    extensions: { limit },
  });
}
