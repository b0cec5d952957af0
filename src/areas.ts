/**
 * The areas of a caller say what it may do. One function decides, for routes and for handlers whose area depends on what the call
 * concerns (`requireArea`); lists and streams that leave something out ask `mayDo`.
 */
import { AppError } from './errors.ts';

/**
 * `read` shows everything but keys and links. `stock` moves goods: adjustments, counts, receipts, shipments, reservations, issues.
 * `procurement` is orders, their lines, and requirements. `engineering` is entities, structures, imports and their transitions.
 * `configuration` is categories, lifecycles, properties, import definitions, automations, webhooks. `admin` is members, keys, CSV links.
 */
export const areas = ['read', 'stock', 'procurement', 'engineering', 'configuration', 'admin'] as const;
export type Area = (typeof areas)[number];

/** Levels of a key: names for often used sets of areas. Each includes the ones before it. */
export const permissions = ['read', 'write', 'admin'] as const;
export type Permission = (typeof permissions)[number];

export const areasOfPermission: Readonly<Record<Permission, readonly Area[]>> = {
  read: ['read'],
  write: ['read', 'stock', 'procurement', 'engineering'],
  admin: areas,
};

/** An area that a call needs, or several of which it needs one: what the call concerns then decides which. */
export type NeededArea = Area | readonly Area[];

/** Returns the areas in their order, without repetitions. Every set contains `read`. */
export function orderedAreas(given: Iterable<Area>): Area[] {
  const set = new Set<Area>(given);
  return areas.filter((area) => area === 'read' || set.has(area));
}

/** Returns the highest level whose areas are all contained. */
export function permissionOf(held: readonly Area[]): Permission {
  return (
    permissions.findLast((level) => areasOfPermission[level].every((area) => held.includes(area))) ?? 'read'
  );
}

/** Says whether a caller with these areas may do what needs that area. */
export function mayDo({ areas: held }: { areas: readonly Area[] }, needed: NeededArea): boolean {
  return typeof needed === 'string' ? held.includes(needed) : needed.some((area) => held.includes(area));
}

/** Throws `area_missing` unless the caller may do what needs that area. */
export function requireArea(caller: { areas: readonly Area[] }, needed: NeededArea): void {
  if (mayDo(caller, needed)) return;
  const list = typeof needed === 'string' ? [needed] : [...needed];
  const named = list.map((area) => `"${area}"`).join(' or ');
  throw new AppError('area_missing', {
    detail: `This takes the area ${named}. The caller has: ${caller.areas.join(', ')}. An administrator can give it.`,
    extensions: { needed: list, areas: [...caller.areas] },
  });
}
