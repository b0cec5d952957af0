/** The unit of a quantity in the dialogs that move stock. It is shown only for items that have other units. */
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../client/ask.ts';

/** The base unit of an item, and the other units in which its quantities can be entered. */
export function useUnits(itemId: string | null): { baseUnit: string | null; others: readonly string[] } {
  const units = useQuery({
    ...ask('getItemUnits', { itemEntityId: itemId ?? '' }),
    enabled: itemId !== null,
  });
  if (units.data === undefined) return { baseUnit: null, others: [] };
  const { baseUnit, units: own, measured } = units.data;
  const others = [...own.map(({ unit }) => unit), ...measured].filter((unit) => unit !== baseUnit);
  return { baseUnit, others };
}

/** `value` is empty for the base unit. */
export function UnitField({
  units: { baseUnit, others },
  value,
  onValue,
}: {
  units: ReturnType<typeof useUnits>;
  value: string;
  onValue: (unit: string) => void;
}) {
  if (baseUnit === null || others.length === 0) return null;
  return (
    <NativeSelect
      label="Unit"
      value={value}
      data={[{ value: '', label: baseUnit }, ...others]}
      onChange={(event) => onValue(event.currentTarget.value)}
    />
  );
}
