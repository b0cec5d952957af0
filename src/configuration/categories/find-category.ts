/** Reads one category. */
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { CategoryRow } from './category.entity.ts';

/** Throws `not_found`. */
export async function findCategory(tx: Tx, key: string): Promise<CategoryRow> {
  const row = await tx.em.findOne(CategoryRow, { workspaceId: tx.workspaceId, key });
  if (row === null) throw new AppError('not_found', `There is no category "${key}".`);
  return row;
}
