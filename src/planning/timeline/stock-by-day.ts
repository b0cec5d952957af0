/** Adds the stock of an item up day by day: as it comes if nothing is done, and if the plan is carried out. */

import { dateOf } from '../../calendar/days.ts';
import { numberOfMicroDouble } from '../../quantity.ts';
import type { ReadInput } from '../input/read-input.ts';
import type { Need } from '../netting/pegs.ts';
import type { PlanAction } from '../netting/plan-actions.ts';
import type { PlanningTimeline } from './timeline.schema.ts';

export interface Days {
  input: ReadInput;
  item: number;
  day: string;
  horizonDays: number;
  needs: readonly Need[];
  actions: readonly { action: PlanAction }[];
  supplies: readonly number[];
}

export function daysOf({
  input,
  item,
  day,
  horizonDays,
  needs,
  actions,
  supplies,
}: Days): PlanningTimeline['days'] {
  const needed = new Map<number, number>();
  const comes = new Map<number, number>();
  const planned = new Map<number, number>();
  const add = (to: Map<number, number>, at: number, quantity: number) => {
    if (quantity > 0) to.set(at, (to.get(at) ?? 0) + quantity);
  };
  for (const { source, day: at, quantity } of needs)
    if (source !== 'owed' && source !== 'minimum') add(needed, at, quantity);
  const changes = Map.groupBy(actions, ({ action: { supply } }) => supply);
  for (const at of supplies) {
    const comesOn = Math.max(0, input.supply.day[at] as number);
    add(comes, comesOn, input.supply.quantity[at] as number);
    const given = { comesOn, quantity: input.supply.quantity[at] as number };
    const changed = afterActions(changes.get(at) ?? [], given);
    add(planned, changed.comesOn, changed.quantity);
  }
  for (const { action } of actions)
    if (action.action === 'order' || action.action === 'make')
      add(planned, action.day + action.lateDays, action.quantity);
  const days = [...new Set([0, ...needed.keys(), ...comes.keys(), ...planned.keys()])]
    .filter((at) => at <= horizonDays)
    .sort((a, b) => a - b);
  let projected = input.items.available[item] as number;
  let projectedWithPlan = projected;
  return days.map((at) => {
    const of = (from: Map<number, number>) => from.get(at) ?? 0;
    projected += of(comes) - of(needed);
    projectedWithPlan += of(planned) - of(needed);
    return {
      on: dateOf(day, at),
      needed: numberOfMicroDouble(of(needed)),
      comes: numberOfMicroDouble(of(comes)),
      planned: numberOfMicroDouble(of(planned)),
      projected: numberOfMicroDouble(projected),
      projectedWithPlan: numberOfMicroDouble(projectedWithPlan),
    };
  });
}

/** Returns date and quantity of a line as its actions leave it. */
function afterActions(
  actions: readonly { action: PlanAction }[],
  given: { comesOn: number; quantity: number },
): { comesOn: number; quantity: number } {
  const after = { ...given };
  for (const { action } of actions) {
    if (action.action === 'none') continue;
    if (action.action === 'expedite' || action.action === 'defer') after.comesOn = action.day;
    else after.quantity = action.quantity;
  }
  return after;
}
