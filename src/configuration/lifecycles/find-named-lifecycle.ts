/** The lifecycle that a category names. */
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { LifecycleRow } from './lifecycle.entity.ts';

/** Throws `validation_failed` pointing to the category's field. */
export async function findNamedLifecycle(tx: Tx, key: string): Promise<LifecycleRow> {
  const row = await tx.em.findOne(LifecycleRow, { workspaceId: tx.workspaceId, key });
  if (row !== null) return row;
  const message = `There is no lifecycle "${key}".`;
  throw new AppError('validation_failed', {
    detail: `The category is not valid. ${message}`,
    errors: [{ pointer: '/lifecycle', code: 'lifecycle_not_found', message }],
  });
}
