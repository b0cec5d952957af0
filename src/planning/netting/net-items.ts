/**
 * Plans all items: parents before their components, the needs of each item against its stock, its supplies in the order of their days, and
 * then proposals. The same input gives the same plan, whatever the order of its rows.
 */
import type { Coming, PlanRecorder } from './covering.ts';
import { explode } from './explode.ts';
import { NeedRows } from './need-rows.ts';
import { netItem } from './net-item.ts';
import { orderItems } from './order-items.ts';
import { exceptionOf, PlanActions } from './plan-actions.ts';
import { compareIds, NO_DAY, type PlanningInput } from './planning-input.ts';

/** Returns the actions; `sorted` of them gives their order. */
export function netItems(input: PlanningInput, recorder: PlanRecorder | null = null): PlanActions {
  const { items, links, demand, supply, horizonDays } = input;
  const count = items.ids.length;
  const { order, place, inCycle } = orderItems(count, links);
  // One day stands for all that is beyond the horizon.
  const rows = new NeedRows(count, horizonDays + 2);
  const actions = new PlanActions();
  const undated = new Map<number, number>();
  for (const [at, item] of demand.item.entries()) {
    const day = demand.day[at] as number;
    const quantity = demand.quantity[at] as number;
    if (day === NO_DAY) undated.set(item, (undated.get(item) ?? 0) + quantity);
    rows.add(item, dayWithin(day, horizonDays), quantity);
    recorder?.need(item, dayWithin(day, horizonDays), quantity, { demand: at });
  }
  for (const [item, quantity] of undated) actions.push(exceptionOf(item, quantity, 'demandWithoutDate'));
  const suppliesOf = suppliesByItem(input);
  const none: number[] = [];
  for (const item of order) {
    const needs = rows.of(item);
    const supplies = suppliesOf.get(item) ?? none;
    const netted = { item, needs, supplies, isOutOfRange: rows.isOutOfRange(item) };
    const made = netItem(input, netted, actions, recorder);
    rows.release(item);
    for (const { day, quantity, by } of made)
      if (day <= horizonDays) explode(links, place, addingTo(item, by), { item, day, quantity });
  }
  for (const item of inCycle) actions.push(exceptionOf(item, 0, 'cycle'));
  reportOverdue(input, actions);
  return actions;

  function addingTo(madeItem: number, madeBy: Coming): Pick<NeedRows, 'add'> {
    if (recorder === null) return rows;
    return {
      add: (item, day, quantity) => {
        rows.add(item, day, quantity);
        if (quantity > 0) recorder.need(item, day, quantity, { madeItem, madeBy });
      },
    };
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
export function dayWithin(day: number, horizonDays: number): number {
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
