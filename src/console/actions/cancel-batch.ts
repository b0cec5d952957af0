/** Cancels a batch in the operator's name, and stores the reason, which the sender can read. */
import type { Actor } from '../../actor.ts';
import { inTransaction } from '../../db/transaction.ts';
import { cancelBatch } from '../../sync/batch/control-batch.ts';
import { batchEnded } from '../../telemetry/signals.ts';
import { insertOutcome } from './console.sql.ts';
import { recordAction } from './record-action.ts';
import { announceAgain, type Retrying, refusalOf } from './retry-failures.ts';

export interface Cancel {
  workspaceId: string;
  slug: string;
  batchId: string;
  /** Name of its import definition. */
  name: string;
  reason: string;
  operator: Actor;
}

/** Returns the id of the action. If the batch has ended meanwhile, the outcome is a refusal. */
export async function cancelForOperator(ctx: Retrying, cancel: Cancel): Promise<string> {
  const { workspaceId, slug, batchId, name, reason, operator } = cancel;
  const about = { work: 'batch', workspace: slug, subject: name, reason, items: 1 } as const;
  const id = await inTransaction(ctx.db, 'instance', (tx) =>
    recordAction(tx, operator, { action: 'cancel', ...about }),
  );
  let refusal: string | null = null;
  try {
    const hasEnded = await inTransaction(ctx.db, { workspaceId }, (tx) =>
      cancelBatch(tx, { workspaceId, batchId }, { actor: operator, reason }),
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
