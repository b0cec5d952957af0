/** Makes a category, replaces all of it but its key, or deletes it. */
import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../actor.ts';
import type { Tx } from '../../db/transaction.ts';
import { fieldError } from '../../errors.ts';
import { selectDefinedKeys } from '../configuration.sql.ts';
import { removeRow, requireNew, saveRow } from '../kind.ts';
import { findNamedLifecycle } from '../lifecycles/find-named-lifecycle.ts';
import { refuseEntitiesInLostStates, refuseEntitiesOf, refuseStockedRole } from '../refuse-in-use.ts';
import { procurementBehaviours } from './behaviour.ts';
import { CategoryRow } from './category.entity.ts';
import type { CategoryReplacement, NewCategory } from './category.schema.ts';
import { categoryKind, showCategory } from './category-kind.ts';
import { defaultLifecycle } from './default-lifecycle.ts';

/** Throws `key_taken`, `validation_failed` where the lifecycle does not exist, `configuration_full`. */
export async function createCategory(tx: Tx, actor: Actor, wanted: NewCategory): Promise<CategoryRow> {
  const consume = wanted.behaviour === 'manufacturingOrderLine' ? 'proportional' : null;
  const category = { ...wanted, lifecycle: wanted.lifecycle ?? defaultLifecycle(wanted) };
  await requireNew(tx, categoryKind, category.key);
  await findNamedLifecycle(tx, category.lifecycle);
  await requireDefined(tx, category.properties, []);
  const row = tx.em.create(CategoryRow, {
    workspaceId: tx.workspaceId,
    ...category,
    consume: category.consume === undefined ? consume : category.consume,
    hiddenFromNew: category.hiddenFromNew || procurementBehaviours.has(category.behaviour),
  });
  await saveRow(tx, actor, categoryKind, row, null);
  return row;
}

/**
 * `row` was read under `lockConfiguration`. Throws `in_use` where entities of the category would lose their
 * state to another lifecycle, their ledger's meaning to another behaviour, or their stock to another role. A replacement that changes
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
  await refuseStockedRole(tx, row.key, row.role, values.role);
  if (values.behaviour !== row.behaviour) {
    await refuseEntitiesOf(tx, row.key, 'The behaviour cannot change while there are entities');
  }
  await requireDefined(tx, values.properties, row.properties);
  tx.em.assign(row, values);
  await saveRow(tx, actor, categoryKind, row, before);
}

/** A property that is listed already may have lost its definition since. Throws `unknown_property`. */
async function requireDefined(tx: Tx, keys: readonly string[], listed: readonly string[]): Promise<void> {
  const added = keys.filter((key) => !listed.includes(key));
  if (added.length === 0) return;
  const rows = await tx.query<{ key: string }>(selectDefinedKeys, [tx.workspaceId, added]);
  const unknown = added.find((key) => !rows.some((row) => row.key === key));
  if (unknown === undefined) return;
  const message = `The workspace defines no property ${JSON.stringify(unknown)}.`;
  throw fieldError('unknown_property', `/properties/${keys.indexOf(unknown)}`, message);
}

/** `row` was read under `lockConfiguration`. Throws `in_use` where there are entities of it. */
export async function deleteCategory(tx: Tx, actor: Actor, row: CategoryRow): Promise<void> {
  await refuseEntitiesOf(tx, row.key, 'The category is in use');
  await removeRow(tx, actor, categoryKind, row);
}
