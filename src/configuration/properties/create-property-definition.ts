/** Makes a property definition. */
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { requireRoom, requireRoomForAll } from '../limits.ts';
import { lockConfiguration } from '../lock-configuration.ts';
import { PropertyDefinitionRow } from './property-definition.entity.ts';
import type { PropertyDefinition } from './property-definition.schema.ts';
import { showPropertyDefinition } from './show-property-definition.ts';

/** Throws `key_taken`, `configuration_full`. */
export async function createPropertyDefinition(
  tx: Tx,
  actor: Actor,
  definition: PropertyDefinition,
): Promise<PropertyDefinitionRow> {
  const { workspaceId } = tx;
  await lockConfiguration(tx);
  if ((await tx.em.findOne(PropertyDefinitionRow, { workspaceId, key: definition.key })) !== null) {
    throw new AppError('key_taken', `There is a property definition "${definition.key}" already.`);
  }
  requireRoom('propertyDefinitions', await tx.em.count(PropertyDefinitionRow, { workspaceId }));
  const row = tx.em.create(PropertyDefinitionRow, { workspaceId, ...definition });
  await tx.em.flush();
  await requireRoomForAll(tx, null, showPropertyDefinition(row));
  await recordChange(tx, {
    actor,
    action: 'create',
    subjectType: 'propertyDefinition',
    subjectKey: row.key,
    before: null,
    after: showPropertyDefinition(row),
  });
  return row;
}
