/** By which definition the file is read, and keeping what was changed as one. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { askTagged } from '../client/ask.ts';
import type { ImportDefinition } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { Dialog } from '../components/dialog.tsx';
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
  const mayKeep = useMay('admin');
  const [saving, setSaving] = useState(false);
  const choices = definitions.map((definition) => {
    const { missing } = choiceOf(definition, look);
    const [first] = missing;
    return {
      value: definition.name,
      label: first === undefined ? definition.name : `${definition.name} (not there: ${first})`,
    };
  });
  return (
    <div className={styles.definition}>
      <NativeSelect
        label="Read by"
        value={choice.name ?? ''}
        data={[
          { value: '', label: look.tables.length === 0 ? 'what the file says itself' : 'a suggestion' },
          ...choices,
        ]}
        onChange={(event) => {
          const name = event.currentTarget.value;
          onChoose(definitions.find((one) => one.name === name) ?? null);
        }}
      />
      {mayKeep && (choice.name === null || isChanged) && (
        <Button variant="default" onClick={() => setSaving(true)}>
          Save as a definition
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
      title="Save as a definition"
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
          ? 'It needs a name.'
          : known !== undefined && now === undefined
            ? 'The one of this name is being read.'
            : null
      }
    >
      <TextInput
        label="Name"
        description={
          known === undefined
            ? 'Of the tool that the files come from. Batches name it as their profile.'
            : isNewer
              ? 'Somebody changed the one of this name meanwhile: theirs is replaced. The audit trail keeps it.'
              : 'There is one of this name: it is replaced, and the audit trail keeps what it was.'
        }
        value={name}
        data-autofocus=""
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </Dialog>
  );
}
