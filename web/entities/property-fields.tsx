/** Inputs for the values of properties, by the type that the workspace gives them. */
import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../client/ask.ts';
import type { Category, PropertyDefinition } from '../client/operations.ts';
import { twofoldFault } from '../components/forms/exact-quantity.ts';
import { dayText, quantityText } from '../components/words.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { labelOf } from './property-label.ts';
import { ReferenceField } from './reference-field.tsx';

export type PropertyValue = string | number | boolean;

export interface PropertyFieldProps {
  definition: PropertyDefinition;
  /** What is typed; undefined where nothing is. */
  value: PropertyValue | undefined;
  onChange: (value: PropertyValue | undefined) => void;
}

export function PropertyField({ definition, value, onChange }: PropertyFieldProps) {
  const { type, description, choices } = definition;
  const name = labelOf(definition);
  switch (type) {
    case 'boolean':
      return (
        <NativeSelect
          label={name}
          description={description}
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
    case 'choice': {
      const known = choices ?? [];
      // A value that is no choice any more stays until somebody chooses another.
      const present = typeof value === 'string' && !known.includes(value) ? [value] : [];
      return (
        <NativeSelect
          label={name}
          description={description}
          value={value === undefined ? '' : String(value)}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
          data={[
            { value: '', label: '–' },
            ...[...present, ...known].map((one) => ({ value: one, label: one })),
          ]}
        />
      );
    }
    case 'date':
      return (
        <TextInput
          type="date"
          label={name}
          description={description}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
        />
      );
    case 'numeric':
      return (
        <TextInput
          inputMode="decimal"
          label={name}
          description={description}
          value={value === undefined ? '' : String(value)}
          error={typeof value === 'string' ? numberFault(value) : undefined}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
        />
      );
    case 'reference':
      return (
        <ReferenceField
          label={name}
          description={description ?? undefined}
          value={value === undefined ? undefined : String(value)}
          onChange={onChange}
        />
      );
    default:
      return (
        <TextInput
          label={name}
          description={description}
          value={value === undefined ? '' : String(value)}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
        />
      );
  }
}

/** A value as it is shown: addresses and references as links. */
export function PropertyText({
  definition,
  value,
}: {
  definition: Pick<PropertyDefinition, 'type'> | undefined;
  value: PropertyValue | null | undefined;
}) {
  if (typeof value === 'string' && definition?.type === 'url')
    return (
      <a href={value} target="_blank" rel="noreferrer noopener">
        {value}
      </a>
    );
  if (typeof value === 'string' && definition?.type === 'reference') return <ReferredEntity id={value} />;
  return <>{valueText(value, definition?.type)}</>;
}

function ReferredEntity({ id }: { id: string }) {
  const { data } = useQuery({ ...ask('getEntity', { id }), retry: false });
  return (
    <Link href={paths.entity(data?.id ?? id)}>
      {data === undefined ? id : `${data.number ?? ''} ${data.name}`}
    </Link>
  );
}

/** The properties of a category in the order of its forms: those that it lists, or all. */
export function definitionsOf(
  definitions: readonly PropertyDefinition[],
  category: Pick<Category, 'properties'> | undefined,
): readonly PropertyDefinition[] {
  if (category === undefined || category.properties.length === 0) return definitions;
  return category.properties.flatMap((key) => definitions.find((one) => one.key === key) ?? []);
}

/** By the heading of forms; those without one first. */
export function groupsOf(
  definitions: readonly PropertyDefinition[],
): [string | null, PropertyDefinition[]][] {
  const groups = [...Map.groupBy(definitions, ({ group }) => group)];
  return groups.toSorted(([a], [b]) => Number(a !== null) - Number(b !== null));
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
