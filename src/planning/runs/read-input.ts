/** Puts what a planning run plans into columns, in one snapshot. A run reads the whole workspace; a question about one item reads what it depends on. */
import { MICRO_DOUBLE_MAX, type Micro, microDoubleOfDecimal } from '../../quantity.ts';
import {
  NO_DAY,
  NO_LEAD_TIME,
  type PlanDemand,
  type PlanItems,
  type PlanLinks,
  type PlanSupply,
  ways,
} from '../netting/planning-input.ts';
import type { WorkingCalendar } from '../netting/working-calendar.ts';
import { Basis } from './basis.ts';
import type { InputSource } from './input-source.ts';
import { itemsInScope } from './items-in-scope.ts';
import type { EntityRow, LineRow, OfferRow } from './planning-input.sql.ts';
import type { PlanningOptions } from './planning-options.schema.ts';
import { readLinks } from './read-links.ts';
import { TooLargeError } from './too-large.ts';

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

/** The origin of a demand. */
export interface DemandOrigin {
  kind: 'salesLine' | 'requirement' | 'forecast' | 'whatIf';
  /** The line or requirement. */
  id: string | null;
  /** The manufacturing line that it is a component of. */
  lineId: string | null;
}

export interface ReadInput {
  items: PlanItems;
  links: PlanLinks;
  demand: PlanDemand;
  /** The origin of each demand. */
  origins: readonly DemandOrigin[];
  supply: PlanSupply;
  /** Facts on which the actions of each item rest. */
  bases: readonly Basis[];
  offers: ReadonlyMap<number, OfferRow>;
  locations: ReadonlyMap<number, string>;
  /** Whether actions of each item are wanted; null: those of all. */
  inScope: Uint8Array | null;
}

export async function readInput(
  source: InputSource,
  { day, options, limits, calendar }: Reading,
): Promise<ReadInput> {
  const rows: EntityRow[] = [];
  for await (const some of source.entities()) {
    for (const row of some) if (row.role === 'item' || row.role === 'itemAndLocation') rows.push(row);
    if (rows.length > limits.itemsMax)
      throw new TooLargeError(`The workspace has more than ${limits.itemsMax} items.`);
  }
  const indexOf = new Map(rows.map(({ id }, index) => [id, index]));
  const bases = rows.map(({ version }) => new Basis(version));
  const available = new Float64Array(rows.length);
  for await (const some of source.stock())
    for (const { item_id: id, available: text } of some) {
      const item = indexOf.get(id);
      if (item === undefined) continue;
      available[item] = (available[item] as number) + microDoubleOfDecimal(text);
      bases[item]?.addStock(text);
    }
  const kept = rows.flatMap(({ id, kept_revision: revision }) =>
    revision === null ? [] : [{ id, revision }],
  );
  const links = await readLinks(
    source.links(kept),
    rows.map(({ id }) => id),
    indexOf,
    limits.linksMax,
  );
  const offers = await readOffers(source, rows, indexOf);
  const demand: DemandRow[] = options.demand.flatMap(({ itemEntityId, quantity, requiredBy }) => {
    const item = indexOf.get(itemEntityId);
    const comesOn = daysBetween(day, requiredBy);
    const origin = { kind: 'whatIf' as const, id: null, lineId: null };
    return item === undefined
      ? []
      : [{ id: '', item, day: comesOn, quantity: Math.round(quantity * 1e6), origin }];
  });
  const supply: SupplyRow[] = [];
  const items = itemColumns(rows, available, links, offers);
  const starts = new Map<string, number>();
  const dates = new Map(options.dates.map(({ id, requiredBy }) => [id, daysBetween(day, requiredBy)]));
  const neededIn = new Set(options.scope?.projects ?? []);
  const ofProjects: number[] = [];
  for await (const some of source.lines())
    for (const line of some) {
      const row = rowOf(line, indexOf, dates);
      if (row === null) continue;
      bases[row.item]?.addLine(line);
      if (line.is_supply) {
        addPart(supply, { ...row, explodes: line.explodes, isPart: false });
        const leadDays = Math.max(0, items.leadDays[row.item] as number);
        starts.set(line.id, calendar.startFor(Math.max(0, row.day), leadDays) ?? 0);
      } else demand.push({ ...row, origin: { kind: 'salesLine', id: line.id, lineId: null } });
    }
  for await (const some of source.requirements())
    for (const requirement of some) {
      const row = rowOf(requirement, indexOf, dates);
      if (row === null) continue;
      if (neededIn.size > 0 && neededIn.has(requirement.project_id ?? '')) ofProjects.push(row.item);
      bases[row.item]?.addNeed(requirement);
      // Components are needed when the line begins, and not when it ends.
      const start = requirement.line_id === null ? undefined : starts.get(requirement.line_id);
      const { id, line_id: lineId } = requirement;
      demand.push({ ...row, day: start ?? row.day, origin: { kind: 'requirement', id, lineId } });
    }
  for await (const some of source.forecasts())
    for (const forecast of some) {
      // The first day of a span that has begun may have passed, and its need has not.
      const due = { ...forecast, id: '', day: Math.max(0, forecast.day) };
      const row = rowOf(due, indexOf, dates);
      if (row === null) continue;
      bases[row.item]?.addNeed(forecast);
      demand.push({ ...row, origin: { kind: 'forecast', id: null, lineId: null } });
    }
  return {
    items,
    links,
    demand: columnsOf(demand),
    origins: demand.map(({ origin }) => origin),
    supply: {
      ...columnsOf(supply),
      ids: supply.map(({ id }) => id),
      explodes: Uint8Array.from(supply, ({ explodes }) => Number(explodes)),
      isPart: Uint8Array.from(supply, ({ isPart }) => Number(isPart)),
    },
    bases,
    offers,
    locations: new Map(
      rows.flatMap(({ location_id: location }, item) => (location === null ? [] : [[item, location]])),
    ),
    inScope: itemsInScope({ scope: options.scope, rows, indexOf, links, ofProjects }),
  };
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}

