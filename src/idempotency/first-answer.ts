/** Asks for what a key's first request was answered before anything is looked at that may have changed since. */
import type { Db } from '../db/connect.ts';
import { inTransaction, type Scope } from '../db/transaction.ts';
import { claimIdempotencyKey, type IdempotentRequest, type KeptAnswer } from './idempotency-key.ts';

/**
 * Null where there is none yet, or no key: whoever goes on claims the key in the transaction of its effect. Throws what
 * `claimIdempotencyKey` throws.
 */
export async function firstAnswer(
  db: Db,
  scope: Scope,
  request: IdempotentRequest | null,
): Promise<KeptAnswer | null> {
  if (request === null) return null;
  return inTransaction(db, scope, (tx) => claimIdempotencyKey(tx, request), { readOnly: true });
}
