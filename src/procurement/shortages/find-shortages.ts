/**
 * Finds the shortages of a project, level by level: an assembly in stock or on order needs no components. 1 800
 * links over 6 levels take four statements and a walk.
 */
import type { Tx } from '../../db/transaction.ts';
import { explodeAll } from '../../entities/explosion/exact-structure.ts';
import { Slices } from '../../fairness/slices.ts';
import {
  add,
  type Exact,
  exactOf,
  type Micro,
  microOfDecimal,
  one,
  remainder,
  zero,
} from '../../quantity.ts';
import { LOWEST_ID } from '../../stock/entries/ledger-entry.ts';
import { coverageOf } from '../records/requirement.ts';
import { type RequirementQuantities, selectQuantitiesOfProject } from '../records/requirements.sql.ts';
import { selectAssemblies, selectStockOfItems } from './structure.sql.ts';
import { readStructureBelow, type StructureBasis, type StructureBelow } from './structure-below.ts';

/** Number of items in one message to the database, which one turn of the event loop writes. */
export const ITEMS_AT_ONCE = 5000;
/** Read at once of those that the project has already. */
const REQUIREMENTS_AT_ONCE = 5000;

export interface ItemNeed {
  id: string;
  isAssembly: boolean;
  /** Along all paths, and at least what the project's requirements ask for. */
  gross: Exact;
  /** Without what goes into assemblies that are there already. */
  needed: Exact;
  reserved: Micro;
  available: Micro;
  onOrder: Micro;
  short: Exact;
  /** Required by the project's requirements, covered or not. */
  required: Micro;
  /** The open need of the project's requirements. */
  openRequired: Micro;
  /** How many one of the parent takes, and how many of the parent the project takes. */
  usedIn: Iterable<ItemUse>;
}

export interface ItemUse {
  parentId: string;
  quantity: Exact;
  parentGross: Exact;
}

interface Supply {
  reserved: Micro;
  available: Micro;
  onOrder: Micro;
  openRequired: Micro;
  /** Quantity of the project's requirements, covered or not. */
  required: Micro;
  /** The part of it that does not follow the structure: a need of its own. */
  ownNeed: Micro;
}

const nothing: Supply = {
  reserved: 0n,
  available: 0n,
  onOrder: 0n,
  openRequired: 0n,
  required: 0n,
  ownNeed: 0n,
};

/**
 * All items of the structure, and those that the project only has requirements for; what leads to an item before it. Stock is not told apart
 * by revision: where the configuration has several revisions of an item, the newest of them counts. Throws `tree_too_large`, `cycle` where
 * released revisions contain each other, and `quantity_out_of_range` where quantities multiply beyond all measure.
 */
export async function findShortages(tx: Tx, projectId: string, basis: StructureBasis): Promise<ItemNeed[]> {
  const slices = new Slices(tx.gone);
  const supply = await supplyOfRequirements(tx, projectId, slices);
  const also = await assembliesOfRequirements(tx, supply, slices);
  const structure = await readStructureBelow(tx, projectId, { ...basis, also }, slices);
  for (const [id, role] of structure.roles)
    if ((role === 'item' || role === 'itemAndLocation') && !supply.has(id)) supply.set(id, { ...nothing });
  await addStock(tx, projectId, supply, slices);
  return explode(structure, supply, slices);
}

async function supplyOfRequirements(tx: Tx, projectId: string, slices: Slices): Promise<Map<string, Supply>> {
  const found = new Map<string, Supply>();
  for (let behind: string | undefined = LOWEST_ID; behind !== undefined; ) {
    const rows: RequirementQuantities[] = await tx.query<RequirementQuantities>(selectQuantitiesOfProject, [
      tx.workspaceId,
      projectId,
      behind,
      REQUIREMENTS_AT_ONCE,
    ]);
    for (const row of rows) {
      if (slices.areDue) await slices.next();
      const { status, needed, reserved, required } = coverageOf(row);
      const supply = found.get(row.item_id) ?? { ...nothing };
      found.set(row.item_id, supply);
      supply.reserved += reserved;
      if (status === 'cancelled') continue;
      supply.required += required;
      supply.openRequired += needed;
      if (!row.follows_structure) supply.ownNeed += required;
    }
    behind = rows.length === REQUIREMENTS_AT_ONCE ? rows.at(-1)?.id : undefined;
  }
  return found;
}

/** Returns the assemblies that requirements ask for whatever the structure needs: they can be outside of it. */
async function assembliesOfRequirements(
  tx: Tx,
  supply: ReadonlyMap<string, Supply>,
  slices: Slices,
): Promise<string[]> {
  const asked = [...supply].flatMap(([id, { ownNeed }]) => (ownNeed > 0n ? [id] : []));
  const found: string[] = [];
  for (let from = 0; from < asked.length; from += ITEMS_AT_ONCE) {
    const some = asked.slice(from, from + ITEMS_AT_ONCE);
    for (const { id } of await tx.query<{ id: string }>(selectAssemblies, [tx.workspaceId, some]))
      found.push(id);
    if (slices.areDue) await slices.next();
  }
  return found;
}

