/** The unit of a quantity, and what the quantity is in the base unit. It is shown only for items that have other units. */
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../client/ask.ts';
import type { StockLine } from '../client/operations.ts';
import { fromMillionths, toMillionths } from '../components/forms/exact-quantity.ts';
import { quantityText } from '../components/words.tsx';

interface Factor {
  numerator: bigint;
  denominator: bigint;
}

export interface UnitsOfItem {
  baseUnit: string | null;
  others: readonly string[];
  factors: ReadonlyMap<string, Factor>;
}

/** The base unit of an item, and the other units in which its quantities can be entered. */
export function useUnits(itemId: string | null): UnitsOfItem {
  const units = useQuery({
    ...ask('getItemUnits', { itemEntityId: itemId ?? '' }),
    enabled: itemId !== null,
  });
  if (units.data === undefined) return { baseUnit: null, others: [], factors: new Map() };
  const { baseUnit, units: own, measured, conversions } = units.data;
  const others = [...own.map(({ unit }) => unit), ...measured].filter((unit) => unit !== baseUnit);
  const factors = new Map(
    conversions.map(({ unit, numerator, denominator }) => [
      unit,
      { numerator: BigInt(numerator), denominator: BigInt(denominator) },
    ]),
  );
  return { baseUnit, others, factors };
}

/**
 * Returns the units in which quantities of a line can be entered. A line keeps the factor of its unit from when it was made, which the item
 * may have changed since.
 */
export function unitsOfLine(
  units: UnitsOfItem,
  { enteredUnit, enteredQuantity, quantity }: Pick<StockLine, 'enteredUnit' | 'enteredQuantity' | 'quantity'>,
): UnitsOfItem {
  if (units.baseUnit === null || enteredUnit === null || enteredQuantity === null) return units;
  const factor = { numerator: toMillionths(quantity), denominator: toMillionths(enteredQuantity) };
  const others = units.others.includes(enteredUnit) ? units.others : [enteredUnit, ...units.others];
  return { ...units, others, factors: new Map(units.factors).set(enteredUnit, factor) };
}

/** Returns a quantity in the base unit, null if that is not exact. `unit` is empty for the base unit. */
export function inBaseUnit({ factors }: UnitsOfItem, quantity: number, unit: string): number | null {
  if (unit === '') return quantity;
  const factor = factors.get(unit);
  return factor === undefined ? null : byFactor(quantity, factor);
}

/** Returns a quantity in the base unit, null if that is not exact. */
export function byFactor(quantity: number, factor: Factor): number | null {
  const product = toMillionths(quantity) * factor.numerator;
  return product % factor.denominator === 0n ? fromMillionths(product / factor.denominator) : null;
}

/** Returns the field of a body that states the unit. */
export function unitGiven(unit: string): { unit?: string } {
  return unit === '' ? {} : { unit };
}

/** `value` is empty for the base unit. */
export function UnitField({
  units,
  value,
  onValue,
  quantity = null,
  label,
}: {
  units: UnitsOfItem;
  value: string;
  onValue: (unit: string) => void;
  /** The quantity that is typed beside it. */
  quantity?: number | null;
  /** What it is called where several stand on a page: then it has no caption. */
  label?: string;
}) {
  const { baseUnit, others } = units;
  if (baseUnit === null || others.length === 0) return null;
  const amount = quantity === null || value === '' ? null : inBaseUnit(units, quantity, value);
  return (
    <NativeSelect
      {...(label === undefined ? { label: 'Unit' } : { 'aria-label': label, size: 'xs' })}
      value={value}
      data={[{ value: '', label: baseUnit }, ...others]}
      onChange={(event) => onValue(event.currentTarget.value)}
      inputWrapperOrder={['label', 'input', 'description']}
      description={amount === null ? undefined : `= ${quantityText(amount)} ${baseUnit}`}
      descriptionProps={{ role: 'status' }}
    />
  );
}
