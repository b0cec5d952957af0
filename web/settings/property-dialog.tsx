/** Creates or changes a property: its key, name and type, and what else is known of its values. */
import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { PropertyDefinition } from '../client/operations.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { ChangedMeanwhile, SOMEBODY_FIRST } from '../components/forms/changed-meanwhile.tsx';
import { changesOf } from '../components/forms/meanwhile-changes.ts';
import { readBy, useSavedForm } from '../components/forms/use-saved-form.ts';
import { useAction } from '../components/use-action.ts';
import { useLifecycles } from '../entities/configuration.ts';
import { PropertyField } from '../entities/property-fields.tsx';

const CHANGES = ['listPropertyDefinitions', 'getPropertyDefinition', 'listAudit'] as const;

const labels = {
  name: 'Name',
  type: 'Type',
  choices: 'Choices',
  unit: 'Unit',
  default: 'Default',
  pattern: 'Pattern',
  requiredFrom: 'Required from',
  group: 'Group',
  description: 'Description',
  filterable: 'Filterable',
  searchable: 'Searchable',
};

const plain = {
  choices: null,
  unit: null,
  default: null,
  pattern: null,
  requiredFrom: null,
  group: null,
  description: null,
  filterable: false,
  searchable: false,
  index: 'none',
} as const satisfies Partial<PropertyDefinition>;

export const propertyTypes: readonly { value: PropertyDefinition['type']; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'numeric', label: 'Number' },
  { value: 'date', label: 'Date' },
  { value: 'boolean', label: 'Yes or no' },
  { value: 'choice', label: 'Choice' },
  { value: 'url', label: 'Web address' },
  { value: 'reference', label: 'Reference to an item' },
];

export interface PropertyDialogProps {
  /** Null: a new one. */
  definition: PropertyDefinition | null;
  proposedKey?: string;
  onClose: () => void;
}

export function PropertyDialog({ definition, proposedKey = '', onClose }: PropertyDialogProps) {
  const shown: PropertyDefinition = definition ?? {
    key: proposedKey,
    name: proposedKey,
    type: 'text',
    ...plain,
  };
  const done = { changes: CHANGES, done: 'Property saved.', onDone: onClose };
  const create = useAction('createPropertyDefinition', done);
  const replace = useSavedForm('replacePropertyDefinition', {
    ...done,
    shown,
    read: readBy('getPropertyDefinition', definition && { key: definition.key }, (answer) => answer),
    tell: (from, to) => changesOf(from, to, labels),
  });
  const { form, set } = replace;
  const action = definition === null ? create : replace;
  const lifecycles = useLifecycles();
  const states = [...new Set(lifecycles.flatMap((one) => one.states.map(({ name }) => name)))];
  const { index: _, ...fields } = form;
  const choices = (form.choices ?? []).map((choice) => choice.trim()).filter((choice) => choice !== '');
  const body = {
    ...fields,
    key: form.key.trim(),
    name: form.name.trim(),
    choices: form.type === 'choice' ? choices : null,
    unit: form.type === 'numeric' ? form.unit : null,
    pattern: form.type === 'text' ? form.pattern : null,
    default: defaultOf(form),
    searchable: form.searchable && isSearchable(form.type),
  };
  return (
    <Dialog
      title={definition === null ? 'New property' : `Property ${definition.name}`}
      submit="Save"
      onClose={onClose}
      busy={action.isPending}
      error={action.error}
      notYet={
        body.key === '' || body.name === ''
          ? 'Enter a key and a name.'
          : form.type === 'choice' && choices.length === 0
            ? 'Enter the choices.'
            : replace.meanwhile !== null
              ? SOMEBODY_FIRST
              : null
      }
      onSubmit={() =>
        definition === null ? create.mutate({ body }) : replace.save({ key: definition.key, body })
      }
    >
      <TextInput
        label="Key"
        description="Key used in imports, case-sensitive. Can’t be changed later."
        value={form.key}
        disabled={definition !== null}
        data-autofocus={definition === null ? '' : undefined}
        onChange={(event) => set({ key: event.currentTarget.value })}
      />
      <TextInput
        label="Name"
        value={form.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <NativeSelect
        label="Type"
        description="Can’t be changed once an item has a value."
        value={form.type}
        data={[...propertyTypes]}
        onChange={(event) =>
          // A default of another type is none of this one.
          set({ type: event.currentTarget.value as PropertyDefinition['type'], default: null })
        }
      />
      {form.type === 'choice' && (
        <Textarea
          label="Choices"
          description="Write one choice on each line, in their order."
          autosize
          minRows={3}
          maxRows={10}
          value={(form.choices ?? []).join('\n')}
          onChange={(event) => set({ choices: event.currentTarget.value.split('\n') })}
        />
      )}
      {form.type === 'numeric' && (
        <TextInput
          label="Unit"
          description="Such as kg or mm. An import converts 412 g to 0.412 kg."
          value={form.unit ?? ''}
          onChange={(event) => set({ unit: event.currentTarget.value || null })}
        />
      )}
      {form.type === 'text' && (
        <TextInput
          label="Pattern"
          description="Regular expression that all of a text must match."
          value={form.pattern ?? ''}
          onChange={(event) => set({ pattern: event.currentTarget.value || null })}
        />
      )}
      <PropertyField
        definition={{
          ...form,
          name: 'Default',
          unit: null,
          description: 'Value of a new item where none is typed.',
          choices,
        }}
        value={form.default ?? undefined}
        onChange={(value) => set({ default: value ?? null })}
      />
      <NativeSelect
        label="Required from"
        description="An item cannot enter this state without a value."
        value={form.requiredFrom ?? ''}
        data={[{ value: '', label: '–' }, ...states.map((name) => ({ value: name, label: name }))]}
        onChange={(event) => set({ requiredFrom: event.currentTarget.value || null })}
      />
      <TextInput
        label="Group"
        description="Heading in forms."
        value={form.group ?? ''}
        onChange={(event) => set({ group: event.currentTarget.value || null })}
      />
      <TextInput
        label="Description"
        value={form.description ?? ''}
        onChange={(event) => set({ description: event.currentTarget.value || null })}
      />
      <Checkbox
        label="Filterable"
        description="Lists are filtered and sorted by it quickly, whatever the number of items."
        checked={form.filterable}
        onChange={(event) => set({ filterable: event.currentTarget.checked })}
      />
      {isSearchable(form.type) && (
        <Checkbox
          label="Searchable"
          description="Searches find items by words of its values."
          checked={form.searchable}
          onChange={(event) => set({ searchable: event.currentTarget.checked })}
        />
      )}
      <ChangedMeanwhile form={replace} />
    </Dialog>
  );
}

const isSearchable = (type: PropertyDefinition['type']) =>
  type === 'text' || type === 'choice' || type === 'url';

/** The default as the type has it; what does not fit is refused by the service with its reason. */
function defaultOf({ type, default: value }: PropertyDefinition): PropertyDefinition['default'] {
  if (typeof value !== 'string') return value;
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  const number = Number(value.replace(',', '.'));
  return type === 'numeric' && !Number.isNaN(number) ? number : value;
}
