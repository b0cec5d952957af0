/** A slow and plain planning run with BigInt and Maps, with which the columns are compared; and small random cases. */

import { WorkingCalendar } from '../../../src/calendar/working-calendar.ts';
import type { PlanSubstitutes } from '../../../src/planning/netting/planning-input.ts';
import {
  NO_DAY,
  type PlanLinks,
  type PlanningInput,
  ways,
} from '../../../src/planning/netting/planning-input.ts';

export interface CaseItem {
  id: string;
  way: keyof typeof ways;
  available: number;
  floor: number;
  minimum: number;
  multiple: number;
  leadDays: number;
}
export interface CaseLink {
  parent: string;
  child: string;
  /** Quantity in thousandths. */
  thousandths: number;
  fixed: number;
  isPhantom: boolean;
  /** Substitutes by rank; the ratio in thousandths. */
  substitutes?: CaseSubstitute[];
}
export interface CaseSubstitute {
  item: string;
  ratio: number;
}
export interface CaseDemand {
  item: string;
  day: number;
  quantity: number;
}
export interface CaseSupply extends CaseDemand {
  /** Parts of one line have its id, and different days. */
  id: string;
  explodes: boolean;
}
export interface Case {
  horizonDays: number;
  periodDays: number;
  toleranceDays: number;
  items: CaseItem[];
  links: CaseLink[];
  demand: CaseDemand[];
  supply: CaseSupply[];
}

const CALENDAR_DAYS = 5000;
const everyDay = { weekdays: Array<boolean>(7).fill(true), firstWeekday: 1, holidays: new Set<number>() };

/** Quantities of a case are whole units, and become millionths. */
export function inputOf(one: Case, calendar = new WorkingCalendar(everyDay, CALENDAR_DAYS)): PlanningInput {
  const { items } = one;
  const partsOf = Map.groupBy(one.supply, ({ id }) => id);
  const indexOf = new Map(items.map(({ id }, at) => [id, at]));
  const at = (id: string) => indexOf.get(id) as number;
  const micros = (figure: (item: CaseItem) => number) =>
    Float64Array.from(items, (item) => figure(item) * 1e6);
  const zeros = () => new Float64Array(items.length);
  return {
    ...one,
    calendar,
    items: {
      ids: items.map(({ id }) => id),
      isArchived: new Uint8Array(items.length),
      way: Uint8Array.from(items, ({ way }) => ways[way]),
      available: micros(({ available }) => available),
      floor: micros(({ floor }) => floor),
      fill: zeros(),
      minimum: micros(({ minimum }) => minimum),
      multiple: micros(({ multiple }) => multiple),
      packMinimum: zeros(),
      packMultiple: zeros(),
      leadDays: Int32Array.from(items, ({ leadDays }) => leadDays),
      hasSupplier: new Uint8Array(items.length).fill(1),
      hasComponents: Uint8Array.from(items, ({ id }) =>
        Number(one.links.some(({ parent }) => parent === id)),
      ),
    },
    links: linksOf(one, at),
    substitutes: substitutesOf(one, at),
    demand: {
      item: Uint32Array.from(one.demand, ({ item }) => at(item)),
      day: Int32Array.from(one.demand, ({ day }) => day),
      quantity: Float64Array.from(one.demand, ({ quantity }) => quantity * 1e6),
    },
    supply: {
      ids: one.supply.map(({ id }) => id),
      item: Uint32Array.from(one.supply, ({ item }) => at(item)),
      day: Int32Array.from(one.supply, ({ day }) => day),
      quantity: Float64Array.from(one.supply, ({ quantity }) => Math.round(quantity * 1e6)),
      explodes: Uint8Array.from(one.supply, ({ explodes }) => Number(explodes)),
      isPart: Uint8Array.from(one.supply, ({ id }) => Number((partsOf.get(id)?.length ?? 0) > 1)),
    },
  };
}

