/** Decides whether a location may lie in another one. */
import type { WorkspaceConfiguration } from '../configuration/current/workspace-configuration.ts';
import type { Tx } from '../db/transaction.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import { judgeParent, selectRole } from './locations.sql.ts';
import { type EntityRef, resolveEntityIds } from './resolve-entity.ts';

/** Levels of the tree of locations: warehouse, room, aisle, rack, shelf and bin are six. */
export const LOCATION_LEVELS_MAX = 20;

const roles: ReadonlySet<string> = new Set(['location', 'itemAndLocation']);

interface Place {
  id: string;
  number: string | null;
  name: string;
  category: string;
  role: string;
  is_archived: boolean;
}

/**
 * Returns the id of the parent, or null where the location is to lie in none. `id` is null for a location that is being created. The
 * structure lock is held. Throws `entity_not_found`, `not_a_location`, `entity_archived`, `cycle`, `tree_too_large`.
 */
export async function requireParentLocation(
  tx: Tx,
  { categories }: WorkspaceConfiguration,
  { id, category }: { id: string | null; category: string },
  parent: EntityRef | null,
): Promise<string | null> {
  if (parent === null) return null;
  if (!roles.has(categories.get(category)?.role ?? ''))
    throw refusal(
      'not_a_location',
      `Entities of category "${category}" are not locations: only a location lies in another one.`,
    );
  const parentId = (await resolveEntityIds(tx, [parent])).get(parent);
  const [place] = parentId === undefined ? [] : await tx.query<Place>(selectRole, [tx.workspaceId, parentId]);
  if (place === undefined)
    throw refusal('entity_not_found', `There is no entity ${parent} in this workspace.`);
  const name = place.number ?? place.name;
  if (!roles.has(place.role))
    throw refusal(
      'not_a_location',
      `${name} is of category "${place.category}", which is not for locations.`,
    );
  if (place.is_archived) throw refusal('entity_archived', `${name} is archived. Unarchive it first.`);
  const [judged] = await tx.query<{ closes: boolean; above: number; under: number }>(judgeParent, [
    tx.workspaceId,
    id,
    place.id,
  ]);
  if (judged === undefined || judged.closes)
    throw refusal('cycle', `${name} is this location or lies in it: a location cannot lie in itself.`);
  if (judged.above + judged.under > LOCATION_LEVELS_MAX)
    throw refusal(
      'tree_too_large',
      `The tree of locations would have ${judged.above + judged.under} levels below its top; it may have ${LOCATION_LEVELS_MAX}.`,
    );
  return place.id;
}

function refusal(code: ErrorCode, message: string): AppError {
  return new AppError(code, { detail: message, errors: [{ pointer: '/parentLocation', code, message }] });
}
