/** Requires the area of an entity's category, for calls that need one of two areas by what they concern. */
import { type Area, mayDo, requireArea } from '../areas.ts';
import { areaOfBehaviour } from '../configuration/categories/behaviour.ts';
import { configurationForWriting } from '../configuration/current/configuration-for-writing.ts';
import type { Tx } from '../db/transaction.ts';
import { findEntity } from './find-entity.ts';
import type { EntityRef } from './resolve-entity.ts';

interface Caller {
  areas: readonly Area[];
}

/** Areas of which a call that changes an entity needs one; the entity's category decides which. */
export const AREAS_OF_ENTITIES = ['engineering', 'procurement'] as const satisfies readonly Area[];

/** Takes the configuration lock. Throws `area_missing`; a category that does not exist is left to the operation. */
export async function requireAreaOfCategory(tx: Tx, caller: Caller, key: string): Promise<void> {
  if (mayDoAll(caller)) return;
  const category = (await configurationForWriting(tx)).categories.get(key);
  requireArea(caller, category === undefined ? AREAS_OF_ENTITIES : areaOfBehaviour(category.behaviour));
}

/**
 * Takes the configuration lock. The row of the entity need not be locked: it moves only between categories that need the same area. Throws
 * `area_missing`, `entity_not_found`.
 */
export async function requireAreaOfEntity(tx: Tx, caller: Caller, ref: EntityRef): Promise<void> {
  if (mayDoAll(caller)) return;
  await requireAreaOfCategory(tx, caller, (await findEntity(tx, ref)).category);
}

function mayDoAll(caller: Caller): boolean {
  return AREAS_OF_ENTITIES.every((area) => mayDo(caller, area));
}
