/** Creates or changes a property: its key, name and type. */
import { NativeSelect, TextInput } from '@mantine/core';
import type { PropertyDefinition } from '../client/operations.ts';
import { ChangedMeanwhile, SOMEBODY_FIRST } from '../components/changed-meanwhile.tsx';
import { Dialog } from '../components/dialog.tsx';
import { changesOf } from '../components/meanwhile-changes.ts';
import { useAction } from '../components/use-action.ts';
import { readBy, useSavedForm } from '../components/use-saved-form.ts';

const CHANGES = ['listPropertyDefinitions', 'getPropertyDefinition', 'listAudit'] as const;

const labels = { name: 'Name', type: 'Type' };

export const propertyTypes: readonly { value: PropertyDefinition['type']; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'numeric', label: 'Number' },
  { value: 'date', label: 'Date' },
  { value: 'boolean', label: 'Yes or no' },
];

export interface PropertyDialogProps {
  /** Null: a new one. */
  definition: PropertyDefinition | null;
  proposedKey?: string;
  onClose: () => void;
}

export function PropertyDialog({ definition, proposedKey = '', onClose }: PropertyDialogProps) {
  const shown: PropertyDefinition = definition ?? { key: proposedKey, name: proposedKey, type: 'text' };
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
  const body = { ...form, key: form.key.trim(), name: form.name.trim() };
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
        onChange={(event) => set({ type: event.currentTarget.value as PropertyDefinition['type'] })}
      />
      <ChangedMeanwhile form={replace} />
    </Dialog>
  );
}
