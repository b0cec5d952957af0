/**
 * Plans all items: parents before their components, the needs of each item against its stock, its supplies in the order of their days, and
 * then proposals. The same input gives the same plan, whatever the order of its rows.
 */
import { explode, type NeedTaker, type Structure } from '../../entities/explosion/explode.ts';
import { type ItemOrder, orderItems } from '../../entities/explosion/order-items.ts';
import type { Slices } from '../../fairness/slices.ts';
import type { MicroDouble } from '../../quantity.ts';
import type { Coming, Made, PlanRecorder } from './covering.ts';
import { MicroNeeds } from './micro-needs.ts';
import { NeedRows } from './need-rows.ts';
import { netItem } from './net-item.ts';
import { exceptionOf, PlanActions } from './plan-actions.ts';
import { compareIds, NO_DAY, type PlanningInput, type SubstituteUse } from './planning-input.ts';
import { type CountedNeeds, countOnce } from './project-needs.ts';
import { SubstitutePlan, SubstituteSearch, type SubstituteWatch, withoutUsed } from './substitution.ts';

/** Demands that are taken in one step. */
const DEMANDS_AT_ONCE = 1000;

/** Counts a project, or nets an item or some demands, in each step. */
type Netting = Generator<void, PlanActions>;

/** Returns the actions; `sorted` of them gives their order. */
export function netItems(given: PlanningInput, recorder: PlanRecorder | null = null): PlanActions {
  const netting = net(given, recorder);
  for (;;) {
    const step = netting.next();
    if (step.done === true) return step.value;
  }
}

/** Returns the same, where the event loop has others to serve. */
export async function netInSlices(
  given: PlanningInput,
  recorder: PlanRecorder | null,
  slices: Slices,
): Promise<PlanActions> {
  const netting = net(given, recorder);
  for (;;) {
    if (slices.areDue) await slices.next();
    const step = netting.next();
    if (step.done === true) return step.value;
  }
}

function* net(given: PlanningInput, recorder: PlanRecorder | null): Netting {
  const order = orderItems(given.items.ids.length, given.links);
  const { links } = given;
  const structure = { links, place: order.place, arithmetic: new MicroNeeds(links) };
  const counted = yield* countOnce(given, structure);
  const demand = counted === null ? given.demand : { ...given.demand, quantity: counted.quantity };
  const plan = { input: { ...given, demand }, order, structure, ofProjects: counted };
  const { substitutes, substituteUses } = given;
  const looksForUses =
    substituteUses === undefined && substitutes !== undefined && substitutes.groups.length > 0;
  if (looksForUses) {
    const search = new SubstituteSearch(plan.input, substitutes);
    const without = yield* netAll(plan, new PlanActions(), { recorder: null, watch: search });
    const uses = search.uses();
    return uses.length === 0 && recorder === null ? without : yield* netWith(plan, uses, recorder);
  }
  return yield* netWith(plan, substituteUses ?? [], recorder);
}

interface Plan {
  readonly input: PlanningInput;
  readonly order: ItemOrder;
  readonly structure: Structure<MicroDouble>;
  /** The needs of projects and the quantities that they hold; null: there are none. */
  readonly ofProjects: Pick<CountedNeeds, 'held' | 'needed'> | null;
}

function* netWith(plan: Plan, uses: readonly SubstituteUse[], recorder: PlanRecorder | null): Netting {
  const actions = new PlanActions();
  if (uses.length === 0) return yield* netAll(plan, actions, { recorder, watch: null });
  const watch = new SubstitutePlan(plan.input, uses, actions, recorder);
  return yield* netAll({ ...plan, input: withoutUsed(plan.input, uses) }, actions, { recorder, watch });
}

interface Watching {
  recorder: PlanRecorder | null;
  watch: SubstituteWatch | null;
}

