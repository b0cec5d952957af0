/** Puts a requirement, or a part of it, on a purchase order. */
import type { Tx } from '../../db/transaction.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import type { Micro } from '../../quantity.ts';
import { createLine } from '../lines/create-line.ts';
import { findRequirement } from '../records/find-procured.ts';
import type { Line } from '../records/line.ts';
import type { Requirement } from '../records/requirement.ts';

export interface RequirementOrdering {
  requirement: EntityRef;
  location: EntityRef;
  amount: Micro;
  order: EntityRef | null;
  /** Of an order that is opened. */
  supplier: string | null;
  requiredBy: string | null;
  note: string | null;
}

/**
 * A purchase line for the requirement, Ordered (OnOrderAdd). Throws `requirement_not_found`,
 * `requirement_cancelled`, `over_requirement`, and what `createLine` throws.
 */
export async function orderRequirement(
  tx: Tx,
  by: Mover,
  wanted: RequirementOrdering,
): Promise<{ requirement: Requirement; line: Line }> {
  const { id, itemId, requiredBy } = await findRequirement(tx, wanted.requirement);
  const line = await createLine(tx, by, {
    type: 'purchaseOrder',
    item: itemId,
    location: wanted.location,
    amount: wanted.amount,
    order: wanted.order,
    supplier: wanted.supplier,
    requirement: id,
    requiredBy: wanted.requiredBy ?? requiredBy,
    note: wanted.note,
  });
  return { requirement: await findRequirement(tx, id), line };
}