async function addStock(
  tx: Tx,
  projectId: string,
  found: ReadonlyMap<string, Supply>,
  slices: Slices,
): Promise<void> {
  const ids = [...found.keys()];
  for (let from = 0; from < ids.length; from += ITEMS_AT_ONCE) {
    const stock = await tx.query<{ id: string; available: string; on_order: string }>(selectStockOfItems, [
      tx.workspaceId,
      ids.slice(from, from + ITEMS_AT_ONCE),
      projectId,
    ]);
    for (const { id, available, on_order } of stock) {
      if (slices.areDue) await slices.next();
      const supply = found.get(id);
      if (supply === undefined) continue;
      // Below zero if a count found less than is reserved: the next receipt belongs to those reservations.
      supply.available = microOfDecimal(available);
      supply.onOrder = microOfDecimal(on_order);
    }
  }
}

async function explode(
  structure: StructureBelow,
  supply: ReadonlyMap<string, Supply>,
  slices: Slices,
): Promise<ItemNeed[]> {
  const { ids, isMade } = structure;
  const inStructure = new Set<string>();
  const structural = await takenOf(structure, slices);
  const beyond: Exact[] = [];
  let isMoreMade = false;
  for (const [node, id] of ids.entries()) {
    if (slices.areDue) await slices.next();
    // Requirements can ask for more than the structure takes, and for what it does not contain.
    const asked = structure.isPhantom[node] === 1 ? 0n : (supply.get(id)?.ownNeed ?? 0n);
    const more = remainder(exactOf(asked), structural[node] as Exact);
    beyond.push(more);
    if (isMade[node] === 1 && more.digits > 0n) isMoreMade = true;
  }
  const taken = isMoreMade ? await takenOf(structure, slices, beyond) : structural;
  const gross: Exact[] = [];
  for (const [node, amount] of taken.entries()) {
    if (slices.areDue) await slices.next();
    gross.push(add(amount, beyond[node] as Exact));
  }
  const uses = await usesByChild(structure, gross, slices);
  const needs: ItemNeed[] = [];
  const visit = (node: number, needed: Exact) => {
    const id = ids[node] as string;
    const there = supply.get(id);
    if (there === undefined) return needed;
    inStructure.add(id);
    const more = beyond[node] as Exact;
    const need = needOf(id, there, { gross: gross[node] as Exact, needed: add(needed, more) });
    needs.push({ ...need, isAssembly: isMade[node] === 1, usedIn: uses(node) });
    return isMade[node] === 1 ? need.short : zero;
  };
  await explodeAll(structure, one, slices, { visit });
  for (const [id, there] of supply) {
    if (inStructure.has(id) || there.required === 0n) continue;
    const required = exactOf(there.ownNeed);
    needs.push({
      ...needOf(id, there, { gross: required, needed: required }),
      isAssembly: false,
      usedIn: [],
    });
  }
  return needs;
}

/** Returns what is taken of each node to make all that it is a component of, and what is made `beyond` that. */
async function takenOf(
  structure: StructureBelow,
  slices: Slices,
  beyond: readonly Exact[] = [],
): Promise<Exact[]> {
  const taken: Exact[] = new Array(structure.ids.length).fill(zero);
  await explodeAll(structure, one, slices, {
    visit: (node, amount) => {
      taken[node] = amount;
      return structure.isMade[node] === 1 ? add(amount, beyond[node] ?? zero) : zero;
    },
    pass: (phantom, amount) => {
      taken[phantom] = add(taken[phantom] as Exact, amount);
    },
  });
  return taken;
}

function needOf(
  id: string,
  { ownNeed: _, ...there }: Supply,
  { gross, needed }: Pick<ItemNeed, 'gross' | 'needed'>,
): Omit<ItemNeed, 'isAssembly' | 'usedIn'> {
  const covered = exactOf(there.reserved + there.available + there.onOrder);
  // What is owed to others makes nobody short of what they do not need.
  const short = needed.digits > 0n ? remainder(needed, covered) : zero;
  return { id, gross, needed, ...there, short };
}

/** Returns the uses of a node in assemblies that are made, listed only when they are read. */
async function usesByChild(
  { ids, isMade, links: { from, child, factor } }: StructureBelow,
  gross: readonly Exact[],
  slices: Slices,
): Promise<(node: number) => Iterable<ItemUse>> {
  const parentOf = new Uint32Array(child.length);
  for (const parent of ids.keys())
    for (let link = from[parent] as number; link < (from[parent + 1] as number); link++)
      parentOf[link] = parent;
  const linksTo: number[][] = ids.map(() => []);
  for (const [link, node] of child.entries()) {
    if (slices.areDue) await slices.next();
    if (isMade[parentOf[link] as number] === 1) linksTo[node]?.push(link);
  }
  return (node) => ({
    *[Symbol.iterator]() {
      for (const link of linksTo[node] ?? []) {
        const parent = parentOf[link] as number;
        yield {
          parentId: ids[parent] as string,
          quantity: factor[link] as Exact,
          parentGross: gross[parent] as Exact,
        };
      }
    },
  });
}