function* netAll(
  { input, order: { order, inCycle }, structure, ofProjects }: Plan,
  actions: PlanActions,
  { recorder, watch }: Watching,
): Netting {
  const { items, demand, supply, substitutes, horizonDays } = input;
  const count = items.ids.length;
  const held = ofProjects?.held.slice();
  const neededByProjects = ofProjects?.needed.slice();
  // One day stands for all that is beyond the horizon.
  const rows = new NeedRows(count, horizonDays + 2);
  const undated = new Map<number, number>();
  for (const [at, item] of demand.item.entries()) {
    const day = demand.day[at] as number;
    const quantity = demand.quantity[at] as number;
    if (quantity === 0) continue;
    if (at % DEMANDS_AT_ONCE === 0) yield;
    if (day === NO_DAY) undated.set(item, (undated.get(item) ?? 0) + quantity);
    rows.add(item, dayWithin(day, horizonDays), quantity);
    recorder?.need(item, dayWithin(day, horizonDays), quantity, { demand: at });
    if (watch !== null)
      tellEligible(item, dayWithin(day, horizonDays), quantity, substitutes?.ofDemand.get(at));
  }
  for (const [item, quantity] of undated) actions.push(exceptionOf(item, quantity, 'demandWithoutDate'));
  const suppliesOf = suppliesByItem(input);
  const none: number[] = [];
  for (const item of order) {
    yield;
    const needs = rows.of(item);
    const supplies = suppliesOf.get(item) ?? none;
    if (!rows.isOutOfRange(item)) watch?.beforeItem(item, needs, supplies);
    const netted = { item, needs, supplies, isOutOfRange: rows.isOutOfRange(item) };
    const needed = held === undefined ? 0 : neededWithin(needs);
    const made = netItem(input, netted, actions, recorder);
    rows.release(item);
    let forProjects = madeForProjects(item, needed, made);
    for (const { day, quantity, by } of made) {
      if (day > horizonDays) continue;
      const part = Math.min(quantity, forProjects);
      forProjects -= part;
      explode(structure, addingTo(item, by, part / quantity), { item, day, quantity });
    }
  }
  for (const item of inCycle) actions.push(exceptionOf(item, 0, 'cycle'));
  reportOverdue(input, actions);
  return actions;

  function tellEligible(item: number, day: number, quantity: number, group: number | undefined): void {
    if (group !== undefined) watch?.eligible(item, group, day, quantity);
  }

  function neededWithin(needs: Float64Array | null): number {
    return needs?.subarray(0, horizonDays + 1).reduce((sum, need) => sum + need, 0) ?? 0;
  }

  /** Returns how much of what is made is for projects: what need not be made of the item is for them first, so that no need is lost. */
  function madeForProjects(item: number, needed: number, made: readonly Made[]): number {
    if (neededByProjects === undefined) return 0;
    const quantity = made.reduce((sum, one) => (one.day <= horizonDays ? sum + one.quantity : sum), 0);
    return Math.max(0, (neededByProjects[item] as number) - Math.max(0, needed - quantity));
  }

  /** `part` of what is made is for projects: only for that do they hold components. */
  function addingTo(madeItem: number, madeBy: Coming, part: number): NeedTaker<MicroDouble> {
    if (recorder === null && watch === null && held === undefined) return rows;
    return {
      add: (item, day, needed, link) => {
        const quantity = needed - takeHeld(item, Math.min(needed, Math.ceil(needed * part)));
        rows.add(item, day, quantity);
        if (quantity > 0) recorder?.need(item, day, quantity, { madeItem, madeBy });
        tellEligible(item, day, quantity, substitutes?.ofLink.get(link));
      },
    };
  }

  /** Returns how much of a need of a component is reserved or issued for it already. */
  function takeHeld(item: number, needed: number): number {
    if (held === undefined) return 0;
    const taken = Math.min(needed, held[item] as number);
    held[item] = (held[item] as number) - taken;
    if (neededByProjects !== undefined)
      neededByProjects[item] = (neededByProjects[item] as number) + needed - taken;
    return taken;
  }

  function reportOverdue({ supply: { day: days, quantity } }: PlanningInput, into: PlanActions): void {
    for (const [at, item] of supply.item.entries()) {
      const day = days[at] as number;
      if (day >= 0 || day === NO_DAY) continue;
      const overdue = exceptionOf(item, quantity[at] as number, 'overdueSupply');
      into.push({ ...overdue, supply: at, day, lateDays: -day });
    }
  }
}

/** Returns the day of a need: today if it is overdue or has no date. */
function dayWithin(day: number, horizonDays: number): number {
  return Math.min(Math.max(day, 0), horizonDays + 1);
}

/** Returns the supplies of each item by the day on which they come. */
function suppliesByItem({ supply: { ids, item: owner, day } }: PlanningInput): Map<number, number[]> {
  const byItem = new Map<number, number[]>();
  for (const [at, item] of owner.entries()) {
    const own = byItem.get(item);
    if (own === undefined) byItem.set(item, [at]);
    else own.push(at);
  }
  const comesOn = (at: number) => Math.max(0, day[at] as number);
  for (const own of byItem.values())
    own.sort(
      (a, b) => comesOn(a) - comesOn(b) || compareIds(ids, a, b) || (day[a] as number) - (day[b] as number),
    );
  return byItem;
}
