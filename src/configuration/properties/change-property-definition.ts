/** Makes a property definition, replaces all of it but its key, or deletes it. */
import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../actor.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { removeRow, requireNew, saveRow } from '../kind.ts';
import { configurationLimits } from '../limits.ts';
import { PropertyDefinitionRow } from './property-definition.entity.ts';
import type { NewPropertyDefinition, PropertyDefinitionReplacement } from './property-definition.schema.ts';
import { columnsOf, propertyDefinitionKind, showPropertyDefinition } from './property-definition-kind.ts';
import type { PropertyType } from './property-value.ts';
import { refuseCarriersOf } from './refuse-carriers.ts';
import { arrangeWords, dropValueIndex, insertValueIndex } from './value-index.sql.ts';

/** Throws `key_taken`, `configuration_full`. */
export async function createPropertyDefinition(
  tx: Tx,
  actor: Actor,
  definition: NewPropertyDefinition,
): Promise<PropertyDefinitionRow> {
  await requireNew(tx, propertyDefinitionKind, definition.key);
  const row = tx.em.create(PropertyDefinitionRow, { workspaceId: tx.workspaceId, ...columnsOf(definition) });
  await saveRow(tx, actor, propertyDefinitionKind, row, null);
  if (row.filterable) await addIndex(tx, row);
  if (row.searchable) await arrangeSearch(tx);
  return row;
}

/**
 * `row` was read under `lockConfiguration`. Throws `in_use` where the type would change under stored values,
 * which were coerced by the old one, and `configuration_full` where too many are filterable or searchable.
 */
export async function replacePropertyDefinition(
  tx: Tx,
  actor: Actor,
  row: PropertyDefinitionRow,
  replacement: PropertyDefinitionReplacement,
): Promise<void> {
  const before = showPropertyDefinition(row);
  const values = columnsOf({ ...replacement, key: row.key });
  const { details, filterable, searchable, name, type } = row;
  if (isDeepStrictEqual(values, { details, filterable, searchable, name, type, key: row.key })) return;
  if (values.type !== type) await refuseCarriersOf(tx, row, 'The type cannot change');
  tx.em.assign(row, values, { mergeObjectProperties: false });
  await saveRow(tx, actor, propertyDefinitionKind, row, before);
  if (filterable && (!values.filterable || kindOf(type) !== kindOf(values.type))) await dropIndex(tx, row);
  if (values.filterable) await addIndex(tx, row);
  if (values.searchable !== searchable) await arrangeSearch(tx);
}

/** `row` was read under `lockConfiguration`. Throws `in_use` once an entity has carried a value of it. */
export async function deletePropertyDefinition(
  tx: Tx,
  actor: Actor,
  row: PropertyDefinitionRow,
): Promise<void> {
  await refuseCarriersOf(tx, row, 'The property definition is in use');
  await dropIndex(tx, row);
  await removeRow(tx, actor, propertyDefinitionKind, row);
  if (row.searchable) await arrangeSearch(tx);
}

/** How the values of a type are indexed. */
function kindOf(type: PropertyType): 'number' | 'text' {
  return type === 'numeric' ? 'number' : 'text';
}

/** A job fills it (`fill-value-indexes.ts`). Nothing happens where there is one. */
export async function addIndex(
  tx: Tx,
  { key, type }: Pick<PropertyDefinitionRow, 'key' | 'type'>,
): Promise<void> {
  const limit = configurationLimits.filterableProperties;
  const [present] = await tx.query<{ count: number }>(
    `select count(*)::int as count from value_index where workspace_id = $1 and not is_dropped and kind <> 'words' and key <> $2`,
    [tx.workspaceId, key],
  );
  if ((present?.count ?? 0) >= limit) {
    throw new AppError('configuration_full', {
      detail: `The workspace has ${limit} filterable properties, which is as many as it can have. Make another one not filterable.`,
      extensions: { limit },
    });
  }
  await tx.query(insertValueIndex, [tx.workspaceId, key, kindOf(type)]);
}

/**
 * Makes searches look at the properties that are searchable now; the same job fills their lines. Throws `configuration_full`. The limit
 * is of what each changed entity costs.
 */
export async function arrangeSearch(tx: Tx): Promise<void> {
  const limit = configurationLimits.searchableProperties;
  const [present] = await tx.query<{ count: number }>(
    `select count(*)::int as count from property_definition where workspace_id = $1 and searchable`,
    [tx.workspaceId],
  );
  if ((present?.count ?? 0) > limit) {
    throw new AppError('configuration_full', {
      detail: `The workspace has ${limit} searchable properties, which is as many as it can have. Make another one not searchable.`,
      extensions: { limit },
    });
  }
  await tx.query(arrangeWords, [tx.workspaceId]);
}

async function dropIndex(tx: Tx, { key }: PropertyDefinitionRow): Promise<void> {
  await tx.query(dropValueIndex, [tx.workspaceId, key]);
}
