/** Puts what a planning run plans into columns, in one snapshot. A run reads the whole workspace; a question about one item reads what it depends on. */
import type { WorkingCalendar } from '../../calendar/working-calendar.ts';
import type { BinaryRows } from '../../db/wire/binary-rows.ts';
import type {
  PlanDemand,
  PlanItems,
  PlanLinks,
  PlanSubstitutes,
  PlanSupply,
  ProjectNeeds,
} from '../netting/planning-input.ts';
import type { ComponentDemands, ProjectDemands } from '../netting/served-projects.ts';
import type { PlanningOptions } from '../options/planning-options.schema.ts';
import { Bases } from './basis.ts';
import { Facts, type Origins } from './input-columns.ts';
import type { InputSource } from './input-source.ts';
import { itemsInScope } from './items-in-scope.ts';
import { NeedsReader } from './needs-reader.ts';
import { itemColumns, type ReadItems, readItemPlanning, readItems } from './read-items.ts';
import { dropPhantomsWithoutComponents, readLinks } from './read-links.ts';
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
  const { index } = read;
  const planning = await readItemPlanning(source.planning(), read);
  const available = await readStock(source.stock(), read);
  const lists = new SubstituteLists();
  const links = await readLinks(source.links(read.kept), read, { linksMax: limits.linksMax, lists });
  const offers = await readOffers(source.offers(), index, planning.preferred);
  const items = itemColumns(read, planning, { available, links, offers });
  dropPhantomsWithoutComponents(links, items.hasComponents);
  const facts = new Facts();
  const bases = new Bases({ version: planning.version, stock: available, facts }, day);
  const needs = new NeedsReader({ day, options, items: read, facts, lists });
  await needs.readLines(source.lines());
  const supply = needs.supply.columns();
  const startOf = (at: number) => {
    const lead = Math.max(0, items.leadDays[supply.item[at] as number] as number);
    return calendar.startFor(Math.max(0, supply.day[at] as number), lead) ?? 0;
  };
  await needs.readRequirements(source.requirements(), supply, startOf);
  await needs.readForecasts(source.forecasts());
  const { demand, projects, components, ofProjects } = needs;
  const scope = { scope: options.scope, read, categories: source.categories, links, ofProjects };
  return {
    items,
    itemCount: read.category.reduce((sum, place) => sum + Number(place > 0), 0),
    links,
    demand: demand.columns(),
    origins: demand.origins(),
    projects: projects.needs(),
    projectDemands: projects.demands(),
    components: components.columns(),
    supply,
    substitutes: source.idsOf === null ? undefined : await lists.resolved(source.idsOf, index),
    bases,
    offers,
    locations: planning.locations,
    inScope: itemsInScope(scope, projects.roots()),
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
