/** The actions on a transition: feature automations, each with the form of its settings. */
import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { FeatureAutomation, Lifecycle } from '../client/operations.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import {
  beginForm,
  FormFields,
  formOf,
  readForm,
  type Typed,
  typedValues,
} from '../components/forms/form-fields.tsx';
import { withCode } from '../components/words.tsx';
import styles from './settings.module.css';

type Transition = Lifecycle['transitions'][number];
type Attached = Transition['featureAutomations'];

export interface FeatureDialogProps {
  transition: Transition;
  features: readonly FeatureAutomation[];
  onSave: (attached: Attached) => void;
  onClose: () => void;
}

export function FeatureDialog({ transition, features, onSave, onClose }: FeatureDialogProps) {
  const [forms, setForms] = useState<Readonly<Record<string, Typed>>>(
    Object.fromEntries(
      transition.featureAutomations.map(({ feature, settings }) => [feature, typedValues(settings)]),
    ),
  );
  const chosen = features.flatMap((feature) => {
    const typed = forms[feature.id];
    return typed === undefined ? [] : [{ feature, ...readForm(formOf(feature.settingsSchema), typed) }];
  });
  const wrong = chosen.find(({ fault }) => fault !== null);
  const set = (id: string, typed: Typed | undefined) => {
    const { [id]: _, ...others } = forms;
    setForms(typed === undefined ? others : { ...others, [id]: typed });
  };
  return (
    <Dialog
      title={`Actions on “${transition.name}”`}
      submit="Apply"
      size="lg"
      onClose={onClose}
      notYet={wrong === undefined ? null : `${wrong.feature.name}: ${wrong.fault}`}
      onSubmit={() =>
        onSave(chosen.map(({ feature: { id }, values }) => ({ feature: id, settings: values })))
      }
    >
      {features.map(({ id, name, description, settingsSchema, implemented }) => {
        const typed = forms[id];
        const form = formOf(settingsSchema);
        return (
          <div key={id} className={styles.rows}>
            <Checkbox
              label={name}
              description={withCode(description)}
              disabled={!implemented}
              checked={typed !== undefined}
              onChange={(event) => set(id, event.currentTarget.checked ? beginForm(form) : undefined)}
            />
            {typed !== undefined && (
              <FormFields form={form} typed={typed} onChange={(next) => set(id, next)} />
            )}
          </div>
        );
      })}
    </Dialog>
  );
}
