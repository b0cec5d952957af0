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
import { selectStockOfItems } from './structure.sql.ts';
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
  const structure = await readStructureBelow(tx, projectId, basis, slices);
  const items = [...structure.roles].flatMap(([id, role]) =>
    role === 'item' || role === 'itemAndLocation' ? [id] : [],
  );
  return explode(structure, await supplyOf(tx, projectId, items, slices), slices);
}

async function supplyOf(
  tx: Tx,
  projectId: string,
  items: readonly string[],
  slices: Slices,
): Promise<Map<string, Supply>> {
  const found = new Map(items.map((id) => [id, { ...nothing }]));
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
      // A requirement can be for an item outside of the structure.
      supply.reserved += reserved;
      if (status === 'cancelled') continue;
      found.set(row.item_id, supply);
      supply.required += required;
      supply.openRequired += needed;
      if (!row.follows_structure) supply.ownNeed += required;
    }
    behind = rows.length === REQUIREMENTS_AT_ONCE ? rows.at(-1)?.id : undefined;
  }
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
      // Below zero where a count found less than is reserved: what comes next is owed to whoever has reserved it.
      supply.available = microOfDecimal(available);
      supply.onOrder = microOfDecimal(on_order);
    }
  }
  return found;
}

async function explode(
  structure: StructureBelow,
  supply: ReadonlyMap<string, Supply>,
  slices: Slices,
): Promise<ItemNeed[]> {
  const { ids, isMade } = structure;
  const gross: Exact[] = new Array(ids.length).fill(zero);
  const inStructure = new Set<string>();
  const addGross = (node: number, amount: Exact) => {
    gross[node] = add(gross[node] as Exact, amount);
    return isMade[node] === 1 ? amount : zero;
  };
  await explodeAll(structure, one, slices, { visit: addGross, pass: addGross });
  const uses = await usesByChild(structure, gross, slices);
  const needs: ItemNeed[] = [];
  const visit = (node: number, needed: Exact) => {
    const id = ids[node] as string;
    const there = supply.get(id);
    if (there === undefined) return needed;
    inStructure.add(id);
    const structural = gross[node] as Exact;
    // Requirements can ask for more than the structure takes.
    const beyond = remainder(exactOf(there.ownNeed), structural);
    const need = needOf(id, there, { gross: add(structural, beyond), needed: add(needed, beyond) });
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

/** Returns the uses of a node in what is made, which are listed as they are asked for. */
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