function orderedLinks({ items, links }: Case): CaseLink[] {
  const byParent = Map.groupBy(links, ({ parent }) => parent);
  return items.flatMap(({ id }) => byParent.get(id) ?? []);
}

function substitutesOf(one: Case, at: (id: string) => number): PlanSubstitutes {
  const named = orderedLinks(one).map(({ substitutes = [] }) => substitutes);
  return {
    groups: named.map((list) => list.map(({ item, ratio }) => ({ item: at(item), ratio: ratio * 1000 }))),
    ofLink: new Map(named.flatMap((list, link) => (list.length === 0 ? [] : [[link, link] as const]))),
    ofDemand: new Map(),
  };
}

function linksOf(one: Case, at: (id: string) => number): PlanLinks {
  const { items, links } = one;
  const byParent = Map.groupBy(links, ({ parent }) => at(parent));
  const ordered = orderedLinks(one);
  const from = new Uint32Array(items.length + 1);
  for (const index of items.keys())
    from[index + 1] = (from[index] as number) + (byParent.get(index)?.length ?? 0);
  return {
    from,
    child: Uint32Array.from(ordered, ({ child }) => at(child)),
    numerator: Float64Array.from(ordered, ({ thousandths }) => thousandths),
    scale: new Uint8Array(ordered.length).fill(3),
    wideNumerators: new Map(),
    fixed: Float64Array.from(ordered, ({ fixed }) => fixed * 1e6),
    isPhantom: Uint8Array.from(ordered, ({ isPhantom }) => Number(isPhantom)),
  };
}

/** Whole numbers below a bound, the same for the same seed. */
export function seeded(seed: number): (below: number) => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A small case; `next` returns a whole number below its argument. */
export function randomCase(next: (below: number) => number): Case {
  const count = 2 + next(8);
  const ids = Array.from({ length: count }, (_, at) => `item ${at}`);
  const links = ids.flatMap((parent, at) =>
    ids
      .slice(at + 1)
      .filter(() => next(3) === 0)
      .map((child) => ({
        parent,
        child,
        thousandths: 1 + next(3000),
        fixed: next(4) === 0 ? 1 + next(3) : 0,
        isPhantom: next(6) === 0,
      })),
  );
  const parents = new Set(links.map(({ parent }) => parent));
  const horizonDays = 20 + next(40);
  const draw = (length: number) =>
    Array.from({ length }, () => ({
      item: ids[next(count)] as string,
      day: next(8) === 0 ? NO_DAY : next(horizonDays + 20) - 5,
      quantity: 1 + next(50),
    }));
  const drawn: Case = {
    horizonDays,
    periodDays: 1 + next(7),
    toleranceDays: next(4),
    items: ids.map((id) => ({
      id,
      way: next(12) === 0 ? 'notPlanned' : parents.has(id) && next(6) > 0 ? 'make' : 'buy',
      available: next(3) === 0 ? next(80) - 5 : 0,
      floor: next(4) === 0 ? next(20) : 0,
      minimum: next(3) === 0 ? 1 + next(30) : 0,
      multiple: next(3) === 0 ? 1 + next(12) : 0,
      leadDays: next(15) - 1,
    })),
    links,
    demand: draw(1 + next(10)),
    supply: inParts(
      draw(next(6)).map((one, at) => ({ ...one, id: `supply ${at}`, explodes: next(2) === 0 })),
      next,
    ),
  };
  return { ...drawn, links: links.map((one) => ({ ...one, substitutes: drawSubstitutes(ids, one, next) })) };
}

function drawSubstitutes(
  ids: readonly string[],
  { child }: Pick<CaseLink, 'child'>,
  next: (below: number) => number,
): CaseSubstitute[] {
  if (next(3) > 0) return [];
  const named = Array.from({ length: 1 + next(2) }, () => ids[next(ids.length)] as string);
  const others = [...new Set(named)].filter((id) => id !== child);
  return others.map((id) => ({ item: id, ratio: 1 + next(2500) }));
}

