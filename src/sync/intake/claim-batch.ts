/** Does something to a batch once for each Idempotency-Key: accepting, committing, cancelling, retrying. */
import type { Db } from '../../db/connect.ts';
import type { Tx } from '../../db/transaction.ts';
import { firstAnswer } from '../../idempotency/first-answer.ts';
import {
  claimIdempotencyKey,
  type IdempotentRequest,
  type KeptAnswer,
  recordAnswer,
} from '../../idempotency/idempotency-key.ts';
import type { ResultCounts } from '../elements/sync-result.ts';

export interface Staged {
  /** The batch that it was done to, now or the first time. */
  batchId: string;
  replayed: boolean;
  /** The outcome of a batch that ended when it was accepted. */
  applied?: AppliedBatch;
  /** It has ended as it was accepted, because there was nothing in it. */
  isEmpty?: boolean;
}

export interface AppliedBatch {
  submitted_at: string;
  started_at: string;
  finished_at: string;
  element_count: number;
  counts: ResultCounts;
  /** A JSON array, in payload order. */
  results: Uint8Array;
}

/**
 * Does the work and remembers its batch in the same transaction, unless the key stands for an earlier time. What the
 * caller is answered is made anew each time, of the batch as it is by then.
 */
export async function claimBatch(
  tx: Tx,
  idempotency: IdempotentRequest | null,
  work: () => Promise<string>,
): Promise<Staged> {
  if (idempotency === null) return { batchId: await work(), replayed: false };
  const kept = await claimIdempotencyKey(tx, idempotency);
  if (kept !== null) return { batchId: batchOf(kept), replayed: true };
  const batchId = await work();
  recordAnswer(tx, idempotency, {
    status: 202,
    headers: { 'Content-Type': 'application/json' },
    bytes: Buffer.from(JSON.stringify({ batchId })),
  });
  return { batchId, replayed: false };
}

/** The batch that the key stands for already; null where it stands for none. */
export async function acceptedBefore(
  db: Db,
  workspaceId: string,
  idempotency: IdempotentRequest | null,
): Promise<string | null> {
  const kept = await firstAnswer(db, { workspaceId }, idempotency);
  return kept === null ? null : batchOf(kept);
}

function batchOf({ bytes }: KeptAnswer): string {
  return (JSON.parse(bytes.toString()) as { batchId: string }).batchId;
}
