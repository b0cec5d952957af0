/** The actions on a transition: feature automations with their settings as JSON. */
import { Checkbox, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { FeatureAutomation, Lifecycle } from '../client/operations.ts';
import { Dialog } from '../components/dialog.tsx';
import { readObject } from '../components/read-object.ts';
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
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(
    Object.fromEntries(
      transition.featureAutomations.map(({ feature, settings }) => [
        feature,
        JSON.stringify(settings, null, 2),
      ]),
    ),
  );
  const wrong = Object.values(texts).find((text) => readObject(text) === null);
  const set = (id: string, text: string | undefined) => {
    const { [id]: _, ...others } = texts;
    setTexts(text === undefined ? others : { ...others, [id]: text });
  };
  return (
    <Dialog
      title={`Actions on “${transition.name}”`}
      submit="Apply"
      size="lg"
      onClose={onClose}
      notYet={wrong === undefined ? null : 'Settings must be a JSON object.'}
      onSubmit={() =>
        onSave(
          features
            .filter(({ id }) => texts[id] !== undefined)
            .map(({ id }) => ({ feature: id, settings: readObject(texts[id] as string) ?? {} })),
        )
      }
    >
      {features.map(({ id, name, description, settingsSchema, implemented }) => {
        const known = Object.keys((settingsSchema as { properties?: object }).properties ?? {});
        return (
          <div key={id} className={styles.rows}>
            <Checkbox
              label={name}
              description={withCode(description)}
              disabled={!implemented}
              checked={texts[id] !== undefined}
              onChange={(event) => set(id, event.currentTarget.checked ? '{}' : undefined)}
            />
            {texts[id] !== undefined && known.length > 0 && (
              <Textarea
                label={`Settings: ${known.join(', ')}`}
                autosize
                minRows={2}
                value={texts[id]}
                error={readObject(texts[id]) === null ? 'Not a JSON object.' : undefined}
                onChange={(event) => set(id, event.currentTarget.value)}
              />
            )}
          </div>
        );
      })}
    </Dialog>
  );
}
