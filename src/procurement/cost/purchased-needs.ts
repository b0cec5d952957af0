/** Explodes a structure down to what is purchased. */
import type { Tx } from '../../db/transaction.ts';
import { explodeAll } from '../../entities/explosion/exact-structure.ts';
import type { Slices } from '../../fairness/slices.ts';
import { add, counted, type Exact, exactOf, type Micro, microUp, zero } from '../../quantity.ts';
import { readStructureBelow, type StructureBasis } from '../shortages/structure-below.ts';
import { selectBought } from './cost.sql.ts';

/** Assemblies whose planning is read at once. */
const ASSEMBLIES_AT_ONCE = 5000;

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
  const { ids, links, roles } = structure;
  const hasComponents = (node: number) => links.from[node] !== links.from[node + 1];
  const assemblies = ids.filter((id, node) => id !== itemId && hasComponents(node));
  const bought = await boughtAmong(tx, assemblies, slices);
  const sums = new Map<string, Exact>();
  const buy = (node: number, amount: Exact) => {
    const id = ids[node] as string;
    if (amount.digits > 0n && (id === itemId || isItem(roles.get(id))))
      sums.set(id, add(sums.get(id) ?? zero, amount));
    return zero;
  };
  const visit = (node: number, amount: Exact) =>
    hasComponents(node) && !bought.has(ids[node] as string) ? amount : buy(node, amount);
  // A phantom without components is bought itself.
  const pass = (node: number, amount: Exact) => {
    if (!hasComponents(node)) buy(node, amount);
  };
  await explodeAll(structure, exactOf(quantity), slices, { visit, pass });
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

/** Returns the items among these whose planning says that they are bought. */
async function boughtAmong(tx: Tx, ids: readonly string[], slices: Slices): Promise<Set<string>> {
  const bought = new Set<string>();
  for (let from = 0; from < ids.length; from += ASSEMBLIES_AT_ONCE) {
    const some = ids.slice(from, from + ASSEMBLIES_AT_ONCE);
    for (const { id } of await tx.query<{ id: string }>(selectBought, [tx.workspaceId, some])) bought.add(id);
    if (slices.areDue) await slices.next();
  }
  return bought;
}
