/** Creates or changes a property: its key, name and type. */
import { NativeSelect, TextInput } from '@mantine/core';
import type { PropertyDefinition } from '../client/operations.ts';
import { Dialog } from '../components/dialog.tsx';
import { useAction } from '../components/use-action.ts';
import { Meanwhile } from './meanwhile.tsx';
import { useDraft } from './use-draft.ts';

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
  const draft = useDraft('getPropertyDefinition', shown, definition && { key: definition.key }, labels);
  const { form, set } = draft;
  const done = { changes: CHANGES, done: 'Property saved.', onDone: onClose };
  const create = useAction('createPropertyDefinition', done);
  const replace = useAction('replacePropertyDefinition', { ...done, headers: draft.headers });
  const action = definition === null ? create : replace;
  const body = { ...form, key: form.key.trim(), name: form.name.trim() };
  return (
    <Dialog
      title={definition === null ? 'New property' : `Property ${definition.name}`}
      submit="Save"
      onClose={onClose}
      busy={action.isPending}
      error={draft.meanwhile === null ? action.error : null}
      notYet={body.key === '' || body.name === '' ? 'Enter a key and a name.' : draft.notYet}
      onSubmit={() =>
        definition === null ? create.mutate({ body }) : replace.mutate({ key: definition.key, body })
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
      <Meanwhile draft={draft} action={replace} />
    </Dialog>
  );
}
