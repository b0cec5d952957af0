/** A slow and plain planning run with BigInt and Maps, with which the columns are compared; and small random cases. */
import {
  NO_DAY,
  type PlanLinks,
  type PlanningInput,
  ways,
} from '../../../src/planning/netting/planning-input.ts';
import { WorkingCalendar } from '../../../src/planning/netting/working-calendar.ts';

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

function linksOf({ items, links }: Case, at: (id: string) => number): PlanLinks {
  const byParent = Map.groupBy(links, ({ parent }) => at(parent));
  const ordered = items.flatMap((_, parent) => byParent.get(parent) ?? []);
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
  return {
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
}

/** Makes some supplies further parts of the line before them. */
function inParts(supply: readonly CaseSupply[], next: (below: number) => number): CaseSupply[] {
  const lines: CaseSupply[] = [];
  for (const one of supply) {
    const before = lines.at(-1);
    const isPart = next(3) === 0 && before !== undefined;
    const part = isPart ? { ...one, id: before.id, item: before.item, explodes: before.explodes } : one;
    const isOfOtherDay = !lines.some(({ id, day }) => id === part.id && comesOn(day) === comesOn(part.day));
    lines.push(isOfOtherDay ? part : one);
  }
  return lines;
}

function comesOn(day: number): number {
  return Math.max(0, day);
}

/** What an item needs by day, in millionths, of a plan that consists of these receipts and starts. */
export function needsOf(
  one: Case,
  started: readonly { item: string; day: number; quantity: bigint }[],
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
      for (const { parent, child, thousandths, fixed, isPhantom } of one.links) {
        if (parent !== id) continue;
        const need = (amount * BigInt(thousandths) + 999n) / 1000n + BigInt(fixed) * 1_000_000n;
        if (isPhantom) amounts.set(child, (amounts.get(child) ?? 0n) + need);
        else add(child, day, need);
      }
    }
  }
  return needs;
}

/**
 * Plans a case without supplies, floors and periods, item by item and day by day with BigInt: `make item 1, 5000000 on 12 from 7`. Items are in the order of
 * their levels.
 */
export function naiveProposals(one: Case): string[] {
  const proposals: string[] = [];
  const started: { item: string; day: number; quantity: bigint }[] = [];
  for (const { id, way, available, minimum, multiple, leadDays } of one.items) {
    if (way === 'notPlanned') continue;
    const needs = new Map(needsOf(one, started).get(id));
    if (available < 0) needs.set(0, (needs.get(0) ?? 0n) + BigInt(-available) * 1_000_000n);
    let stock = BigInt(Math.max(0, available)) * 1_000_000n;
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
  return proposals.sort();
}
