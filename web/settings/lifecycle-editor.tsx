/** Edits the states and transitions of a lifecycle. A renamed state keeps its transitions. */
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../client/ask.ts';
import type { Lifecycle } from '../client/operations.ts';
import { ActButton } from '../components/act-button.tsx';
import { RowActions } from '../components/lists/row-actions.tsx';
import { StatusWord } from '../components/words.tsx';
import { FeatureDialog } from './feature-dialog.tsx';
import styles from './settings.module.css';

interface EditorProps {
  draft: Lifecycle;
  onChange: (draft: Lifecycle) => void;
}

type Transition = Lifecycle['transitions'][number];

const LIFECYCLE_TRANSITION = 1;

export function StatesEditor({ draft, onChange }: EditorProps) {
  const { states } = draft;
  const rename = (before: string, after: string) => {
    const named = (name: string) => (name === before ? after : name);
    onChange({
      ...draft,
      initialState: named(draft.initialState),
      states: states.map((state) => ({ ...state, name: named(state.name) })),
      transitions: draft.transitions.map((way) => ({ ...way, from: named(way.from), to: named(way.to) })),
    });
  };
  const remove = (name: string) =>
    onChange({
      ...draft,
      states: states.filter((state) => state.name !== name),
      transitions: draft.transitions.filter(({ from, to }) => from !== name && to !== name),
      initialState:
        draft.initialState === name
          ? (states.find((state) => state.name !== name)?.name ?? '')
          : draft.initialState,
    });
  return (
    <>
      {states.map((state, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line keeps its place while its name is typed
        <div key={at} className={styles.row}>
          <TextInput
            aria-label={`State ${at + 1}`}
            value={state.name}
            onChange={(event) => rename(state.name, event.currentTarget.value)}
          />
          <Checkbox
            label="Released"
            checked={state.released}
            onChange={(event) => {
              const released = event.currentTarget.checked;
              onChange({
                ...draft,
                states: states.map((one) => (one === state ? { ...one, released } : one)),
              });
            }}
          />
          <NativeSelect
            aria-label={`What happens when something in use becomes ${state.name}`}
            value={state.whenInUse ?? ''}
            data={[
              { value: '', label: 'In use: allowed' },
              { value: 'warn', label: 'In use: warn' },
              { value: 'refuse', label: 'In use: refuse' },
            ]}
            onChange={(event) => {
              const { whenInUse: _, ...rest } = state;
              const chosen = event.currentTarget.value as 'warn' | 'refuse' | '';
              const next = chosen === '' ? rest : { ...rest, whenInUse: chosen };
              onChange({ ...draft, states: states.map((one) => (one === state ? next : one)) });
            }}
          />
          {states.length > 1 && (
            <RowActions
              actions={[
                { icon: 'trash', label: `Remove state ${state.name}`, onClick: () => remove(state.name) },
              ]}
            />
          )}
        </div>
      ))}
      <Button
        variant="default"
        size="xs"
        onClick={() =>
          onChange({ ...draft, states: [...states, { name: freeName(draft), released: false }] })
        }
      >
        Add state
      </Button>
      <NativeSelect
        label="Initial state"
        value={draft.initialState}
        data={states.map(({ name }) => name)}
        onChange={(event) => onChange({ ...draft, initialState: event.currentTarget.value })}
      />
    </>
  );
}

export function TransitionsEditor({ draft, onChange }: EditorProps) {
  const [attaching, setAttaching] = useState<string | null>(null);
  const features = useQuery(
    ask('listFeatureAutomations', { query: { contextTypeId: LIFECYCLE_TRANSITION, limit: 100 } }),
  );
  const { transitions } = draft;
  const states = draft.states.map(({ name }) => name);
  const set = (id: string, patch: Partial<Transition>) =>
    onChange({
      ...draft,
      transitions: transitions.map((way) => (way.id === id ? { ...way, ...patch } : way)),
    });
  const attached = transitions.find(({ id }) => id === attaching);
  return (
    <div className={styles.rows}>
      {transitions.map((way) => (
        <div key={way.id} className={styles.wayRow}>
          <TextInput
            label="Name"
            value={way.name}
            onChange={(event) => set(way.id, { name: event.currentTarget.value })}
          />
          <NativeSelect
            label="From"
            value={way.from}
            data={states}
            onChange={(event) => set(way.id, { from: event.currentTarget.value })}
          />
          <NativeSelect
            label="To"
            value={way.to}
            data={states}
            onChange={(event) => set(way.id, { to: event.currentTarget.value })}
          />
          <RowActions
            actions={[
              {
                icon: 'trash',
                label: `Remove transition ${way.name}`,
                onClick: () =>
                  onChange({ ...draft, transitions: transitions.filter(({ id }) => id !== way.id) }),
              },
            ]}
          />
          <div className={styles.features}>
            {way.featureAutomations.map(({ feature }) => (
              <StatusWord key={feature} tone="accent">
                {features.data?.items.find(({ id }) => id === feature)?.name ?? feature}
              </StatusWord>
            ))}
            <Button size="xs" variant="subtle" onClick={() => setAttaching(way.id)}>
              Actions on this transition…
            </Button>
          </div>
        </div>
      ))}
      <ActButton
        variant="default"
        size="xs"
        notYet={states.length < 2 ? 'Add a second state first.' : null}
        onClick={() =>
          onChange({
            ...draft,
            transitions: [
              ...transitions,
              {
                id: freeId(draft),
                name: 'New transition',
                from: states[0] ?? '',
                to: states[1] ?? '',
                featureAutomations: [],
              },
            ],
          })
        }
      >
        Add transition
      </ActButton>
      {attached !== undefined && (
        <FeatureDialog
          transition={attached}
          features={features.data?.items ?? []}
          onClose={() => setAttaching(null)}
          onSave={(featureAutomations) => {
            set(attached.id, { featureAutomations });
            setAttaching(null);
          }}
        />
      )}
    </div>
  );
}

function freeName({ states }: Lifecycle): string {
  for (let at = states.length + 1; ; at++) {
    const name = `State ${at}`;
    if (!states.some((state) => state.name === name)) return name;
  }
}

function freeId({ transitions }: Lifecycle): string {
  for (let at = transitions.length + 1; ; at++) {
    const id = `transition${at}`;
    if (!transitions.some((way) => way.id === id)) return id;
  }
}
