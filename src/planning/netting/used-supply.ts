/** Supplies of an item while they are being used, and the quantities that lot sizes allow them. */
import type { PlanItems, PlanSupply } from './planning-input.ts';

export interface Used {
  readonly supply: number;
  /** All supplies that are parts of its line, itself too; null: it is the whole line. */
  readonly parts: readonly Used[] | null;
  readonly comesOn: number;
  /** The quantity that it is to have in the end. */
  quantity: number;
  used: number;
  /** The day of the first need that uses it; null: none does. */
  neededOn: number | null;
  /** The floor may be filled whenever the supply comes. */
  isForFloor: boolean;
  isIncreased: boolean;
}

export function usedSupplies(supply: PlanSupply, supplies: readonly number[]): Used[] {
  const partsOf = new Map<string, Used[]>();
  const listOf = (line: string): Used[] => {
    const known = partsOf.get(line);
    if (known !== undefined) return known;
    const list: Used[] = [];
    partsOf.set(line, list);
    return list;
  };
  return supplies.map((at) => {
    const parts = supply.isPart[at] === 1 ? listOf(supply.ids.at(at) as string) : null;
    const one: Used = {
      supply: at,
      parts,
      comesOn: Math.max(0, supply.day[at] as number),
      quantity: supply.quantity[at] as number,
      used: 0,
      neededOn: null,
      isForFloor: false,
      isIncreased: false,
    };
    parts?.push(one);
    return one;
  });
}

/** Returns how much an order for a need has. */
export function lotOf(
  items: PlanItems,
  item: number,
  need: number,
  fill = items.fill[item] as number,
): number {
  const own = roundUp(Math.max(need + fill, items.minimum[item] as number), items.multiple[item] as number);
  return roundUp(Math.max(own, items.packMinimum[item] as number), items.packMultiple[item] as number);
}

/** Returns how much a supply is to have for a need: lot sizes are those of its whole line. */
export function lotOfSupply(items: PlanItems, item: number, one: Used, need: number): number {
  const others = othersOf(one);
  return lotOf(items, item, need + others) - others;
}

/** Returns how much has to stay of a supply that nothing needs, so that the rest of its line keeps its lot sizes. */
export function leastOf(items: PlanItems, item: number, one: Used): number {
  const others = othersOf(one);
  return others === 0 ? 0 : Math.min(one.quantity, Math.max(0, lotOf(items, item, others, 0) - others));
}

/** Returns what the other parts of its line are to have. */
function othersOf({ parts, quantity }: Used): number {
  return parts === null ? 0 : parts.reduce((sum, part) => sum + part.quantity, -quantity);
}

function roundUp(quantity: number, multiple: number): number {
  if (multiple === 0) return quantity;
  const rest = quantity % multiple;
  return rest === 0 ? quantity : quantity - rest + multiple;
}
