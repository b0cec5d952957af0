/** What a transition does besides: feature automations with their settings, as JSON that their schema describes. */
import { Checkbox, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { FeatureAutomation, Lifecycle } from '../client/operations.ts';
import { Dialog } from '../components/dialog.tsx';
import { readObject } from '../components/read-object.ts';
import { withCode } from '../components/words.tsx';
import styles from './settings.module.css';

type Way = Lifecycle['transitions'][number];
type Attached = Way['featureAutomations'];

export interface FeatureDialogProps {
  way: Way;
  features: readonly FeatureAutomation[];
  onSave: (attached: Attached) => void;
  onClose: () => void;
}

export function FeatureDialog({ way, features, onSave, onClose }: FeatureDialogProps) {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(
    Object.fromEntries(
      way.featureAutomations.map(({ feature, settings }) => [feature, JSON.stringify(settings, null, 2)]),
    ),
  );
  const wrong = Object.values(texts).find((text) => readObject(text) === null);
  const set = (id: string, text: string | undefined) => {
    const { [id]: _, ...others } = texts;
    setTexts(text === undefined ? others : { ...others, [id]: text });
  };
  return (
    <Dialog
      title={`On the way “${way.name}”`}
      submit="Take over"
      size="lg"
      onClose={onClose}
      notYet={wrong === undefined ? null : 'Settings are a JSON object.'}
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
