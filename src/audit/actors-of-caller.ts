/** Bounds the actors whose entries count as those of one caller: its keys, and the automations that act for it or for these. */
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { countCallersOf } from './callers.sql.ts';

/** Filters by a caller look at all of these. Actors stay for ever, because entries name them. */
export const ACTORS_OF_CALLER_MAX = 1000;

/** Throws `configuration_full` where the caller, or the member to whom it belongs, has more than it can have, the newest included. */
export async function requireRoomInFilters(
  tx: Tx,
  { id, name }: { id: string; name: string },
): Promise<void> {
  const limit = ACTORS_OF_CALLER_MAX;
  // The caller itself is one of those that are counted.
  const [present] = await tx.query<{ count: number }>(countCallersOf, [tx.workspaceId, id, limit + 2]);
  if ((present?.count ?? 0) <= limit + 1) return;
  throw new AppError('configuration_full', {
    detail: `${JSON.stringify(name)} has had ${limit} keys of its own and automations that it triggered, revoked and deleted ones included, which is as many as one caller can have. Use another key.`,
    extensions: { limit },
  });
}
