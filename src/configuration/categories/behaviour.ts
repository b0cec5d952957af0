/** The behaviour of procurement for entities of a category. */
import type { Area } from '../../areas.ts';

export const behaviours = [
  'none',
  'purchaseOrder',
  'purchaseOrderLine',
  'salesOrder',
  'salesOrderLine',
  'manufacturingOrder',
  'manufacturingOrderLine',
  'materialRequirement',
] as const;
export type Behaviour = (typeof behaviours)[number];

/** How a build takes its components from stock: as a share of what is required, those that the call lists, or not at all. */
export const consumeModes = ['proportional', 'asListed', 'none'] as const;
export type ConsumeMode = (typeof consumeModes)[number];
/** Says whether the release of an assembly warns of unreleased children or refuses. */
export const unreleasedChildrenModes = ['warn', 'refuse'] as const;
export type UnreleasedChildren = (typeof unreleasedChildrenModes)[number];

/**
 * Entities of these come from procurement only: a hand-made line has no ledger entry, so that its
 * quantities would read zero (interface, Related resources).
 */
export const procurementBehaviours: ReadonlySet<Behaviour> = new Set<Behaviour>([
  'purchaseOrderLine',
  'salesOrderLine',
  'manufacturingOrderLine',
  'materialRequirement',
]);

/**
 * Whether entities of the category have no place in a structure: an order has its items on its lines, and what is stored
 * somewhere is in the positions.
 */
export function isOutsideStructure({ behaviour, role }: { behaviour: Behaviour; role: string }): boolean {
  return behaviour !== 'none' || role === 'location';
}

/** The rule in words, for refusals. */
export const OUTSIDE_STRUCTURE =
  'orders, their lines, requirements and locations use nothing and are used by nothing';

/** Returns the area that changes entities of such a category by hand: orders and their lines belong to procurement. */
export function areaOfBehaviour(behaviour: Behaviour): Area {
  return behaviour === 'none' ? 'engineering' : 'procurement';
}
