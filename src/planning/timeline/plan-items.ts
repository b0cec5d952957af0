/** Plans an item with all that it depends on, as a planning run would now, and remembers what covers what. */
import { daysBetween } from '../../calendar/days.ts';
import { calendarOf } from '../../calendar/working-calendar.ts';
import type { Tx } from '../../db/transaction.ts';
import { Slices } from '../../fairness/slices.ts';
import { microDoubleOfDecimal } from '../../quantity.ts';
import { readChoice } from '../input/input-choice.ts';
import type { ReadInput } from '../input/read-input.ts';
import type { Coming } from '../netting/covering.ts';
import { netInSlices } from '../netting/net-items.ts';
import { Pegs } from '../netting/pegs.ts';
import type { PlanAction } from '../netting/plan-actions.ts';
import { placesOf } from '../netting/planning-input.ts';
import type { PlanningOptions } from '../options/planning-options.schema.ts';
import type { StoredOrders } from './needs-of-orders.ts';
import { readAround } from './read-around.ts';

export interface SubstituteUseRow {
  item_id: string;
  substitute_id: string;
  needed_on: string;
  quantity: string;
  substitute_quantity: string;
}

export interface PlannedItems {
  readonly input: ReadInput;
  /** Whether all that the items are part of is planned anew. If not, orders of the stored plan stand for it. */
  readonly isWhole: boolean;
  readonly pegs: Pegs;
  readonly indexOf: (id: string) => number;
  /** The place of each supply in the input, by the id of its line. */
  readonly supplyAt: ReadonlyMap<string, number>;
  /** Actions of an item. */
  readonly actionsOf: (item: number) => readonly { at: number; action: PlanAction }[];
}

interface Planning {
  ancestorsMax: number;
  /** The orders of the run; null: not all of them are stored. */
  stored: StoredOrders | null;
  /** Reads which substitutes are used in place of items, or of items in place of others. */
  uses: (items: readonly string[]) => Promise<SubstituteUseRow[]>;
}

/** Throws `tree_too_large`. */
export async function planItem(
  tx: Tx,
  { day, options }: { day: string; options: PlanningOptions },
  id: string,
  { ancestorsMax, stored, uses }: Planning,
): Promise<PlannedItems> {
  const choice = await readChoice(tx, options);
  const calendar = calendarOf(options, day, options.horizonDays);
  const slices = new Slices(tx.gone);
  const { input, items, isWhole } = await readAround(
    tx,
    [id],
    { day, options, calendar, choice, max: ancestorsMax, stored: async () => stored },
    slices,
  );
  const places = placesOf(input.items.ids);
  const supplyAt = placesOf(input.supply.ids);
  const madeFor = new Map(
    Array.from(input.components.demand, (demand, row) => {
      const supply = input.components.supply[row] as number;
      const madeBy: Coming = { supply };
      return [demand, { madeItem: input.supply.item[supply] as number, madeBy }] as const;
    }),
  );
  const pegs = new Pegs(input.items.available, madeFor);
  // A use for an item that is not among these has no place here, but it takes the stock all the same.
  const substituteUses = (await uses(items)).map((row) => ({
    item: places.get(row.item_id) ?? -1,
    substitute: places.get(row.substitute_id) ?? -1,
    day: daysBetween(day, row.needed_on),
    covered: microDoubleOfDecimal(row.quantity),
    taken: microDoubleOfDecimal(row.substitute_quantity),
    group: null,
    ratio: 1,
  }));
  const given = { ...options, ...input, calendar, substituteUses };
  const found = await netInSlices(given, pegs, slices);
  const order = [...found.sorted(input.items.ids, input.supply)];
  return {
    input,
    isWhole,
    pegs,
    indexOf: (id) => places.get(id) as number,
    supplyAt,
    actionsOf: (item) =>
      order.flatMap((at) => {
        const action = found.at(at);
        return action.item === item ? [{ at, action }] : [];
      }),
  };
}

/** Returns what an action brings or changes, by which its pegs are found; null: nothing. */
export function comingOf({ at, action }: { at: number; action: PlanAction }): Coming | null {
  if (action.action === 'none') return null;
  return action.supply >= 0 ? { supply: action.supply } : { action: at };
}
