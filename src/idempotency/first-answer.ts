/** Reads the answer to the first request with a key before anything is read that may have changed since. */
import type { Db } from '../db/connect.ts';
import { inTransaction, type Scope } from '../db/transaction.ts';
import { claimIdempotencyKey, type IdempotentRequest, type KeptAnswer } from './idempotency-key.ts';

/**
 * Returns null if there is no answer yet, or no key; the caller then claims the key in the transaction of its
 * effect. Throws the errors of `claimIdempotencyKey`.
 */
export async function firstAnswer(
  db: Db,
  scope: Scope,
  request: IdempotentRequest | null,
): Promise<KeptAnswer | null> {
  if (request === null) return null;
  return inTransaction(db, scope, (tx) => claimIdempotencyKey(tx, request), { readOnly: true });
}
