/** Makes an API key, where the workspace has room for one more. */
import type { Actor } from '../actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Config } from '../config.ts';
import { newId } from '../db/ids.ts';
import type { AnyTx, Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import type { ApiKey } from './api-key.schema.ts';
import { type ApiKeyRow, countActors, countApiKeys, insertApiKey, lockAdminKeys } from './api-key.sql.ts';
import { areasWanted, columnsOf, type WantedAreas } from './areas-of-key.ts';
import { hashKey, makeKey, PREFIX_CHARS } from './key-text.ts';
import { showApiKey } from './show-api-key.ts';

/** Fields of a new key; `actor` creates it and is omitted where the workspace's own first entry says so. */
export interface WantedApiKey extends WantedAreas {
  name: string;
  expiresAt: string | null;
  workspaceId: string;
  actor?: Actor;
}

/**
 * Makes a key with the actor of its own that history will name, and returns it with its text, which is
 * stored nowhere: show it now or never.
 */
export async function createApiKey(tx: AnyTx, wanted: WantedApiKey): Promise<ApiKey & { key: string }> {
  const { workspaceId, actor } = wanted;
  const key = makeKey();
  const id = newId();
  const [permission, areas] = columnsOf(areasWanted(wanted));
  const [row] = await tx.query<ApiKeyRow>(insertApiKey, [
    workspaceId,
    id,
    wanted.name,
    permission,
    key.slice(0, PREFIX_CHARS),
    hashKey(key),
    wanted.expiresAt,
    areas,
  ]);
  const apiKey = showApiKey(row as ApiKeyRow);
  if (actor !== undefined) {
    await recordChange(tx, {
      actor,
      action: 'create',
      subjectType: 'apiKey',
      subjectKey: id,
      before: null,
      after: apiKey,
      workspaceId,
    });
  }
  return { ...apiKey, key };
}

/**
 * A workspace has a bound on its keys: each is a caller with a rate limit of its own. Throws `configuration_full`. Until the transaction ends nobody else
 * makes a key of the workspace.
 */
export async function requireRoomForKey(
  tx: Tx,
  { API_KEYS_MAX: limit, ACTORS_MAX }: Pick<Config, 'API_KEYS_MAX' | 'ACTORS_MAX'>,
): Promise<void> {
  await tx.query(lockAdminKeys, [tx.workspaceId]);
  const [present] = await tx.query<{ count: number }>(countApiKeys, [tx.workspaceId]);
  if ((present?.count ?? 0) < limit) return requireRoomForActor(tx, tx.workspaceId, ACTORS_MAX);
  throw new AppError('configuration_full', {
    detail: `The workspace has ${limit} API keys that are not revoked, which is as many as it can have. Revoke some.`,
    extensions: { limit },
  });
}

/** Actors stay for ever, because entries name them. Throws `configuration_full` where the workspace has as many as it can have. */
export async function requireRoomForActor(tx: AnyTx, workspaceId: string, limit: number): Promise<void> {
  const [present] = await tx.query<{ count: number }>(countActors, [workspaceId, limit]);
  if ((present?.count ?? 0) < limit) return;
  throw new AppError('configuration_full', {
    detail: `The workspace has had ${limit} keys, members and other actors, which is as many as it can have: its entries name them for ever. Use existing keys, or ask the operator to raise ACTORS_MAX.`,
    extensions: { limit },
  });
}
