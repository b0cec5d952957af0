/** Replaces all of a property definition but its key. */

import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Tx } from '../../db/transaction.ts';
import { requireRoomForAll } from '../limits.ts';
import type { PropertyDefinitionRow } from './property-definition.entity.ts';
import type { PropertyDefinitionReplacement } from './property-definition.schema.ts';
import { refuseCarriersOf } from './refuse-carriers.ts';
import { showPropertyDefinition } from './show-property-definition.ts';

/**
 * `row` was read under `lockConfiguration`. Throws `in_use` where the type would change under stored values,
 * which were coerced by the old one.
 */
export async function replacePropertyDefinition(
  tx: Tx,
  actor: Actor,
  row: PropertyDefinitionRow,
  replacement: PropertyDefinitionReplacement,
): Promise<void> {
  const before = showPropertyDefinition(row);
  const values = { ...replacement, key: row.key };
  if (isDeepStrictEqual(values, before)) return;
  if (values.type !== row.type) await refuseCarriersOf(tx, row, 'The type cannot change');
  tx.em.assign(row, values);
  await tx.em.flush();
  await requireRoomForAll(tx, before, showPropertyDefinition(row));
  await recordChange(tx, {
    actor,
    action: 'update',
    subjectType: 'propertyDefinition',
    subjectKey: row.key,
    before,
    after: showPropertyDefinition(row),
  });
}
