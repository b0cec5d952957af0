/** Reads the areas that a body asks for: by name, by a level, or by both. */
import {
  type Area,
  areasOfPermission,
  orderedAreas,
  type Permission,
  permissionOf,
  requireArea,
} from '../areas.ts';
import { AppError } from '../errors.ts';
import type { ApiKey } from './api-key.schema.ts';

export interface WantedAreas {
  areas?: readonly Area[] | undefined;
  permission?: Permission | undefined;
}

/**
 * Returns the areas that a body asks for. Where it has both fields, the one counts that differs from the stored key, so that a client
 * that knows only levels can send back what it read with another level. Throws `validation_failed` where neither is given or they contradict each other.
 */
export function areasWanted({ areas, permission }: WantedAreas, stored: ApiKey | null = null): Area[] {
  if (areas === undefined && permission === undefined) {
    throw invalid('/areas', 'required', 'Name the areas of the key, or its level as `permission`.');
  }
  const ofLevel = permission === undefined ? null : [...areasOfPermission[permission]];
  if (areas === undefined) return ofLevel as Area[];
  const wanted = orderedAreas(areas);
  if (ofLevel === null || permissionOf(wanted) === permission) return wanted;
  if (stored !== null && permission === stored.permission) return wanted;
  if (stored !== null && wanted.join() === stored.areas.join()) return ofLevel;
  throw invalid(
    '/permission',
    'contradiction',
    `These areas are those of the level "${permissionOf(wanted)}". Leave \`permission\` out.`,
  );
}

/** Refuses a caller that gives a key an area that it lacks itself. Throws `area_missing`. */
export function requireOwnAreas(
  caller: { areas: readonly Area[] },
  wanted: readonly Area[],
  present: readonly Area[] = [],
): void {
  for (const area of wanted) if (!present.includes(area)) requireArea(caller, area);
}

/** Returns the columns of a key: its level, and its areas where they are not those of the level. */
export function columnsOf(areas: readonly Area[]): [Permission, readonly Area[] | null] {
  const level = permissionOf(areas);
  return [level, areas.join() === areasOfPermission[level].join() ? null : areas];
}

function invalid(pointer: string, code: string, message: string): AppError {
  return new AppError('validation_failed', { detail: message, errors: [{ pointer, code, message }] });
}