/** Makes some supplies further parts of the line before them. */
function inParts(supply: readonly CaseSupply[], next: (below: number) => number): CaseSupply[] {
  const lines: CaseSupply[] = [];
  for (const one of supply) {
    const before = lines.at(-1);
    const isPart = next(3) === 0 && before !== undefined;
    const part = isPart ? { ...one, id: before.id, item: before.item, explodes: false } : one;
    const isOfOtherDay = !lines.some(({ id, day }) => id === part.id && comesOn(day) === comesOn(part.day));
    lines.push(isOfOtherDay ? part : one);
  }
  // Only purchase lines come in parts, and nothing is made for them.
  const lineOf = Map.groupBy(lines, ({ id }) => id);
  return lines.map((one) => (lineOf.get(one.id)?.length === 1 ? one : { ...one, explodes: false }));
}

function comesOn(day: number): number {
  return Math.max(0, day);
}

interface Started {
  item: string;
  day: number;
  quantity: bigint;
}

/** A need of an item on a day by one line of a structure that names substitutes. */
interface Eligible {
  item: string;
  day: number;
  link: CaseLink;
  quantity: bigint;
}

/** What an item needs by day, in millionths, of a plan that consists of these receipts and starts. */
export function needsOf(
  one: Case,
  started: readonly Started[],
  eligible: Eligible[] = [],
): Map<string, Map<number, bigint>> {
  const needs = new Map(one.items.map(({ id }) => [id, new Map<number, bigint>()]));
  const add = (item: string, day: number, quantity: bigint) => {
    const own = needs.get(item) as Map<number, bigint>;
    const within = Math.min(Math.max(day, 0), one.horizonDays + 1);
    own.set(within, (own.get(within) ?? 0n) + quantity);
  };
  for (const { item, day, quantity } of one.demand) add(item, day, BigInt(quantity) * 1_000_000n);
  for (const { item, day, quantity } of started) {
    if (day > one.horizonDays) continue;
    let amounts = new Map([[item, quantity]]);
    // Items are in the order of their levels, so that one pass over them passes phantoms on.
    for (const { id } of one.items) {
      const amount = amounts.get(id);
      if (amount === undefined) continue;
      amounts = new Map([...amounts].filter(([other]) => other !== id));
      for (const link of one.links) {
        const { parent, child, thousandths, fixed, isPhantom, substitutes = [] } = link;
        if (parent !== id) continue;
        const need = (amount * BigInt(thousandths) + 999n) / 1000n + BigInt(fixed) * 1_000_000n;
        if (isPhantom) amounts.set(child, (amounts.get(child) ?? 0n) + need);
        else {
          add(child, day, need);
          if (substitutes.length > 0)
            eligible.push({ item: child, day: Math.max(0, day), link, quantity: need });
        }
      }
    }
  }
  return needs;
}

interface Use {
  item: string;
  day: number;
  link: CaseLink;
  substitute: CaseSubstitute;
  covered: bigint;
  taken: bigint;
}

const takenFor = (covered: bigint, ratio: number) => (covered * BigInt(ratio) + 999n) / 1000n;
const smaller = (...all: bigint[]) => all.reduce((least, one) => (one < least ? one : least));
const byText = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);
const listText = ({ substitutes = [] }: CaseLink) =>
  substitutes.map(({ item, ratio }) => `${item} ${ratio * 1000}`).join(' ');

/** Returns what the stock of an item leaves open of its needs within the horizon, by day: there are no supplies. */
function openOf(one: Case, needs: ReadonlyMap<number, bigint>, stock: bigint) {
  let left = stock;
  return new Map(
    [...needs]
      .sort(([a], [b]) => a - b)
      .flatMap(([day, need]) => {
        if (day > one.horizonDays) return [];
        left -= need;
        const open = left < 0n ? -left : 0n;
        if (left < 0n) left = 0n;
        return [[day, open] as const];
      }),
  );
}