interface Row {
  id: string;
  item: number;
  day: number;
  quantity: number;
}

interface DemandRow extends Row {
  origin: DemandOrigin;
}

interface SupplyRow extends Row {
  explodes: boolean;
  isPart: boolean;
}

/** Adds what comes of a line. Its parts follow one another in the order of their days; those of one day are one supply. */
function addPart(supply: SupplyRow[], row: SupplyRow): void {
  const before = supply.at(-1);
  if (before?.id !== row.id) supply.push(row);
  else if (before.day === row.day) before.quantity += row.quantity;
  else {
    before.isPart = true;
    supply.push({ ...row, isPart: true });
  }
}

function rowOf(
  { id, item_id: itemId, day, quantity }: Pick<LineRow, 'id' | 'item_id' | 'day' | 'quantity'>,
  indexOf: ReadonlyMap<string, number>,
  dates: ReadonlyMap<string, number>,
): Row | null {
  const item = indexOf.get(itemId);
  if (item === undefined || quantity === null) return null;
  const micros = microDoubleOfDecimal(quantity);
  // Ids are looked up only where there are other dates: a look-up reads all of the text.
  const other = dates.size === 0 ? undefined : dates.get(id);
  return micros > 0 ? { id, item, day: other ?? day ?? NO_DAY, quantity: micros } : null;
}

function columnsOf(rows: readonly Row[]): PlanDemand {
  return {
    item: Uint32Array.from(rows, ({ item }) => item),
    day: Int32Array.from(rows, ({ day }) => day),
    quantity: Float64Array.from(rows, ({ quantity }) => quantity),
  };
}

/** Returns the supplier part of each item: the one that its planning names while it is active, or the first by rank. */
async function readOffers(
  source: InputSource,
  rows: readonly EntityRow[],
  indexOf: ReadonlyMap<string, number>,
): Promise<Map<number, OfferRow>> {
  const found = new Map<number, OfferRow>();
  const placeOf = (item: number, { id, rank }: OfferRow) => (rows[item]?.supplier_part_id === id ? 0 : rank);
  for await (const some of source.offers())
    for (const offer of some) {
      const item = indexOf.get(offer.item_id);
      if (item === undefined || !offer.is_active || offer.numerator === null) continue;
      const before = found.get(item);
      // Among supplier parts of the same rank, the lowest id comes first and stays.
      if (before === undefined || placeOf(item, offer) < placeOf(item, before)) found.set(item, offer);
    }
  return found;
}

function itemColumns(
  rows: readonly EntityRow[],
  available: Float64Array,
  { from }: PlanLinks,
  offers: ReadonlyMap<number, OfferRow>,
): PlanItems {
  const micros = (figure: (row: EntityRow) => string | null) =>
    Float64Array.from(rows, (row) => microDoubleOfDecimal(figure(row) ?? '0.000000'));
  const planned = (figure: (row: EntityRow) => string | null) =>
    micros((row) => (row.policy === null ? null : figure(row)));
  // An item without planning is made if it has components.
  const hasComponents = rows.map((row, item) => row.has_components ?? from[item] !== from[item + 1]);
  const isMade = rows.map((row, item) =>
    row.policy === null ? hasComponents[item] === true : row.make_or_buy === 'make',
  );
  const packs = (figure: (offer: OfferRow) => string | null) =>
    Float64Array.from(rows, (_, item) => {
      const offer = offers.get(item);
      return offer === undefined || isMade[item] === true ? 0 : inBaseUnits(offer, figure(offer));
    });
  const point = planned((row) => (row.policy === 'demand' ? null : row.reorder_point));
  const safety = planned(({ safety: text }) => text);
  const maximum = planned(({ maximum: text }) => text);
  return {
    ids: rows.map(({ id }) => id),
    isArchived: Uint8Array.from(rows, (row) => Number(row.is_archived)),
    way: Uint8Array.from(rows, ({ policy }, item) =>
      policy === 'none' ? ways.notPlanned : isMade[item] === true ? ways.make : ways.buy,
    ),
    available,
    floor: point.map((micro, item) => Math.min(MICRO_DOUBLE_MAX, micro + (safety[item] as number))),
    fill: maximum.map((micro, item) => Math.max(0, micro - (point[item] as number))),
    minimum: planned(({ minimum }) => minimum),
    multiple: planned(({ multiple }) => multiple),
    packMinimum: packs(({ minimum }) => minimum),
    packMultiple: packs((offer) => offer.multiple ?? offer.pack_quantity),
    leadDays: Int32Array.from(
      rows,
      (row, item) =>
        row.lead_time_days ??
        (isMade[item] === true ? null : offers.get(item)?.lead_time_days) ??
        NO_LEAD_TIME,
    ),
    hasSupplier: Uint8Array.from(rows, (_, item) => Number(offers.has(item))),
    hasComponents: Uint8Array.from(hasComponents, Number),
  };
}

/** Rounded up to whole millionths of the base unit. */
function inBaseUnits({ numerator, denominator }: OfferRow, text: string | null): number {
  if (text === null || numerator === null || denominator === null) return 0;
  const amount: Micro = BigInt(text.replace('.', ''));
  const divisor = BigInt(denominator);
  const exact = (amount * BigInt(numerator) + divisor - 1n) / divisor;
  return Math.min(MICRO_DOUBLE_MAX, Number(exact));
}
