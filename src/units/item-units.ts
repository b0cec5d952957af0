/** The units of one item: its base unit, and how many of it the others are. */
import { ONE, type Rational } from './rational.ts';
import { factorBetween, findUnit } from './unit.ts';

export interface ItemUnits {
  /** It is null if the item names none: its quantities are in no unit. */
  readonly baseUnit: string | null;
  /** How many base units one of the other units is, by `unitKey`. */
  readonly factors: ReadonlyMap<string, Rational>;
}

export const noUnits: ItemUnits = { baseUnit: null, factors: new Map() };

/** The names of an item's own units are compared without regard to case; UCUM codes are not, because `mm` and `Mm` differ. */
export function unitKey(unit: string): string {
  return unit.trim().toLowerCase();
}

/** Whether two names mean one unit: `reel` and `Reel` do, `mg` and `Mg` do not. */
export function isSameUnit(one: string, other: string): boolean {
  return unitKey(one) === unitKey(other) && findUnit(one)?.code === findUnit(other)?.code;
}

/** Returns how many base units one of `unit` is; null for a unit that the item does not know. */
export function factorOf({ baseUnit, factors }: ItemUnits, unit: string): Rational | null {
  if (baseUnit === null) return null;
  if (unit.trim() === baseUnit) return ONE;
  const [from, to] = [findUnit(unit), findUnit(baseUnit)];
  const isKnown = from !== null && to !== null;
  // Units of the same dimension come first: an own unit `Mm` must not be taken for `mm`.
  const between = isKnown ? factorBetween(from, to) : null;
  if (between !== null) return between;
  const own = factors.get(unitKey(unit));
  if (own !== undefined) return own;
  return !isKnown && unitKey(unit) === unitKey(baseUnit) ? ONE : null;
}
