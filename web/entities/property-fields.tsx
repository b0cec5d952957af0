/** Inputs for the values of properties, by the type that the workspace gives them. */
import { NativeSelect, TextInput } from '@mantine/core';
import type { PropertyDefinition } from '../client/operations.ts';
import { twofoldFault } from '../components/exact-quantity.ts';
import { dayText, quantityText } from '../components/words.tsx';

export type PropertyValue = string | number | boolean;

export interface PropertyFieldProps {
  definition: PropertyDefinition;
  /** What is typed; undefined where nothing is. */
  value: PropertyValue | undefined;
  onChange: (value: PropertyValue | undefined) => void;
}

export function PropertyField({ definition, value, onChange }: PropertyFieldProps) {
  const { name, type } = definition;
  switch (type) {
    case 'boolean':
      return (
        <NativeSelect
          label={name}
          value={value === undefined ? '' : String(value)}
          onChange={(event) =>
            onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value === 'true')
          }
          data={[
            { value: '', label: '–' },
            { value: 'true', label: 'yes' },
            { value: 'false', label: 'no' },
          ]}
        />
      );
    case 'date':
      return (
        <TextInput
          type="date"
          label={name}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
        />
      );
    case 'numeric':
      return (
        <TextInput
          inputMode="decimal"
          label={name}
          value={value === undefined ? '' : String(value)}
          error={typeof value === 'string' ? numberFault(value) : undefined}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
        />
      );
    default:
      return (
        <TextInput
          label={name}
          value={value === undefined ? '' : String(value)}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
        />
      );
  }
}

/** A value as it is read. */
export function valueText(
  value: PropertyValue | null | undefined,
  type?: PropertyDefinition['type'],
): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return quantityText(value);
  return type === 'date' ? dayText(value) : value;
}

/** What was typed; a value that is there already is a number. */
function numberFault(typed: string): string | null {
  return twofoldFault(typed) ?? (Number.isNaN(Number(typed.replace(',', '.'))) ? 'Not a number.' : null);
}
