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

/** Counts a project in each step. Returns null where no project asks for anything. */
export function* countOnce(
  { items, demand, horizonDays, projects = [] }: Planned & Pick<PlanningInput, 'projects'>,
  structure: Structure<MicroDouble>,
): Generator<void, CountedNeeds | null> {
  if (projects.length === 0) return null;
  const zeros = () => new Float64Array(items.ids.length);
  const counted = { quantity: demand.quantity.slice(), held: zeros(), needed: zeros() };
  // Beyond the horizon nothing is made, so that no structure needs what the requirements ask for within it.
  const isPlanned = (root: number) =>
    root >= 0 && isMade(items, root) && (demand.day[demand.item.indexOf(root)] as number) <= horizonDays;
  for (const one of projects) {
    yield;
    if (one.root >= 0) counted.needed[one.root] = one.quantity;
    if (one.items.length === 0) continue;
    if (isPlanned(one.root)) countStructure(one, items, structure, counted);
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

/** Requirements of a project for one item. */
interface ItemRows {
  readonly rows: readonly number[];
  /** The requirements that do not follow the structure. */
  readonly own: readonly number[];
  readonly held: number;
  readonly issued: number;
  /** The quantity that these ask for beyond what the structure takes. */
  readonly beyond: number;
  /** The part of it that is reserved, or was issued beyond what the structure takes. */
  readonly covered: number;
}

/**
 * The structure needs all: requirements that follow it ask for nothing more, and others for what they have beyond it. That is what reserved
 * stock serves first. What is issued can be in an assembly that is in stock: only what is more than the structure takes serves them.
 */
function countStructure(
  project: ProjectNeeds,
  items: PlanItems,
  structure: Structure<MicroDouble>,
  { quantity, held }: CountedNeeds,
): void {
  const taken = takenBelow(items, structure, new Map([[project.root, project.quantity]]));
  const byItem = new Map<number, ItemRows>();
  // Assemblies beyond the structure take components, too.
  const more = new Map<number, number>();
  for (const [item, rows] of rowsByItem(project)) {
    const one = rowsOfItem(project, rows, { taken: taken.get(item) ?? 0, quantity });
    byItem.set(item, one);
    if (one.beyond > 0 && isMade(items, item)) more.set(item, one.beyond);
  }
  const takenByAll =
    more.size === 0
      ? taken
      : takenBelow(items, structure, new Map([[project.root, project.quantity], ...more]));
  for (const [item, { rows, own, beyond, covered, ...ofAll }] of byItem) {
    for (const row of rows)
      if (project.followStructure[row] === true) setQuantity(quantity, project.demands[row], 0);
    let left = beyond - covered;
    for (const row of own) {
      const kept = Math.min(left, quantityAt(quantity, project.demands[row]));
      setQuantity(quantity, project.demands[row], kept);
      left -= kept;
    }
    const takes = (takenByAll.get(item) ?? 0) - (more.get(item) ?? 0);
    held[item] = (held[item] as number) + Math.min(takes, ofAll.held - covered);
  }
}

function rowsOfItem(
  project: ProjectNeeds,
  rows: readonly number[],
  { taken, quantity }: { taken: number; quantity: Float64Array },
): ItemRows {
  const own = rows.filter((row) => project.followStructure[row] === false);
  const sumOf = (figures: readonly number[], some: readonly number[]) =>
    some.reduce((sum, row) => sum + (figures[row] as number), 0);
  const open = own.reduce((sum, row) => sum + quantityAt(quantity, project.demands[row]), 0);
  const beyond = Math.max(0, open + sumOf(project.held, own) - taken);
  const held = sumOf(project.held, rows);
  const issued = sumOf(project.issued, rows);
  const issuedBeyond = Math.max(0, Math.min(sumOf(project.issued, own), issued - taken));
  return { rows, own, held, issued, beyond, covered: Math.min(beyond, issuedBeyond + held - issued) };
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

/** Returns what is taken of each item if all of some items, and of what lies below them, is made: of these items too. */
function takenBelow(
  items: PlanItems,
  structure: Structure<MicroDouble>,
  needed: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  const taken = new Map(needed);
  const { links, place } = structure;
  const inOrder = [...below(links, needed.keys())].sort(
    (a, b) => (place[a] as number) - (place[b] as number),
  );
  for (const item of inOrder) {
    const made = taken.get(item);
    if (made !== undefined && isMade(items, item))
      explode(structure, addingTo(taken), { item, day: 0, quantity: made });
  }
  return taken;
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

function setQuantity(quantity: Float64Array, demand: number | undefined, value: number): void {
  if (demand !== undefined && demand >= 0) quantity[demand] = value;
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

/** Returns some items and all that lies below them. */
function below({ from, child }: LinkGraph, items: Iterable<number>): Set<number> {
  const found = new Set(items);
  // Items that are added while it runs are visited, too.
  for (const item of found)
    for (let link = from[item] as number; link < (from[item + 1] as number); link++)
      found.add(child[link] as number);
  return found;
}
