/** Labels of a bulk edit: its status, and the change in words. */
import type { BulkEdit, PropertyDefinition } from '../../client/operations.ts';
import { StatusWord, type Tone } from '../../components/words.tsx';
import { PropertyText } from '../property-fields.tsx';

type Definitions = readonly Pick<PropertyDefinition, 'key' | 'name' | 'type'>[];

const tones: Readonly<Record<BulkEdit['status'], Tone>> = {
  queued: 'live',
  running: 'live',
  completed: 'good',
  cancelled: 'quiet',
  failed: 'bad',
};

export function BulkEditStatus({ edit: { status } }: { edit: BulkEdit }) {
  return <StatusWord tone={tones[status]}>{status}</StatusWord>;
}

export function titleOf({ dryRun, applies, undoes }: BulkEdit): string {
  if (dryRun) return 'Dry run of a bulk edit';
  if (undoes !== null) return 'Undo of a bulk edit';
  return applies === null ? 'Bulk edit' : 'Applied dry run';
}

/** Each part of the change in words, with the names of properties. */
export function changeWords(
  { properties = {}, replace = {}, category, state }: BulkEdit['change'],
  definitions: Definitions,
): string[] {
  const named = (key: string) => definitions.find((one) => one.key === key)?.name ?? key;
  return [
    ...(category === undefined ? [] : [`Move to category ${category}`]),
    ...Object.entries(properties).map(([key, value]) =>
      value === null ? `Clear ${named(key)}` : `Set ${named(key)} to ${value}`,
    ),
    ...Object.entries(replace).map(
      ([key, { find, with: text }]) =>
        `Replace “${find}” in ${named(key)} by ${text === '' ? 'nothing' : `“${text}”`}`,
    ),
    ...(state === undefined ? [] : [`Move to state ${state}`]),
  ];
}

/** The change as text, in which references are links with number and name. */
export function ChangeText({
  change,
  definitions,
}: {
  change: BulkEdit['change'];
  definitions: Definitions;
}) {
  const { properties = {} } = change;
  const referring = Object.entries(properties).filter(
    ([key, value]) => value !== null && definitionOf(`properties.${key}`, definitions)?.type === 'reference',
  );
  const others = Object.entries(properties).filter((one) => !referring.some(([key]) => key === one[0]));
  const words = changeWords({ ...change, properties: Object.fromEntries(others) }, definitions).join('; ');
  return (
    <>
      {words}
      {referring.map(([key, value], at) => (
        <span key={key}>
          {(words !== '' || at > 0) && '; '}
          Set {fieldName(`properties.${key}`, definitions)} to{' '}
          <PropertyText definition={{ type: 'reference' }} value={value} />
        </span>
      ))}
    </>
  );
}

/** The definition of the property that a difference is in; undefined for other fields. */
export function definitionOf(field: string, definitions: Definitions): Definitions[number] | undefined {
  return definitions.find(({ key }) => field === `properties.${key}`);
}

/** The name of a field of a difference. */
export function fieldName(field: string, definitions: Definitions): string {
  const key = field.startsWith('properties.') ? field.slice('properties.'.length) : null;
  if (key === null) return { state: 'State', revision: 'Revision' }[field] ?? 'Category';
  return definitions.find((one) => one.key === key)?.name ?? key;
}
