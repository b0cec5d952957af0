/** Puts what a planning run plans into columns, in one snapshot. A run reads the whole workspace; a question about one item reads what it depends on. */
import type { BinaryRows } from '../../db/wire/binary-rows.ts';
import { daysBetween } from '../../http/day.ts';
import {
  NO_DAY,
  type PlanDemand,
  type PlanItems,
  type PlanLinks,
  type PlanSubstitutes,
  type PlanSupply,
  type ProjectNeeds,
} from '../netting/planning-input.ts';
import type { ComponentDemands, ProjectDemands } from '../netting/served-projects.ts';
import type { WorkingCalendar } from '../netting/working-calendar.ts';
import type { PlanningOptions } from '../options/planning-options.schema.ts';
import { Bases } from './basis.ts';
import {
  type Amount,
  ComponentColumns,
  DemandColumns,
  Facts,
  type Origins,
  SupplyColumns,
} from './input-columns.ts';
import type { InputSource } from './input-source.ts';
import { itemsInScope } from './items-in-scope.ts';
import { IdIndex, type PackedIds } from './packed-ids.ts';
import { Projects } from './project-rows.ts';
import { itemColumns, type ReadItems, readItemPlanning, readItems } from './read-items.ts';
import { readLinks } from './read-links.ts';
import { type Offers, readOffers } from './read-offers.ts';
import { SubstituteLists } from './substitute-lists.ts';

export interface ReadLimits {
  itemsMax: number;
  linksMax: number;
}

export interface Reading {
  day: string;
  options: PlanningOptions;
  limits: ReadLimits;
  calendar: WorkingCalendar;
}

export interface ReadInput {
  items: PlanItems;
  /** Items without what stands for projects. */
  itemCount: number;
  links: PlanLinks;
  demand: PlanDemand;
  /** The origin of each demand. */
  origins: Pick<Origins, 'at' | 'length'>;
  projects: readonly ProjectNeeds[];
  projectDemands: readonly ProjectDemands[];
  /** Demands for the lines of which they are components. */
  components: ComponentDemands;
  supply: PlanSupply;
  substitutes: PlanSubstitutes | undefined;
  /** Facts on which the actions of each item rest. */
  bases: Bases;
  offers: Offers;
  locations: ReadonlyMap<number, string>;
  /** Whether actions of each item are wanted; null: those of all. */
  inScope: Uint8Array | null;
}

