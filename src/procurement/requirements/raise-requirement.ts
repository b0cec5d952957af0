/** Raises one requirement by hand. */
import type { Actor } from '../../actor.ts';
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import type { Tx } from '../../db/transaction.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import { AppError } from '../../errors.ts';
import type { Micro } from '../../quantity.ts';
import { findStockEntities } from '../../stock/movements/find-stock-entities.ts';
import { findProject } from '../records/find-procured.ts';
import type { Requirement } from '../records/requirement.ts';
import { createRequirements } from './create-requirements.ts';

export interface RaisedByHand {
  project: EntityRef;
  item: EntityRef;
  amount: Micro;
  requiredBy: string | null;
}

/** Throws `entity_not_found`, `not_a_project`, `not_an_item`, `procurement_not_configured`. */
export async function raiseRequirement(tx: Tx, actor: Actor, wanted: RaisedByHand): Promise<Requirement> {
  await configurationForWriting(tx);
  const project = await findProject(tx, wanted.project, '/projectId');
  const item = (await findStockEntities(tx, [wanted.item])).get(wanted.item);
  if (item === undefined) {
    const message = `There is no entity ${wanted.item} in this workspace.`;
    throw new AppError('entity_not_found', {
      detail: message,
      errors: [{ pointer: '/itemEntityId', code: 'entity_not_found', message }],
    });
  }
  if (!item.isItem) {
    const message = `${item.number ?? item.id} is of a category that is not for items.`;
    throw new AppError('not_an_item', {
      detail: message,
      errors: [{ pointer: '/itemEntityId', code: 'not_an_item', message }],
    });
  }
  const { amount, requiredBy } = wanted;
  const [raised] = await createRequirements(tx, actor, { projectId: project.id, lineId: null }, [
    { itemId: item.id, itemName: item.name, amount, requiredBy },
  ]);
  if (raised === undefined) throw new Error('A requirement was raised and is not there');
  return raised;
}
