/** The behaviour of procurement for entities of a category. */

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
