/** Replaces all of a category but its key. */

import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Tx } from '../../db/transaction.ts';
import { findNamedLifecycle } from '../lifecycles/find-named-lifecycle.ts';
import { requireRoomForAll } from '../limits.ts';
import { refuseEntitiesInLostStates, refuseEntitiesOf } from '../refuse-in-use.ts';
import { procurementBehaviours } from './behaviour.ts';
import type { CategoryRow } from './category.entity.ts';
import type { CategoryReplacement } from './category.schema.ts';
import { showCategory } from './show-category.ts';

/**
 * `row` was read under `lockConfiguration`. Throws `in_use` where entities of the category would lose their
 * state to another lifecycle, or their ledger's meaning to another behaviour. A replacement that changes
 * nothing leaves the version and the audit trail alone.
 */
export async function replaceCategory(
  tx: Tx,
  actor: Actor,
  row: CategoryRow,
  replacement: CategoryReplacement,
): Promise<void> {
  const before = showCategory(row);
  const values = {
    ...replacement,
    key: row.key,
    hiddenFromNew: replacement.hiddenFromNew || procurementBehaviours.has(replacement.behaviour),
  };
  if (isDeepStrictEqual(values, before)) return;
  const lifecycle = await findNamedLifecycle(tx, values.lifecycle);
  if (values.lifecycle !== row.lifecycle) {
    const present = await findNamedLifecycle(tx, row.lifecycle);
    await refuseEntitiesInLostStates(tx, [row.key], present.states, lifecycle.states);
  }
  if (values.behaviour !== row.behaviour) {
    await refuseEntitiesOf(tx, row.key, 'The behaviour cannot change while there are entities');
  }
  tx.em.assign(row, values);
  await tx.em.flush();
  await requireRoomForAll(tx, before, showCategory(row));
  await recordChange(tx, {
    actor,
    action: 'update',
    subjectType: 'category',
    subjectKey: row.key,
    before,
    after: showCategory(row),
  });
}
