/** Deletes a property definition that no entity has ever carried a value of. */
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Tx } from '../../db/transaction.ts';
import type { PropertyDefinitionRow } from './property-definition.entity.ts';
import { refuseCarriersOf } from './refuse-carriers.ts';
import { showPropertyDefinition } from './show-property-definition.ts';

/** `row` was read under `lockConfiguration`. Throws `in_use`. */
export async function deletePropertyDefinition(
  tx: Tx,
  actor: Actor,
  row: PropertyDefinitionRow,
): Promise<void> {
  await refuseCarriersOf(tx, row, 'The property definition is in use');
  const before = showPropertyDefinition(row);
  tx.em.remove(row);
  await tx.em.flush();
  await recordChange(tx, {
    actor,
    action: 'delete',
    subjectType: 'propertyDefinition',
    subjectKey: before.key,
    before,
    after: null,
  });
}
