/** Deletes a lifecycle that no category follows. */
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { categoriesOfLifecycle } from '../refuse-in-use.ts';
import type { LifecycleRow } from './lifecycle.entity.ts';
import { showLifecycle } from './show-lifecycle.ts';

/** `row` was read under `lockConfiguration`. Throws `in_use`, naming the categories. */
export async function deleteLifecycle(tx: Tx, actor: Actor, row: LifecycleRow): Promise<void> {
  const categories = await categoriesOfLifecycle(tx, row.key);
  if (categories.length > 0) {
    throw new AppError('in_use', {
      detail: `The lifecycle is in use by ${categories.length === 1 ? 'the category' : 'the categories'} ${categories.join(', ')}.`,
      extensions: { usedBy: { categories } },
    });
  }
  const before = showLifecycle(row);
  tx.em.remove(row);
  await tx.em.flush();
  await recordChange(tx, {
    actor,
    action: 'delete',
    subjectType: 'lifecycle',
    subjectKey: before.key,
    before,
    after: null,
  });
}
