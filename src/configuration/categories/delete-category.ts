/** Deletes a category that has no entities. */
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Tx } from '../../db/transaction.ts';
import { refuseEntitiesOf } from '../refuse-in-use.ts';
import type { CategoryRow } from './category.entity.ts';
import { showCategory } from './show-category.ts';

/** `row` was read under `lockConfiguration`. Throws `in_use`. */
export async function deleteCategory(tx: Tx, actor: Actor, row: CategoryRow): Promise<void> {
  await refuseEntitiesOf(tx, row.key, 'The category is in use');
  const before = showCategory(row);
  tx.em.remove(row);
  await tx.em.flush();
  await recordChange(tx, {
    actor,
    action: 'delete',
    subjectType: 'category',
    subjectKey: before.key,
    before,
    after: null,
  });
}
