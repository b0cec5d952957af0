/** Moves an entity to another category, of the same kind: its state, stock and structure keep their meaning. */
import type { Actor } from '../actor.ts';
import { configurationForWriting } from '../configuration/current/configuration-for-writing.ts';
import { categoryOf } from '../configuration/current/workspace-configuration.ts';
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { recordEntityUpdated } from '../events/record-entity-events.ts';
import type { EntityRow } from './entity.entity.ts';
import { lockEntityRow } from './lock-entity-row.ts';
import { requireFreeNumber } from './numbers/taken-numbers.ts';
import { reviseReleased } from './revise-entities.ts';

/**
 * A released entity gets a new revision first. Number and values stay. Takes the configuration lock: call it before entity rows are locked.
 * Throws `category_not_found`, `category_refused`, `number_taken`.
 */
export async function moveToCategory(tx: Tx, actor: Actor, id: string, key: string): Promise<EntityRow> {
  const configuration = await configurationForWriting(tx);
  const row = await lockEntityRow(tx, id);
  const from = categoryOf(configuration, row.category);
  const to = configuration.categories.get(key);
  if (to === undefined)
    throw new AppError('category_not_found', `Category ${JSON.stringify(key)} does not exist.`);
  if (to.key === from.key) return row;
  if (to.role !== from.role || to.behaviour !== 'none' || from.behaviour !== 'none')
    throw refuse(`"${from.name}" and "${to.name}" are categories of different kinds.`);
  if (to.lifecycle.key !== from.lifecycle.key)
    throw refuse(`"${from.name}" and "${to.name}" have different lifecycles.`);
  if (row.number !== null && row.number !== undefined)
    await requireFreeNumber(tx, to, row.number, { own: true });
  await reviseReleased(tx, actor, row, configuration);
  tx.em.assign(row, { category: to.key, syncHash: null });
  await tx.em.flush();
  await recordEntityUpdated(tx, row, [{ property: 'category', from: from.key, to: to.key }]);
  return row;
}

function refuse(reason: string): AppError {
  return new AppError(
    'category_refused',
    `${reason} An entity moves only to a category with the same role and the same lifecycle; orders, lines and requirements stay in theirs.`,
  );
}