/** Divides the free stock of substitutes up: what is needed first gets it first. */
function usesOf(one: Case, started: readonly Started[]): Use[] {
  const eligible: Eligible[] = [];
  const needs = needsOf(one, started, eligible);
  const free = new Map<string, bigint>();
  const open = new Map<string, Map<number, bigint>>();
  for (const { id, way, available } of one.items) {
    const own = [...(needs.get(id) ?? [])].reduce((sum, [, need]) => sum + need, 0n);
    free.set(id, BigInt(available) * 1_000_000n - own);
    const stock = BigInt(Math.max(0, available)) * 1_000_000n;
    if (way !== 'notPlanned') open.set(id, openOf(one, needs.get(id) ?? new Map(), stock));
  }
  const wishes = [
    ...Map.groupBy(eligible, ({ item, day, link }) => `${item} ${day} ${one.links.indexOf(link)}`).values(),
  ]
    .map((same) => ({
      ...(same[0] as Eligible),
      quantity: same.reduce((sum, { quantity }) => sum + quantity, 0n),
    }))
    .sort((a, b) => a.day - b.day || byText(a.item, b.item) || byText(listText(a.link), listText(b.link)));
  const uses: Use[] = [];
  for (const { item, day, link, quantity } of wishes) {
    const own = open.get(item);
    let left = smaller(quantity, own?.get(day) ?? 0n);
    for (const substitute of link.substitutes ?? []) {
      const there = free.get(substitute.item) ?? 0n;
      const covered = smaller(left, there <= 0n ? 0n : (there * 1000n) / BigInt(substitute.ratio));
      if (covered <= 0n) continue;
      const taken = takenFor(covered, substitute.ratio);
      free.set(substitute.item, there - taken);
      own?.set(day, (own.get(day) ?? 0n) - covered);
      left -= covered;
      uses.push({ item, day, link, substitute, covered, taken });
    }
  }
  return uses;
}

/**
 * Plans a case without supplies, floors and periods, item by item and day by day with BigInt: `make item 1, 5000000 on 12 from 7`. Items are in the order of
 * their levels.
 */
export function naiveProposals(one: Case): string[] {
  const { started } = planNaively(one, []);
  return planNaively(one, usesOf(one, started)).proposals.sort();
}

function planNaively(one: Case, uses: readonly Use[]): { proposals: string[]; started: Started[] } {
  const proposals: string[] = [];
  const started: Started[] = [];
  for (const { id, way, available, minimum, multiple, leadDays } of one.items) {
    if (way === 'notPlanned') continue;
    const eligible: Eligible[] = [];
    const needs = new Map(needsOf(one, started, eligible).get(id));
    const given = uses.reduce((sum, use) => (use.substitute.item === id ? sum + use.taken : sum), 0n);
    let stock = BigInt(Math.max(0, available)) * 1_000_000n - given;
    const open = openOf(one, needs, stock);
    for (const { item, day, link, substitute, covered } of uses) {
      if (item !== id) continue;
      const allowed = eligible
        .filter((need) => need.item === id && need.day === day && need.link === link)
        .reduce((sum, { quantity }) => sum + quantity, 0n);
      const before = uses
        .slice(
          0,
          uses.findIndex(
            (use) => use.item === id && use.day === day && use.link === link && use.substitute === substitute,
          ),
        )
        .filter((use) => use.item === id && use.day === day && use.link === link)
        .reduce((sum, use) => sum + use.covered, 0n);
      const used = smaller(covered, allowed > before ? allowed - before : 0n, open.get(day) ?? 0n);
      if (used <= 0n) continue;
      open.set(day, (open.get(day) ?? 0n) - used);
      needs.set(day, (needs.get(day) ?? 0n) - used);
      proposals.push(
        `useSubstitute ${id}, ${used} on ${day} from ${day}: ${takenFor(used, substitute.ratio)} ${substitute.item}`,
      );
    }
    if (available < 0) needs.set(0, (needs.get(0) ?? 0n) + BigInt(-available) * 1_000_000n);
    for (const [day, need] of [...needs].sort(([a], [b]) => a - b)) {
      if (day > one.horizonDays) continue;
      stock -= need;
      if (stock >= 0n) continue;
      let quantity = -stock;
      if (quantity < BigInt(minimum) * 1_000_000n) quantity = BigInt(minimum) * 1_000_000n;
      while (multiple > 0 && quantity % (BigInt(multiple) * 1_000_000n) !== 0n)
        quantity += BigInt(multiple) * 1_000_000n - (quantity % (BigInt(multiple) * 1_000_000n));
      stock += quantity;
      const start = Math.max(0, day - Math.max(0, leadDays));
      const action = way === 'make' ? 'make' : 'order';
      proposals.push(`${action} ${id}, ${quantity} on ${day} from ${start}`);
      if (way === 'make') started.push({ item: id, day: start, quantity });
    }
  }
  return { proposals, started };
}

