/** The button of a manual automation: its label, the items that offer it, and its form. */
import { Checkbox, Switch, Textarea, TextInput } from '@mantine/core';
import type { AutomationButton } from '../client/operations.ts';
import { beginForm, FormFields } from '../components/forms/form-fields.tsx';
import { readObject } from '../components/forms/read-object.ts';
import { Sheet } from '../components/page-frame.tsx';
import { useCategories, useLifecycles } from '../entities/configuration.ts';
import styles from './automations.module.css';

/** The button while it is edited: its form is typed as JSON. */
export type ButtonDraft = Required<Omit<AutomationButton, 'parameters'>> & { form: string };

export function draftOf(button: AutomationButton | null): ButtonDraft | null {
  if (button === null) return null;
  const { parameters, label, categories = [], states = [], confirm = '' } = button;
  const form = parameters === undefined ? '' : JSON.stringify(parameters, null, 2);
  return { label, categories, states, confirm, form };
}

export function buttonOf(draft: ButtonDraft | null): AutomationButton | null {
  if (draft === null) return null;
  const { form, confirm, label, ...rest } = draft;
  const parameters = readForm(form);
  return {
    ...rest,
    label: label.trim(),
    ...(confirm.trim() === '' ? {} : { confirm: confirm.trim() }),
    ...(parameters === null ? {} : { parameters }),
  };
}

/** Why the button cannot be saved; null if it can. */
export function buttonFault(draft: ButtonDraft | null): string | null {
  if (draft === null) return null;
  if (draft.label.trim() === '') return 'Enter a label for the button.';
  return draft.form.trim() !== '' && readForm(draft.form) === null ? 'The form is not valid JSON.' : null;
}

/** The form of the text; null if it is none. */
function readForm(text: string): AutomationButton['parameters'] | null {
  const form = readObject(text) as AutomationButton['parameters'] | null;
  return typeof form?.properties === 'object' && form.properties !== null ? form : null;
}

const fresh: ButtonDraft = { label: '', categories: [], states: [], confirm: '', form: '' };
const example = '{ "type": "object", "properties": { "copies": { "type": "integer", "title": "Copies" } } }';

export interface ButtonSettingsProps {
  draft: ButtonDraft | null;
  onChange: (draft: ButtonDraft | null) => void;
}

export function ButtonSettings({ draft, onChange }: ButtonSettingsProps) {
  const categories = useCategories();
  const lifecycles = useLifecycles();
  const set = (patch: Partial<ButtonDraft>) => onChange({ ...(draft ?? fresh), ...patch });
  const chosen = categories.filter(({ key }) => draft?.categories.includes(key) ?? false);
  const among = chosen.length === 0 ? categories : chosen;
  const keys = new Set(among.map(({ lifecycle }) => lifecycle));
  const states = [
    ...new Set([
      ...lifecycles.filter(({ key }) => keys.has(key)).flatMap((one) => one.states.map(({ name }) => name)),
      ...(draft?.states ?? []),
    ]),
  ];
  return (
    <Sheet title="Button">
      <div className={styles.stack}>
        <Switch
          label="Show a button in the app"
          checked={draft !== null}
          onChange={(event) => onChange(event.currentTarget.checked ? fresh : null)}
        />
        {draft !== null && (
          <>
            <TextInput
              label="Label"
              maxLength={80}
              value={draft.label}
              onChange={(event) => set({ label: event.currentTarget.value })}
            />
            <Checkbox.Group
              label="Categories"
              description="If none is chosen, items of all categories offer it."
              value={draft.categories}
              onChange={(value) => set({ categories: value })}
            >
              <div className={styles.choices}>
                {categories.map(({ key, name }) => (
                  <Checkbox key={key} value={key} label={name} />
                ))}
              </div>
            </Checkbox.Group>
            <Checkbox.Group
              label="States"
              description="If none is chosen, items in all states offer it."
              value={draft.states}
              onChange={(value) => set({ states: value })}
            >
              <div className={styles.choices}>
                {states.map((name) => (
                  <Checkbox key={name} value={name} label={name} />
                ))}
              </div>
            </Checkbox.Group>
            <TextInput
              label="Question before it runs (optional)"
              maxLength={500}
              value={draft.confirm}
              onChange={(event) => set({ confirm: event.currentTarget.value })}
            />
            <Textarea
              className={styles.context}
              label="Form (optional)"
              description="JSON Schema of the fields that the user fills in; the script reads them in context.parameters."
              placeholder={example}
              autosize
              minRows={3}
              maxRows={14}
              value={draft.form}
              error={
                draft.form.trim() !== '' && readForm(draft.form) === null
                  ? 'Not a JSON object with "properties".'
                  : undefined
              }
              onChange={(event) => set({ form: event.currentTarget.value })}
            />
            <FormPreview text={draft.form} />
          </>
        )}
      </div>
    </Sheet>
  );
}

/** Shows the form as a user sees it. */
function FormPreview({ text }: { text: string }) {
  const form = readForm(text);
  if (form === null || form === undefined) return null;
  return (
    <fieldset className={styles.preview} disabled>
      <legend>Preview</legend>
      <FormFields form={form} typed={beginForm(form)} onChange={() => {}} />
    </fieldset>
  );
}
