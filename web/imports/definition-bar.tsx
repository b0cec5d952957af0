/** Chooses the mapping that the file is read by, and saves a changed one. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { askTagged } from '../client/ask.ts';
import type { ImportDefinition } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { useAction } from '../components/use-action.ts';
import { type Choice, choiceOf } from './choose-definition.ts';
import styles from './imports.module.css';
import type { FileLook } from './read-file.ts';

const CHANGES = ['listImportDefinitions', 'getImportDefinition', 'listAudit'] as const;

export interface DefinitionBarProps {
  look: FileLook;
  choice: Choice;
  definitions: readonly ImportDefinition[];
  isChanged: boolean;
  /** Null: what the service suggests. */
  onChoose: (definition: ImportDefinition | null) => void;
  onSaved: (definition: ImportDefinition) => void;
}

export function DefinitionBar(props: DefinitionBarProps) {
  const { look, choice, definitions, isChanged, onChoose, onSaved } = props;
  const mayKeep = useMay('configuration');
  const [saving, setSaving] = useState(false);
  const choices = definitions.map((definition) => {
    const { missing } = choiceOf(definition, look);
    const [first] = missing;
    return {
      value: definition.name,
      label: first === undefined ? definition.name : `${definition.name} (missing: ${first})`,
    };
  });
  return (
    <div className={styles.definition}>
      <NativeSelect
        label="Mapping"
        value={choice.name ?? ''}
        data={[
          { value: '', label: look.tables.length === 0 ? 'automatic (the file says it)' : 'automatic' },
          ...choices,
        ]}
        onChange={(event) => {
          const name = event.currentTarget.value;
          onChoose(definitions.find((one) => one.name === name) ?? null);
        }}
      />
      {mayKeep && (choice.name === null || isChanged) && (
        <Button variant="default" onClick={() => setSaving(true)}>
          Save mapping
        </Button>
      )}
      {saving && (
        <SaveDialog
          choice={choice}
          definitions={definitions}
          onClose={() => setSaving(false)}
          onSaved={(definition) => {
            setSaving(false);
            onSaved(definition);
          }}
        />
      )}
    </div>
  );
}

function SaveDialog({
  choice,
  definitions,
  onClose,
  onSaved,
}: {
  choice: Choice;
  definitions: readonly ImportDefinition[];
  onClose: () => void;
  onSaved: (definition: ImportDefinition) => void;
}) {
  const [name, setName] = useState(choice.name ?? '');
  const known = definitions.find((one) => one.name === name.trim());
  const now = useQuery({
    ...askTagged('getImportDefinition', { name: known?.name ?? '' }),
    enabled: known !== undefined,
  }).data;
  const isNewer = known !== undefined && now !== undefined && now.answer.version !== known.version;
  const done = {
    changes: CHANGES,
    done: 'Definition saved. Files of this kind are read by it, here and by the command line.',
    onDone: onSaved,
  };
  const create = useAction('createImportDefinition', done);
  const replace = useAction('replaceImportDefinition', {
    ...done,
    headers: (): Record<string, string> => (now?.tag == null ? {} : { 'If-Match': now.tag }),
  });
  const action = known === undefined ? create : replace;
  const { mapping } = choice;
  return (
    <Dialog
      title="Save mapping"
      submit={known === undefined ? 'Save' : 'Replace'}
      onClose={onClose}
      onSubmit={() =>
        known === undefined
          ? create.mutate({ body: { name: name.trim(), mapping } })
          : replace.mutate({ name: known.name, body: { mapping } })
      }
      busy={action.isPending}
      error={action.error}
      notYet={
        name.trim() === ''
          ? 'Enter a name.'
          : known !== undefined && now === undefined
            ? 'The mapping with this name is loading.'
            : null
      }
    >
      <TextInput
        label="Name"
        description={
          known === undefined
            ? 'For example the tool that writes the files. Imports show it as their profile.'
            : isNewer
              ? 'Somebody has changed the mapping with this name: saving replaces it. The audit trail keeps the old one.'
              : 'Saving replaces the mapping with this name. The audit trail keeps the old one.'
        }
        value={name}
        data-autofocus=""
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </Dialog>
  );
}
