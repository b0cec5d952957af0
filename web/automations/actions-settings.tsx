/** The built-in actions of an automation, each with the form of its settings. */
import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { ask } from '../client/ask.ts';
import type { AutomationAction } from '../client/operations.ts';
import {
  beginForm,
  FormFields,
  formOf,
  readForm,
  type Typed,
  typedValues,
} from '../components/forms/form-fields.tsx';
import { Sheet } from '../components/page-frame.tsx';
import { withCode } from '../components/words.tsx';
import styles from './automations.module.css';
import { PickField } from './pick-field.tsx';

const ACTIONS_MAX = 10;

/** An action as it is typed. */
export interface ActionDraft {
  action: AutomationAction['action'];
  typed: Typed;
}

export function draftsOf(actions: readonly AutomationAction[] | null): ActionDraft[] | null {
  return actions?.map(({ action, settings = {} }) => ({ action, typed: typedValues(settings) })) ?? null;
}

export function useBuiltInActions() {
  return (
    useQuery({ ...ask('listBuiltInActions', {}), staleTime: Number.POSITIVE_INFINITY }).data?.items ?? []
  );
}

type Known = ReturnType<typeof useBuiltInActions>;

/** Reads what is typed; `fault` says what is missing. */
export function readActions(
  drafts: readonly ActionDraft[] | null,
  known: Known,
): { actions: AutomationAction[] | null; fault: string | null } {
  if (drafts === null) return { actions: null, fault: null };
  let fault: string | null = drafts.length === 0 ? 'Add an action.' : null;
  const actions = drafts.map(({ action, typed }) => {
    const meant = known.find((one) => one.action === action);
    const read = readForm(meant && formOf(meant.settingsSchema), typed);
    if (read.fault !== null) fault ??= `${meant?.name}: ${read.fault}`;
    return { action, settings: read.values };
  });
  return { actions, fault };
}

export interface ActionsSettingsProps {
  drafts: readonly ActionDraft[];
  readOnly: boolean;
  onChange: (drafts: ActionDraft[]) => void;
}

export function ActionsSettings({ drafts, readOnly, onChange }: ActionsSettingsProps) {
  const known = useBuiltInActions();
  const base = useId();
  const set = (at: number, draft: ActionDraft | null) =>
    onChange(drafts.flatMap((one, index) => (index !== at ? [one] : draft === null ? [] : [draft])));
  const choices = known.map(({ action, name }) => ({ value: action, label: name }));
  return (
    <Sheet title="Actions">
      <fieldset disabled={readOnly} className={styles.actions}>
        <p className="muted">
          They run in this order, all or none. <code>{'{entityNumber}'}</code> in a text inserts that field of
          the event.
        </p>
        {drafts.map(({ action, typed }, at) => {
          const meant = known.find((one) => one.action === action);
          const form = meant && formOf(meant.settingsSchema);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: two actions may be alike
            <section key={`${base} ${at}`} aria-label={`Action ${at + 1}`} className={styles.action}>
              <div className={styles.between}>
                <NativeSelect
                  label={`Action ${at + 1}`}
                  description={meant && withCode(meant.description)}
                  value={action}
                  data={choices}
                  onChange={(event) => {
                    const next = known.find((one) => one.action === event.currentTarget.value);
                    if (next !== undefined)
                      set(at, { action: next.action, typed: beginForm(formOf(next.settingsSchema)) });
                  }}
                />
                {!readOnly && (
                  <Button variant="default" onClick={() => set(at, null)}>
                    Remove
                  </Button>
                )}
              </div>
              <FormFields
                form={form}
                typed={typed}
                Pick={PickField}
                onChange={(next) => set(at, { action, typed: next })}
              />
            </section>
          );
        })}
        {!readOnly && drafts.length < ACTIONS_MAX && (
          <Button
            variant="default"
            disabled={known.length === 0}
            onClick={() => {
              const [first] = known;
              if (first !== undefined)
                onChange([
                  ...drafts,
                  { action: first.action, typed: beginForm(formOf(first.settingsSchema)) },
                ]);
            }}
          >
            Add an action
          </Button>
        )}
      </fieldset>
    </Sheet>
  );
}
