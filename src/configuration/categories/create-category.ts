/** Makes a category. */
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { findNamedLifecycle } from '../lifecycles/find-named-lifecycle.ts';
import { requireRoom, requireRoomForAll } from '../limits.ts';
import { lockConfiguration } from '../lock-configuration.ts';
import { procurementBehaviours } from './behaviour.ts';
import { CategoryRow } from './category.entity.ts';
import type { NewCategory } from './category.schema.ts';
import { defaultLifecycle } from './default-lifecycle.ts';
import { showCategory } from './show-category.ts';

/** Throws `key_taken`, `validation_failed` where the lifecycle does not exist, `configuration_full`. */
export async function createCategory(tx: Tx, actor: Actor, wanted: NewCategory): Promise<CategoryRow> {
  const { workspaceId } = tx;
  const category = { ...wanted, lifecycle: wanted.lifecycle ?? defaultLifecycle(wanted) };
  await lockConfiguration(tx);
  if ((await tx.em.findOne(CategoryRow, { workspaceId, key: category.key })) !== null) {
    throw new AppError('key_taken', `There is a category "${category.key}" already.`);
  }
  requireRoom('categories', await tx.em.count(CategoryRow, { workspaceId }));
  await findNamedLifecycle(tx, category.lifecycle);
  const row = tx.em.create(CategoryRow, {
    workspaceId,
    ...category,
    hiddenFromNew: category.hiddenFromNew || procurementBehaviours.has(category.behaviour),
  });
  await tx.em.flush();
  await requireRoomForAll(tx, null, showCategory(row));
  const after = showCategory(row);
  await recordChange(tx, {
    actor,
    action: 'create',
    subjectType: 'category',
    subjectKey: row.key,
    before: null,
    after,
  });
  return row;
}
