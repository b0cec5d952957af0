/** Cancels a batch in the operator's name, and stores the reason, which the sender can read. */
import { OPERATOR } from '../actor.ts';
import { newId } from '../db/ids.ts';
import { inTransaction } from '../db/transaction.ts';
import { cancelBatch } from '../sync/batch/control-batch.ts';
import { batchEnded } from '../telemetry/signals.ts';
import { insertAction, insertOutcome } from './console.sql.ts';
import { announceAgain, type Retrying, refusalOf } from './retry-failures.ts';

export interface Cancel {
  workspaceId: string;
  slug: string;
  batchId: string;
  /** Name of its import definition. */
  name: string;
  reason: string;
}

/** Returns the id of the action. If the batch has ended meanwhile, the outcome is a refusal. */
export async function cancelForOperator(ctx: Retrying, cancel: Cancel): Promise<string> {
  const { workspaceId, slug, batchId, name, reason } = cancel;
  const id = newId();
  await inTransaction(ctx.db, 'instance', (tx) =>
    tx.query(insertAction, [id, 'cancel', 'batch', slug, name, reason, 1]),
  );
  let refusal: string | null = null;
  try {
    const hasEnded = await inTransaction(ctx.db, { workspaceId }, (tx) =>
      cancelBatch(tx, { workspaceId, batchId }, { actor: OPERATOR, reason }),
    );
    if (hasEnded) batchEnded.send(() => ({ status: 'cancelled' }));
    // The next batch starts, or this one links what it has written.
    await announceAgain(ctx, workspaceId, batchId);
  } catch (error) {
    refusal = refusalOf(error);
    if (refusal === null) throw error;
  }
  await inTransaction(ctx.db, 'instance', (tx) => tx.query(insertOutcome, [id, 0, slug, batchId, refusal]));
  ctx.log.info(
    { operator: true, action: id, workspace: slug, batchId, refusal },
    'operator cancelled a batch',
  );
  return id;
}
