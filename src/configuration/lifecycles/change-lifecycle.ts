/** Makes a lifecycle, replaces all of it but its key, or deletes it. */
import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../actor.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { removeRow, requireNew, saveRow } from '../kind.ts';
import { requireLifecycleSize } from '../limits.ts';
import { categoriesOfLifecycle, refuseEntitiesInLostStates } from '../refuse-in-use.ts';
import { LifecycleRow } from './lifecycle.entity.ts';
import type { Lifecycle, LifecycleReplacement, LifecycleTransition } from './lifecycle.schema.ts';
import { lifecycleKind, showLifecycle } from './lifecycle-kind.ts';

/**
 * The capability that runs attached feature automations checks their settings by this. Throws `validation_failed` if a feature
 * automation does not take its settings.
 */
export type CheckAttachments = (transitions: readonly LifecycleTransition[]) => void;

/** Throws `key_taken`, `configuration_full`, `payload_too_large`. */
export async function createLifecycle(
  tx: Tx,
  actor: Actor,
  lifecycle: Lifecycle,
  checkAttachments: CheckAttachments,
): Promise<LifecycleRow> {
  requireLifecycleSize(lifecycle);
  checkAttachments(lifecycle.transitions);
  await requireNew(tx, lifecycleKind, lifecycle.key);
  const row = tx.em.create(LifecycleRow, { workspaceId: tx.workspaceId, ...lifecycle });
  await saveRow(tx, actor, lifecycleKind, row, null);
  return row;
}

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
  await saveRow(tx, actor, lifecycleKind, row, before);
}

/** `row` was read under `lockConfiguration`. Throws `in_use`, naming the categories that follow it. */
export async function deleteLifecycle(tx: Tx, actor: Actor, row: LifecycleRow): Promise<void> {
  const categories = await categoriesOfLifecycle(tx, row.key);
  if (categories.length > 0) {
    throw new AppError('in_use', {
      detail: `The lifecycle is in use by ${categories.length === 1 ? 'the category' : 'the categories'} ${categories.join(', ')}.`,
      extensions: { usedBy: { categories } },
    });
  }
  await removeRow(tx, actor, lifecycleKind, row);
}
