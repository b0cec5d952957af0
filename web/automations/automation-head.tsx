/** Name, description and event of an automation, what it does, and whether it is on. */
import { NativeSelect, Switch, TextInput } from '@mantine/core';
import type { ActionDraft } from './actions-settings.tsx';
import { contextTypes } from './automation-words.tsx';
import styles from './automations.module.css';

interface HeadFields {
  name: string;
  description: string;
  contextTypeId: number;
  actions: ActionDraft[] | null;
  enabled: boolean;
}

export function AutomationHead({
  fields: { name, description, contextTypeId, actions, enabled },
  onChange,
}: {
  fields: HeadFields;
  onChange: (change: Partial<HeadFields>) => void;
}) {
  return (
    <div className={styles.head}>
      <TextInput
        label="Name"
        value={name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <TextInput
        label="Description"
        value={description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <NativeSelect
        label="Runs when"
        value={String(contextTypeId)}
        data={contextTypes}
        onChange={(event) => onChange({ contextTypeId: Number(event.currentTarget.value) })}
      />
      <NativeSelect
        label="Does"
        value={actions === null ? 'script' : 'actions'}
        data={[
          { value: 'script', label: 'A script' },
          { value: 'actions', label: 'Actions' },
        ]}
        onChange={(event) => onChange({ actions: event.currentTarget.value === 'actions' ? [] : null })}
      />
      <Switch
        label="Enabled"
        checked={enabled}
        onChange={(event) => onChange({ enabled: event.currentTarget.checked })}
      />
    </div>
  );
}
