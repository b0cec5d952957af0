/** Makes an API key. */

import type { Actor } from '../actor.ts';
import { recordChange } from '../audit/record-change.ts';
import { newId } from '../db/ids.ts';
import type { AnyTx } from '../db/transaction.ts';
import type { ApiKey, NewApiKey } from './api-key.schema.ts';
import { type ApiKeyRow, insertApiKey } from './api-key.sql.ts';
import { hashKey, makeKey, PREFIX_CHARS } from './key-text.ts';
import { showApiKey } from './show-api-key.ts';

/** What a key is made of; `actor` has it made, and is left out where the workspace's own first entry says so. */
export interface WantedApiKey extends NewApiKey {
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
  const [row] = await tx.query<ApiKeyRow>(insertApiKey, [
    workspaceId,
    id,
    wanted.name,
    wanted.permission,
    key.slice(0, PREFIX_CHARS),
    hashKey(key),
    wanted.expiresAt,
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
