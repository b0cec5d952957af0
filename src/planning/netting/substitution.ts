/**
 * Covers needs with free stock of substitutes. A first plan without them finds what stock of each item and supplies in time leave open, and how much of
 * the stock of each substitute none of its own needs takes. What is open then gets free stock by day, item and rank. The second plan uses that.
 */
import { LEAD_DAYS_MAX } from '../../calendar/working-calendar.ts';
import type { PlanRecorder } from './covering.ts';
import type { PlanActions } from './plan-actions.ts';
import {
  compareIds,
  type PlanningInput,
  type PlanSubstitutes,
  type SubstituteUse,
  ways,
} from './planning-input.ts';

/** Sees needs with a list of substitutes as they arise, and all needs of an item before it is planned. */
export interface SubstituteWatch {
  eligible(item: number, group: number, day: number, quantity: number): void;
  beforeItem(item: number, needs: Float64Array | null, supplies: readonly number[]): void;
}

/** Quantities by item, list and day. */
class EligibleNeeds {
  readonly #ofItem = new Map<number, Map<number, Map<number, number>>>();

  add(item: number, group: number, day: number, quantity: number): void {
    const groups = this.#ofItem.get(item) ?? new Map<number, Map<number, number>>();
    this.#ofItem.set(item, groups);
    const days = groups.get(group) ?? new Map<number, number>();
    groups.set(group, days);
    days.set(day, (days.get(day) ?? 0) + quantity);
  }

  of(item: number): ReadonlyMap<number, ReadonlyMap<number, number>> | undefined {
    return this.#ofItem.get(item);
  }

  /** Keeps only those of an item on days on which it lacks something: most needs are covered, and would take as much memory as a plan. */
  keepOpen(item: number, open: ReadonlyMap<number, number>): void {
    const groups = this.#ofItem.get(item);
    for (const [group, days] of groups ?? []) {
      for (const day of days.keys()) if (!open.has(day)) days.delete(day);
      if (days.size === 0) groups?.delete(group);
    }
    if (groups?.size === 0) this.#ofItem.delete(item);
  }

  at(item: number, group: number, day: number): number {
    return this.#ofItem.get(item)?.get(group)?.get(day) ?? 0;
  }
}

/** Returns what stock of an item, and supplies that come in time, leave open of its needs, by day. Supplies are in the order of their days. */
function openNeeds(input: PlanningInput, item: number, needs: Float64Array, supplies: readonly number[]) {
  const { items, supply, calendar, horizonDays } = input;
  const available = items.available[item] as number;
  let left = Math.max(0, available);
  let owed = Math.max(0, -available);
  let next = 0;
  const leadDays = Math.max(0, Math.min(items.leadDays[item] as number, LEAD_DAYS_MAX));
  const floorDay = Math.min(calendar.earliestReceipt(leadDays), horizonDays);
  const open = new Map<number, number>();
  const take = (quantity: number) => {
    const taken = Math.min(left, quantity);
    left -= taken;
    return quantity - taken;
  };
  for (let day = 0; day <= horizonDays; day++) {
    for (; next < supplies.length; next++) {
      const at = supplies[next] as number;
      if ((supply.day[at] as number) > day) break;
      left += supply.quantity[at] as number;
    }
    owed = take(owed);
    const lacking = take(needs[day] as number);
    if (lacking > 0) open.set(day, lacking);
    if (day === floorDay) take(items.floor[item] as number);
  }
  return open;
}

function isPlanned({ items }: PlanningInput, item: number): boolean {
  return items.way[item] !== ways.notPlanned && items.isArchived[item] === 0;
}

const nothingOpen: ReadonlyMap<number, number> = new Map();

interface Wish {
  readonly item: number;
  readonly day: number;
  readonly group: number;
  readonly eligible: number;
}

/** The first plan. */
export class SubstituteSearch implements SubstituteWatch {
  readonly #input: PlanningInput;
  readonly #substitutes: PlanSubstitutes;
  readonly #eligible = new EligibleNeeds();
  readonly #isSubstitute: ReadonlySet<number>;
  readonly #free = new Map<number, number>();
  readonly #open = new Map<number, ReadonlyMap<number, number>>();

  constructor(input: PlanningInput, substitutes: PlanSubstitutes) {
    this.#input = input;
    this.#substitutes = substitutes;
    this.#isSubstitute = new Set(substitutes.groups.flatMap((group) => group.map(({ item }) => item)));
  }

  eligible(item: number, group: number, day: number, quantity: number): void {
    this.#eligible.add(item, group, day, quantity);
  }

