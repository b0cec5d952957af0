/**
 * Needs of projects, each counted once. Requirements of a project can ask for an assembly and for its components: the components are needed
 * once, when the assembly is made. What is reserved or issued of them is not needed again.
 */
import { explode, type LinkGraph, type Structure } from '../../entities/explosion/explode.ts';
import type { MicroDouble } from '../../quantity.ts';
import { type PlanItems, type PlanningInput, type ProjectNeeds, ways } from './planning-input.ts';

export interface CountedNeeds {
  /** Demands without what the structures of their projects need of the same items. */
  readonly quantity: Float64Array;
  /** Quantity of each item that projects hold for components of what they need: that much of such components is not needed again. */
  readonly held: Float64Array;
  /** Quantity of each item that projects need within the horizon, without what making the others takes. */
  readonly needed: Float64Array;
}

type Planned = Pick<PlanningInput, 'items' | 'demand' | 'horizonDays'>;

/** Returns null where no project asks for anything. */
export function countOnce(
  { items, demand, horizonDays, projects = [] }: Planned & Pick<PlanningInput, 'projects'>,
  structure: Structure<MicroDouble>,
): CountedNeeds | null {
  if (projects.length === 0) return null;
  const zeros = () => new Float64Array(items.ids.length);
  const counted = { quantity: demand.quantity.slice(), held: zeros(), needed: zeros() };
  // Beyond the horizon nothing is made, so that no structure needs what the requirements ask for within it.
  const isPlanned = (root: number) =>
    root >= 0 && isMade(items, root) && (demand.day[demand.item.indexOf(root)] as number) <= horizonDays;
  for (const one of projects) {
    if (one.root >= 0) counted.needed[one.root] = one.quantity;
    if (one.items.length === 0) continue;
    if (isPlanned(one.root)) countStructure(one, grossBelow(items, structure, one), counted);
    else if (one.followStructure.includes(true))
      countRequirements(one, neededBelow({ items, demand, horizonDays }, structure, one), counted);
    for (const [row, item] of one.items.entries()) {
      const at = one.demands[row] as number;
      if (at >= 0 && (demand.day[at] as number) <= horizonDays)
        counted.needed[item] = (counted.needed[item] as number) + (counted.quantity[at] as number);
    }
  }
  return counted;
}

/** The structure needs all: requirements that follow it ask for nothing more, and others for what they have beyond it. */
function countStructure(
  project: ProjectNeeds,
  gross: ReadonlyMap<number, number>,
  { quantity, held }: CountedNeeds,
): void {
  for (const [item, rows] of rowsByItem(project)) {
    const own = rows.filter((row) => project.followStructure[row] === false);
    const openOf = (row: number) => quantityAt(quantity, project.demands[row]);
    const heldOf = (some: readonly number[]) => some.reduce((sum, row) => sum + (project.held[row] ?? 0), 0);
    const asked = own.reduce((sum, row) => sum + openOf(row), heldOf(own));
    const beyond = Math.max(0, asked - (gross.get(item) ?? 0));
    let left = beyond;
    for (const row of rows) {
      const demand = project.demands[row] as number;
      if (demand < 0) continue;
      const kept = project.followStructure[row] === true ? 0 : Math.min(left, openOf(row));
      quantity[demand] = kept;
      left -= kept;
    }
    const heldFor = Math.min(gross.get(item) ?? 0, heldOf(rows) - left);
    held[item] = (held[item] as number) + Math.max(0, heldFor);
  }
}

/** A requirement that follows the structure asks for what assemblies that the project requires do not need anyway. */
function countRequirements(
  project: ProjectNeeds,
  needed: ReadonlyMap<number, number>,
  { quantity, held }: CountedNeeds,
): void {
  for (const [item, rows] of rowsByItem(project)) {
    let left = needed.get(item) ?? 0;
    let heldFor = 0;
    for (const row of rows) {
      if (project.followStructure[row] === false) continue;
      heldFor += project.held[row] as number;
      const demand = project.demands[row] as number;
      if (demand < 0) continue;
      const open = quantity[demand] as number;
      const less = Math.min(open, left);
      quantity[demand] = open - less;
      left -= less;
    }
    held[item] = (held[item] as number) + Math.min(left, heldFor);
  }
}

/** Returns what the structure of a project takes of each item, if all of it is made. */
function grossBelow(
  items: PlanItems,
  structure: Structure<MicroDouble>,
  { root, quantity }: ProjectNeeds,
): ReadonlyMap<number, number> {
  const gross = new Map([[root, quantity]]);
  const { links, place } = structure;
  const inOrder = [...below(links, root)].sort((a, b) => (place[a] as number) - (place[b] as number));
  for (const item of inOrder) {
    const made = gross.get(item);
    if (made !== undefined && isMade(items, item))
      explode(structure, addingTo(gross), { item, day: 0, quantity: made });
  }
  return gross;
}

/** Returns what making the open requirements of a project takes of their components. */
function neededBelow(
  { items, demand, horizonDays }: Planned,
  structure: Structure<MicroDouble>,
  { items: required, demands }: ProjectNeeds,
): ReadonlyMap<number, number> {
  // Very many requirements can ask for one assembly with very many components.
  const open = new Map<number, number>();
  for (const [row, item] of required.entries()) {
    const at = demands[row] as number;
    if (at < 0 || (demand.day[at] as number) > horizonDays || !isMade(items, item)) continue;
    open.set(item, (open.get(item) ?? 0) + (demand.quantity[at] as number));
  }
  const needed = new Map<number, number>();
  for (const [item, quantity] of open)
    if (quantity > 0) explode(structure, addingTo(needed), { item, day: 0, quantity });
  return needed;
}

function rowsByItem({ items }: ProjectNeeds): Map<number, number[]> {
  return Map.groupBy(items.keys(), (row) => items[row] as number);
}

function quantityAt(quantity: Float64Array, demand: number | undefined): number {
  return demand === undefined || demand < 0 ? 0 : (quantity[demand] as number);
}

function isMade({ way, isArchived }: PlanItems, item: number): boolean {
  return way[item] === ways.make && isArchived[item] === 0;
}

function addingTo(sums: Map<number, number>) {
  return {
    add: (item: number, _day: number, quantity: number) => {
      sums.set(item, (sums.get(item) ?? 0) + quantity);
    },
  };
}

/** Returns an item and all that lies below it. */
function below({ from, child }: LinkGraph, root: number): Set<number> {
  const found = new Set([root]);
  // Items that are added while it runs are visited, too.
  for (const item of found)
    for (let link = from[item] as number; link < (from[item + 1] as number); link++)
      found.add(child[link] as number);
  return found;
}
