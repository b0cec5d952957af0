/**
 * What a project does not have enough of. As planning does it: level by level, what an assembly has in stock or
 * on order takes no components any more. 1 800 links over 6 levels are four statements and a walk.
 */
import type { Tx } from '../db/transaction.ts';
import { type Exact, one } from '../entities/exact-product.ts';
import { unpackLinks } from '../entities/plan-tree.ts';
import { AppError } from '../errors.ts';
import { type Micro, microOfDecimal } from '../quantity.ts';
import { accumulate, type Step } from './accumulate.ts';
import { exactOf, exactOfDecimal, remainder, times, zero } from './exact-sum.ts';
import { requirementOfRow } from './requirement.ts';
import { type RequirementRow, selectRequirementsOfProjects } from './requirements.sql.ts';
import { type StructureRow, selectStockOfItems, selectStructureBelow } from './structure.sql.ts';

export interface ItemNeed {
  id: string;
  isAssembly: boolean;
  /** Along all paths. */
  gross: Exact;
  /** Without what goes into assemblies that are there already. */
  needed: Exact;
  reserved: Micro;
  available: Micro;
  onOrder: Micro;
  short: Exact;
  openRequired: Micro;
  usedIn: { parentId: string; quantity: Exact; required: Exact }[];
}

interface Supply {
  reserved: Micro;
  available: Micro;
  onOrder: Micro;
  openRequired: Micro;
}

const nothing: Supply = { reserved: 0n, available: 0n, onOrder: 0n, openRequired: 0n };

/** All items of the structure, what leads to an item before it. Throws `tree_too_large`. */
export async function findShortages(
  tx: Tx,
  projectId: string,
  limits: { linksMax: number },
): Promise<ItemNeed[]> {
  const { linksMax } = limits;
  const rows = await tx.query<StructureRow>(selectStructureBelow, [tx.workspaceId, projectId, linksMax + 1]);
  const links = rows.flatMap((row) => stepsOf(row));
  if (links.length > linksMax || rows.length > linksMax) {
    throw new AppError('tree_too_large', {
      detail: `The structure of the project has more than ${linksMax} links.`,
      extensions: { limit: linksMax },
    });
  }
  const items = rows.filter(({ role }) => role === 'item' || role === 'itemAndLocation');
  const supply = await supplyOf(
    tx,
    projectId,
    items.map(({ id }) => id),
  );
  return explode(projectId, links, supply);
}

function stepsOf({ id, children }: StructureRow): Step[] {
  return unpackLinks(children ?? '').map(({ childId, quantity }) => ({
    from: id,
    to: childId,
    quantity: exactOfDecimal(quantity),
  }));
}

async function supplyOf(tx: Tx, projectId: string, items: readonly string[]): Promise<Map<string, Supply>> {
  const found = new Map(items.map((id) => [id, { ...nothing }]));
  const stock = await tx.query<{ id: string; available: string; on_order: string }>(selectStockOfItems, [
    tx.workspaceId,
    items,
  ]);
  for (const { id, available, on_order } of stock) {
    const supply = found.get(id);
    if (supply === undefined) continue;
    // A count may have found less than is reserved: that is nobody's stock.
    const free = microOfDecimal(available);
    supply.available = free > 0n ? free : 0n;
    supply.onOrder = microOfDecimal(on_order);
  }
  const required = await tx.query<RequirementRow>(selectRequirementsOfProjects, [
    tx.workspaceId,
    [projectId],
    null,
  ]);
  for (const requirement of required.map(requirementOfRow)) {
    const supply = found.get(requirement.itemId);
    if (supply === undefined) continue;
    supply.reserved += requirement.reserved;
    if (requirement.status === 'open') supply.openRequired += requirement.open;
  }
  return found;
}

function explode(projectId: string, steps: readonly Step[], supply: ReadonlyMap<string, Supply>): ItemNeed[] {
  const parents = Map.groupBy(steps, (step) => step.to);
  const gross = new Map<string, Exact>();
  accumulate(projectId, one, steps, times, (id, amount) => {
    gross.set(id, amount);
    return amount;
  });
  const assemblies = new Set(steps.map((step) => step.from));
  const needs: ItemNeed[] = [];
  accumulate(projectId, one, steps, times, (id, needed) => {
    const there = supply.get(id);
    if (there === undefined) return needed;
    const covered = exactOf(there.reserved + there.available + there.onOrder);
    const short = remainder(needed, covered);
    needs.push({
      id,
      isAssembly: assemblies.has(id),
      gross: gross.get(id) ?? zero,
      needed,
      ...there,
      short,
      usedIn: (parents.get(id) ?? []).map(({ from, quantity }) => ({
        parentId: from,
        quantity,
        required: times(gross.get(from) ?? zero, quantity),
      })),
    });
    return short;
  });
  return needs;
}