  beforeItem(item: number, needs: Float64Array | null, supplies: readonly number[]): void {
    const { items } = this.#input;
    if (this.#isSubstitute.has(item)) {
      const own = needs?.reduce((sum, need) => sum + need, 0) ?? 0;
      const free = (items.available[item] as number) - own - (items.floor[item] as number);
      if (free > 0) this.#free.set(item, free);
    }
    if (needs === null || this.#eligible.of(item) === undefined) return;
    const open = isPlanned(this.#input, item) ? openNeeds(this.#input, item, needs, supplies) : nothingOpen;
    this.#eligible.keepOpen(item, open);
    if (this.#eligible.of(item) !== undefined) this.#open.set(item, open);
  }

  /** Returns the uses, the same whatever the order of the input. */
  uses(): SubstituteUse[] {
    const uses: SubstituteUse[] = [];
    const openOf = new Map([...this.#open].map(([item, open]) => [item, new Map(open)]));
    for (const { item, day, group, eligible } of this.#wishes()) {
      const open = openOf.get(item) as Map<number, number>;
      let left = Math.min(eligible, open.get(day) ?? 0);
      for (const { item: substitute, ratio } of this.#substitutes.groups[group] ?? []) {
        const free = this.#free.get(substitute) ?? 0;
        const covered = Math.min(left, coveredBy(free, ratio));
        if (covered <= 0 || substitute === item) continue;
        const taken = takenFor(covered, ratio);
        this.#free.set(substitute, free - taken);
        open.set(day, (open.get(day) as number) - covered);
        left -= covered;
        uses.push({ item, day, substitute, covered, taken, group, ratio });
      }
    }
    return uses;
  }

  /** Returns them by day, then by the ids of items and of their substitutes. */
  #wishes(): Wish[] {
    const { ids } = this.#input.items;
    const keys = this.#substitutes.groups.map((group) =>
      group.map(({ item, ratio }) => `${ids.at(item)} ${ratio}`).join(' '),
    );
    const wishes = [...this.#open].flatMap(([item, open]) =>
      [...(this.#eligible.of(item) ?? [])].flatMap(([group, days]) =>
        [...days].flatMap(([day, eligible]) => (open.has(day) ? [{ item, day, group, eligible }] : [])),
      ),
    );
    const byText = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);
    return wishes.sort(
      (a, b) =>
        a.day - b.day ||
        compareIds(ids, a.item, b.item) ||
        byText(keys[a.group] as string, keys[b.group] as string),
    );
  }
}

/** The second plan: its needs can be smaller, because less is made of what is replaced. */
export class SubstitutePlan implements SubstituteWatch {
  readonly #input: PlanningInput;
  readonly #actions: PlanActions;
  readonly #recorder: PlanRecorder | null;
  readonly #eligible = new EligibleNeeds();
  readonly #usesOf: ReadonlyMap<number, readonly SubstituteUse[]>;

  constructor(
    input: PlanningInput,
    uses: readonly SubstituteUse[],
    actions: PlanActions,
    recorder: PlanRecorder | null,
  ) {
    this.#input = input;
    this.#actions = actions;
    this.#recorder = recorder;
    this.#usesOf = Map.groupBy(uses, ({ item }) => item);
  }

  eligible(item: number, group: number, day: number, quantity: number): void {
    if (this.#usesOf.has(item)) this.#eligible.add(item, group, day, quantity);
  }

  beforeItem(item: number, needs: Float64Array | null, supplies: readonly number[]): void {
    const uses = this.#usesOf.get(item);
    if (uses === undefined || needs === null) return;
    const open = openNeeds(this.#input, item, needs, supplies);
    for (const { day, substitute, group, covered, taken, ratio } of uses) {
      const eligible = group === null ? covered : this.#eligible.at(item, group, day);
      const used = Math.min(covered, eligible, open.get(day) ?? 0);
      if (used <= 0) continue;
      if (group !== null) this.#eligible.add(item, group, day, -used);
      open.set(day, (open.get(day) as number) - used);
      needs[day] = (needs[day] as number) - used;
      this.#recorder?.cover(item, { day, isFloor: false }, used, { action: this.#actions.length });
      const own = used === covered ? taken : takenFor(used, ratio);
      this.#actions.push({
        action: 'useSubstitute',
        item,
        supply: -1,
        day,
        start: day,
        quantity: used,
        lateDays: 0,
        exceptions: 0,
        substitute: { item: substitute, quantity: own },
      });
    }
  }
}

/** Returns the input without the stock that is used instead of other items. */
export function withoutUsed(input: PlanningInput, uses: readonly SubstituteUse[]): PlanningInput {
  const available = input.items.available.slice();
  for (const { substitute, taken } of uses) available[substitute] = (available[substitute] as number) - taken;
  return { ...input, items: { ...input.items, available } };
}

const UNIT = 1_000_000n;

/** Rounded down to whole millionths. */
function coveredBy(free: number, ratio: number): number {
  return Number((BigInt(free) * UNIT) / BigInt(ratio));
}

/** Rounded up to whole millionths. */
function takenFor(covered: number, ratio: number): number {
  return Number((BigInt(covered) * BigInt(ratio) + UNIT - 1n) / UNIT);
}
