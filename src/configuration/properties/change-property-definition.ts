/** Makes a property definition, replaces all of it but its key, or deletes it. */
import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../actor.ts';
import type { Tx } from '../../db/transaction.ts';
import { removeRow, requireNew, saveRow } from '../kind.ts';
import { PropertyDefinitionRow } from './property-definition.entity.ts';
import type { PropertyDefinition, PropertyDefinitionReplacement } from './property-definition.schema.ts';
import { propertyDefinitionKind, showPropertyDefinition } from './property-definition-kind.ts';
import { refuseCarriersOf } from './refuse-carriers.ts';

/** Throws `key_taken`, `configuration_full`. */
export async function createPropertyDefinition(
  tx: Tx,
  actor: Actor,
  definition: PropertyDefinition,
): Promise<PropertyDefinitionRow> {
  await requireNew(tx, propertyDefinitionKind, definition.key);
  const row = tx.em.create(PropertyDefinitionRow, { workspaceId: tx.workspaceId, ...definition });
  await saveRow(tx, actor, propertyDefinitionKind, row, null);
  return row;
}

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
  await saveRow(tx, actor, propertyDefinitionKind, row, before);
}

/** `row` was read under `lockConfiguration`. Throws `in_use` once an entity has carried a value of it. */
export async function deletePropertyDefinition(
  tx: Tx,
  actor: Actor,
  row: PropertyDefinitionRow,
): Promise<void> {
  await refuseCarriersOf(tx, row, 'The property definition is in use');
  await removeRow(tx, actor, propertyDefinitionKind, row);
}
