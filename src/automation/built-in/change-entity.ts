/** Changes of entities that scripts and actions ask for, with a list of what has changed. */
import type { Tx } from '../../db/transaction.ts';
import { findEntity } from '../../entities/find-entity.ts';
import { patchEntity } from '../../entities/patch-entity.ts';
import { requireAreaOfEntity } from '../../entities/require-area.ts';
import { showEntity } from '../../entities/show-entity.ts';
import { transitionEntity } from '../../entities/transition-entity.ts';
import type { ActionRun, Change, Performed } from './built-in-action.ts';

export async function setProperties(
  { tx, actor, areas, config }: Pick<ActionRun, 'tx' | 'actor' | 'areas' | 'config'>,
  id: string,
  properties: Readonly<Record<string, unknown>>,
): Promise<Performed> {
  await requireAreaOfEntity(tx, { areas }, id);
  const { changes } = await patchEntity(tx, actor, id, { properties }, { limits: config });
  return performed(
    tx,
    id,
    changes.map((change) => ({ entityId: id, ...change })),
  );
}

export async function setState(
  { tx, areas, mover }: Pick<ActionRun, 'tx' | 'areas' | 'mover'>,
  entity: string,
  toState: string,
  note: string | undefined,
): Promise<Performed> {
  await requireAreaOfEntity(tx, { areas }, entity);
  const { fromState } = await transitionEntity(tx, mover, { entity, toState, note });
  return performed(tx, entity, [{ entityId: entity, property: 'state', from: fromState, to: toState }]);
}

/** Returns the changes with the entity as it is after them. */
export async function performed(tx: Tx, id: string, changes: Change[]): Promise<Performed> {
  return { answer: showEntity(await findEntity(tx, id)), changes };
}
