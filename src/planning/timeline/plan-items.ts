/** Plans an item with all that it depends on, as a planning run would now, and remembers what covers what. */
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { Slices } from '../../fairness/slices.ts';
import { microDoubleOfDecimal } from '../../quantity.ts';
import { type InputChoice, readChoice } from '../input/input-choice.ts';
import { chosenItems } from '../input/input-source.ts';
import { type ReadInput, readInput } from '../input/read-input.ts';
import type { Coming } from '../netting/covering.ts';
import { netInSlices } from '../netting/net-items.ts';
import { Pegs } from '../netting/pegs.ts';
import type { PlanAction } from '../netting/plan-actions.ts';
import type { Ids } from '../netting/planning-input.ts';
import { calendarOf, daysBetween } from '../options/calendar.ts';
import type { PlanningOptions } from '../options/planning-options.schema.ts';
import { type Ancestors, findAncestors } from './find-ancestors.ts';
import { findOrders, type OrdersAbove, onlyNeedsOf } from './needs-of-orders.ts';

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
  /** The series that stores the actions of the run, and the generation of the run in it; null: not all of its orders are stored. */
  stored: readonly [series: string, generation: number] | null;
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
  const { around, orders } = await findAround(tx, id, { choice, max: ancestorsMax, stored });
  const limits = { itemsMax: around.items.length, linksMax: Number.MAX_SAFE_INTEGER };
  const calendar = calendarOf(options, day);
  const source = await chosenItems(tx, day, around, choice);
  const read = await readInput(source, { day, options, limits, calendar });
  const places = placesOf(read.items.ids);
  const item = places.get(id) as number;
  const slices = new Slices(tx.gone);
  const input = orders === null ? read : await onlyNeedsOf(read, { item, orders, day, calendar }, slices);
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
  const substituteUses = (await uses(orders === null ? around.items : [id])).map((row) => ({
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
    isWhole: orders === null,
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

/** Returns the item with all that it is part of, or where that is too much, with the orders of the stored plan that need it. */
async function findAround(
  tx: Tx,
  id: string,
  { choice, max, stored }: { choice: InputChoice; max: number; stored: Planning['stored'] },
): Promise<{ around: Ancestors; orders: OrdersAbove['orders'] | null }> {
  try {
    return { around: await findAncestors(tx, [id], max, choice), orders: null };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'tree_too_large' || stored === null) throw error;
    return findOrders(tx, id, { choice, max, stored });
  }
}

export function placesOf(ids: Ids): Map<string, number> {
  return new Map(Array.from({ length: ids.length }, (_, at) => [ids.at(at) as string, at]));
}

/** Returns what an action brings or changes, by which its pegs are found; null: nothing. */
export function comingOf({ at, action }: { at: number; action: PlanAction }): Coming | null {
  if (action.action === 'none') return null;
  return action.supply >= 0 ? { supply: action.supply } : { action: at };
}
