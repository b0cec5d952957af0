/** Plans items with all that they depend on, as a planning run would now, and remembers what covers what. */
import type { Tx } from '../../db/transaction.ts';
import { Slices } from '../../fairness/slices.ts';
import { microDoubleOfDecimal } from '../../quantity.ts';
import { readChoice } from '../input/input-choice.ts';
import { chosenItems } from '../input/input-source.ts';
import { type ReadInput, readInput } from '../input/read-input.ts';
import type { Coming } from '../netting/covering.ts';
import { netInSlices } from '../netting/net-items.ts';
import { Pegs } from '../netting/pegs.ts';
import type { PlanAction } from '../netting/plan-actions.ts';
import type { Ids } from '../netting/planning-input.ts';
import { calendarOf, daysBetween } from '../options/calendar.ts';
import type { PlanningOptions } from '../options/planning-options.schema.ts';
import { findAncestors } from './find-ancestors.ts';

export interface SubstituteUseRow {
  item_id: string;
  substitute_id: string;
  needed_on: string;
  quantity: string;
  substitute_quantity: string;
}

export interface PlannedItems {
  readonly input: ReadInput;
  readonly pegs: Pegs;
  readonly indexOf: (id: string) => number;
  /** The place of each supply in the input, by the id of its line. */
  readonly supplyAt: ReadonlyMap<string, number>;
  /** Actions of an item. */
  readonly actionsOf: (item: number) => readonly { at: number; action: PlanAction }[];
}

interface Planning {
  ancestorsMax: number;
  /** Reads which substitutes are used in place of items, or of items in place of others. */
  uses?: (items: readonly string[]) => Promise<SubstituteUseRow[]>;
}

/** Throws `tree_too_large`. */
export async function planItems(
  tx: Tx,
  { day, options }: { day: string; options: PlanningOptions },
  items: readonly string[],
  { ancestorsMax, uses = async () => [] }: Planning,
): Promise<PlannedItems> {
  const choice = await readChoice(tx, options);
  const ancestors = await findAncestors(tx, items, ancestorsMax, choice);
  const limits = { itemsMax: ancestors.items.length, linksMax: Number.MAX_SAFE_INTEGER };
  const calendar = calendarOf(options, day);
  const source = await chosenItems(tx, day, ancestors, choice);
  const input = await readInput(source, { day, options, limits, calendar });
  const supplyAt = placesOf(input.supply.ids);
  const madeFor = new Map(
    Array.from(input.components.demand, (demand, row) => {
      const supply = input.components.supply[row] as number;
      const madeBy: Coming = { supply };
      return [demand, { madeItem: input.supply.item[supply] as number, madeBy }] as const;
    }),
  );
  const pegs = new Pegs(input.items.available, madeFor);
  const places = placesOf(input.items.ids);
  // A use for an item that is not among these has no place here, but it takes the stock all the same.
  const substituteUses = (await uses(ancestors.items)).map((row) => ({
    item: places.get(row.item_id) ?? -1,
    substitute: places.get(row.substitute_id) ?? -1,
    day: daysBetween(day, row.needed_on),
    covered: microDoubleOfDecimal(row.quantity),
    taken: microDoubleOfDecimal(row.substitute_quantity),
    group: null,
    ratio: 1,
  }));
  const given = { ...options, ...input, calendar, substituteUses };
  const found = await netInSlices(given, pegs, new Slices(tx.gone));
  const order = [...found.sorted(input.items.ids, input.supply)];
  return {
    input,
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

export function placesOf(ids: Ids): Map<string, number> {
  return new Map(Array.from({ length: ids.length }, (_, at) => [ids.at(at) as string, at]));
}

/** Returns what an action brings or changes, by which its pegs are found; null: nothing. */
export function comingOf({ at, action }: { at: number; action: PlanAction }): Coming | null {
  if (action.action === 'none') return null;
  return action.supply >= 0 ? { supply: action.supply } : { action: at };
}