/** A requirement of a project, in whole units. */
export interface CaseRequirement {
  item: string;
  open: number;
  reserved: number;
  issued: number;
  followsStructure: boolean;
}

/**
 * What a project takes of each item that only it needs, if `madeOf` of what is needed of an item is made: in millionths, level by level. Links lead to later
 * items, and the first item stands for the project.
 */
export function takenByProject(
  { items, links }: Case,
  quantity: number,
  madeOf: (item: CaseItem, needed: bigint) => bigint,
): Map<string, bigint> {
  const needs = new Map([[items[0]?.id ?? '', BigInt(quantity) * 1_000_000n]]);
  const passed = new Map<string, bigint>();
  for (const item of items) {
    const { id, way } = item;
    const made = madeOf(item, needs.get(id) ?? 0n);
    const exploded = (way === 'make' ? made : 0n) + (passed.get(id) ?? 0n);
    if (exploded === 0n) continue;
    for (const { child, thousandths, isPhantom } of links.filter(({ parent }) => parent === id)) {
      const into = isPhantom ? passed : needs;
      into.set(child, (into.get(child) ?? 0n) + (exploded * BigInt(thousandths)) / 1000n);
    }
  }
  needs.delete(items[0]?.id ?? '');
  return needs;
}

/**
 * How much of each item is made or ordered for a project that is planned whole. What is issued is in what the structure takes; only what is
 * more than that, or reserved, serves what requirements ask for beyond the structure.
 */
export function naiveForProject(
  one: Case,
  quantity: number,
  requirements: readonly CaseRequirement[],
): Map<string, bigint> {
  const gross = takenByProject(one, quantity, (_, needed) => needed);
  const ofItem = Map.groupBy(requirements, ({ item }) => item);
  const sum = (rows: readonly CaseRequirement[], figure: (row: CaseRequirement) => number) =>
    rows.reduce((all, row) => all + BigInt(figure(row)) * 1_000_000n, 0n);
  const larger = (a: bigint, b: bigint) => (a > b ? a : b);
  const proposed = new Map<string, bigint>();
  takenByProject(one, quantity, ({ id, way, available }, needed) => {
    const rows = ofItem.get(id) ?? [];
    const own = rows.filter(({ followsStructure }) => !followsStructure);
    const ofStructure = gross.get(id) ?? 0n;
    const beyond = larger(0n, sum(own, (row) => row.open + row.reserved + row.issued) - ofStructure);
    const issued = sum(rows, (row) => row.issued);
    const spare = larger(
      0n,
      smaller(
        issued - ofStructure,
        sum(own, (row) => row.issued),
      ),
    );
    const open = larger(0n, needed - (issued - spare)) + (beyond - spare);
    const short = larger(0n, open - sum(rows, ({ reserved }) => reserved) - BigInt(available) * 1_000_000n);
    if (short > 0n && way !== 'notPlanned') proposed.set(id, short);
    return way === 'notPlanned' ? 0n : short;
  });
  return proposed;
}
