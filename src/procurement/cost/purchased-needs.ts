/** Explodes a structure down to what is purchased. */
import type { Tx } from '../../db/transaction.ts';
import { explodeAll } from '../../entities/explosion/exact-structure.ts';
import type { Slices } from '../../fairness/slices.ts';
import { add, counted, type Exact, exactOf, type Micro, microUp, zero } from '../../quantity.ts';
import { readStructureBelow, type StructureBasis } from '../shortages/structure-below.ts';

export interface Needed {
  id: string;
  /** Rounded up to whole millionths. */
  need: Micro;
  exact: Exact;
}

/**
 * Returns how much of each purchased item is needed: of items without components, and of those whose planning says that they are bought. The
 * item itself is made if it has components.
 */
export async function purchasedNeeds(
  tx: Tx,
  itemId: string,
  { quantity, ...basis }: StructureBasis & { quantity: Micro },
  slices: Slices,
): Promise<Needed[]> {
  const structure = await readStructureBelow(tx, itemId, basis, slices);
  const { ids, roles, isMade } = structure;
  const sums = new Map<string, Exact>();
  const buy = (node: number, amount: Exact) => {
    const id = ids[node] as string;
    if (amount.digits > 0n && (id === itemId || isItem(roles.get(id))))
      sums.set(id, add(sums.get(id) ?? zero, amount));
    return zero;
  };
  const visit = (node: number, amount: Exact) => (isMade[node] === 1 ? amount : buy(node, amount));
  await explodeAll(structure, exactOf(quantity), slices, { visit });
  const needs: Needed[] = [];
  for (const [id, amount] of sums) {
    if (slices.areDue) await slices.next();
    needs.push({ id, need: microUp(amount), exact: counted(amount) });
  }
  return needs;
}

function isItem(role: string | undefined): boolean {
  return role === 'item' || role === 'itemAndLocation';
}
