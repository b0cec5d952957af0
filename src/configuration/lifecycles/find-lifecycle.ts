/** Reads one lifecycle. */
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { LifecycleRow } from './lifecycle.entity.ts';

/** Throws `not_found`. */
export async function findLifecycle(tx: Tx, key: string): Promise<LifecycleRow> {
  const row = await tx.em.findOne(LifecycleRow, { workspaceId: tx.workspaceId, key });
  if (row === null) throw new AppError('not_found', `There is no lifecycle "${key}".`);
  return row;
}