export async function readInput(
  source: InputSource,
  { day, options, limits, calendar }: Reading,
): Promise<ReadInput> {
  const read = await readItems(source.entities(), limits.itemsMax, source.saysComponents);
  const { ids, index } = read;
  const planning = await readItemPlanning(source.planning(), read);
  const available = await readStock(source.stock(), read);
  const lists = new SubstituteLists();
  const links = await readLinks(source.links(read.kept), read, { linksMax: limits.linksMax, lists });
  const offers = await readOffers(source.offers(), index, planning.preferred);
  const items = itemColumns(read, planning, { available, links, offers });
  const facts = new Facts();
  const bases = new Bases({ version: planning.version, stock: available, facts }, day);
  const dates = new Map(options.dates.map(({ id, requiredBy }) => [id, daysBetween(day, requiredBy)]));
  /** Returns what a row is of; null: nothing that is planned. */
  const amountOf = (rows: BinaryRows, at: { item: number; day: number; quantity: number }): Amount | null => {
    const item = index.at(rows.view, rows.from(at.item));
    if (item < 0 || rows.isNull(at.quantity)) return null;
    const quantity = rows.micro(at.quantity);
    return quantity > 0 ? { item, day: rows.isNull(at.day) ? NO_DAY : rows.int(at.day), quantity } : null;
  };
  // Ids become texts only where there are other dates.
  const otherDay = (rows: BinaryRows) => (dates.size === 0 ? undefined : dates.get(rows.id(0)));
  const placeOf = (rows: BinaryRows, column: number) => ({ view: rows.view, from: rows.from(column) });

  const demand = new DemandColumns();
  for (const { itemEntityId, quantity, requiredBy } of options.demand) {
    const item = index.ofText(itemEntityId);
    const amount = { item, day: daysBetween(day, requiredBy), quantity: Math.round(quantity * 1e6) };
    if (item >= 0) demand.push(amount, { kind: 'whatIf', id: null, line: null });
  }
  const projects = new Projects();
  for (const { projectId, quantity, requiredBy } of options.projects) {
    const root = index.ofText(projectId);
    if (root < 0) continue;
    const needed = { item: root, day: daysBetween(day, requiredBy), quantity: Math.round(quantity * 1e6) };
    const id = { view: ids.view, from: ids.offsetOf(root) };
    projects.at(id).needWhole(root, needed.quantity, demand.length);
    demand.push(needed, { kind: 'project', id, line: null });
  }
  const supply = new SupplyColumns();
  for await (const rows of source.lines())
    while (rows.next()) {
      const amount = amountOf(rows, { item: 1, day: 3, quantity: 4 });
      if (amount === null) continue;
      const isSupply = rows.isTrue(2);
      facts.push(amount, isSupply);
      const planned = { ...amount, day: otherDay(rows) ?? amount.day };
      const id = placeOf(rows, 0);
      if (isSupply) supply.push(planned, id, rows.isTrue(5));
      else demand.push(planned, { kind: 'salesLine', id, line: null });
    }
  const comes = supply.columns();
  const supplyOf = suppliesOf(comes, supply.ids);
  const components = new ComponentColumns();
  const startOf = (at: number) => {
    const lead = Math.max(0, items.leadDays[comes.item[at] as number] as number);
    return calendar.startFor(Math.max(0, comes.day[at] as number), lead) ?? 0;
  };
  const neededIn = new Set(options.scope?.projects ?? []);
  const ofProjects = projects.rootsOf(neededIn);
  for await (const rows of source.requirements())
    while (rows.next()) {
      const amount = amountOf(rows, { item: 1, day: 4, quantity: 5 });
      const project = rows.isNull(3) ? null : projects.at(placeOf(rows, 3));
      if (project !== null && !rows.isNull(7))
        project.add({
          item: index.at(rows.view, rows.from(1)),
          demand: amount === null ? -1 : demand.length,
          held: rows.micro(7),
          issued: rows.micro(8),
          followsStructure: rows.isTrue(9),
        });
      if (amount === null) continue;
      if (project !== null && neededIn.has(project.id)) ofProjects.push(amount.item);
      facts.push(amount, false);
      const line = rows.isNull(2) ? null : placeOf(rows, 2);
      const madeBy = line === null ? -1 : supplyOf(line.view, line.from);
      if (madeBy >= 0) components.push(demand.length, madeBy);
      // Components are needed when the line begins, and not when it ends.
      const start = madeBy < 0 ? undefined : startOf(madeBy);
      const needed = { ...amount, day: start ?? otherDay(rows) ?? amount.day };
      if (!rows.isNull(6)) lists.addDemand(demand.length, JSON.parse(rows.text(6)));
      demand.push(needed, { kind: 'requirement', id: placeOf(rows, 0), line });
    }
  for await (const rows of source.forecasts())
    while (rows.next()) {
      const amount = amountOf(rows, { item: 0, day: 2, quantity: 3 });
      if (amount === null) continue;
      facts.push(amount, false);
      // The first day of a span that has begun may have passed, and its need has not.
      const due = { ...amount, day: Math.max(0, amount.day) };
      demand.push(due, { kind: 'forecast', id: null, line: null });
    }
  const { categories } = source;
  return {
    items,
    itemCount: read.category.reduce((sum, place) => sum + Number(place > 0), 0),
    links,
    demand: demand.columns(),
    origins: demand.origins(),
    projects: projects.needs(),
    projectDemands: projects.demands(),
    components: components.columns(),
    supply: comes,
    substitutes: source.idsOf === null ? undefined : await lists.resolved(source.idsOf, index),
    bases,
    offers,
    locations: planning.locations,
    inScope: itemsInScope({ scope: options.scope, read, categories, links, ofProjects }, projects.roots()),
  };
}

async function readStock(
  portions: AsyncIterable<BinaryRows>,
  { ids, index }: ReadItems,
): Promise<Float64Array> {
  const available = new Float64Array(ids.length);
  for await (const rows of portions)
    while (rows.next()) {
      const item = index.at(rows.view, rows.from(0));
      if (item >= 0) available[item] = (available[item] as number) + rows.micro(1);
    }
  return available;
}

/**
 * Returns a function that finds the supply of a line, by its id; -1: none is. Components of a line whose parts come on several days are needed for
 * its last part.
 */
function suppliesOf({ isPart }: PlanSupply, ids: PackedIds): (view: DataView, from: number) => number {
  const index = new IdIndex(ids);
  return (view, from) => {
    let supply = index.at(view, from);
    while (supply >= 0 && isPart[supply + 1] === 1 && ids.equals(supply + 1, view, from)) supply++;
    return supply;
  };
}
