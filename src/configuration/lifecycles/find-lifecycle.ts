/** Reads one lifecycle. */
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { workspaceOf } from '../workspace-of.ts';
import { LifecycleRow } from './lifecycle.entity.ts';

/** Throws `not_found`. */
export async function findLifecycle(tx: Tx, key: string): Promise<LifecycleRow> {
  const row = await tx.em.findOne(LifecycleRow, { workspaceId: workspaceOf(tx), key });
  if (row === null) throw new AppError('not_found', `There is no lifecycle "${key}".`);
  return row;
}
