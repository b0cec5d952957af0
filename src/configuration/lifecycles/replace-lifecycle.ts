/** Replaces all of a lifecycle but its key. */
import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Tx } from '../../db/transaction.ts';
import { requireLifecycleSize, requireRoomForAll } from '../limits.ts';
import { categoriesOfLifecycle, refuseEntitiesInLostStates } from '../refuse-in-use.ts';
import type { CheckAttachments } from './check-attachments.ts';
import type { LifecycleRow } from './lifecycle.entity.ts';
import type { LifecycleReplacement } from './lifecycle.schema.ts';
import { showLifecycle } from './show-lifecycle.ts';

/**
 * `row` was read under `lockConfiguration`. Throws `in_use` where entities are in a state that would go, or
 * whose `released` would change. A replacement that changes nothing leaves the version and the audit trail
 * alone.
 */
export async function replaceLifecycle(
  tx: Tx,
  actor: Actor,
  row: LifecycleRow,
  replacement: LifecycleReplacement,
  checkAttachments: CheckAttachments,
): Promise<void> {
  requireLifecycleSize(replacement);
  const before = showLifecycle(row);
  const values = { ...replacement, key: row.key };
  if (isDeepStrictEqual(values, before)) return;
  checkAttachments(values.transitions);
  const categories = await categoriesOfLifecycle(tx, row.key);
  await refuseEntitiesInLostStates(tx, categories, row.states, values.states);
  tx.em.assign(row, values);
  await tx.em.flush();
  await requireRoomForAll(tx, before, showLifecycle(row));
  await recordChange(tx, {
    actor,
    action: 'update',
    subjectType: 'lifecycle',
    subjectKey: row.key,
    before,
    after: showLifecycle(row),
  });
}
