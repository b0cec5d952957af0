/** Runs the unsaved script on real data and rolls back every write. */
import { Button, Textarea } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ScriptOutcome } from '../actions/script-outcome.tsx';
import type { ScriptFailure } from '../client/operations.ts';
import { readObject } from '../components/forms/read-object.ts';
import { Sheet } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useAction } from '../components/use-action.ts';
import { EntityPicker, type PickedEntity } from '../entities/entity-picker.tsx';
import { useAddress } from '../navigation/address.ts';
import { exampleContexts } from './automation-words.tsx';
import styles from './automations.module.css';

export interface TestPanelProps {
  script: string;
  contextTypeId: number;
  onFailure: (failure: ScriptFailure | null) => void;
}

export function TestPanel({ script, contextTypeId, onFailure }: TestPanelProps) {
  const address = useAddress();
  // The context of a past run comes with the address of its "Test with this context" link.
  const given = address.get('context');
  const [text, setText] = useState(() => given ?? exampleText(contextTypeId));
  const [entity, setEntity] = useState<PickedEntity | null>(null);
  useEffect(() => {
    if (given === undefined) setText(exampleText(contextTypeId));
  }, [contextTypeId, given]);
  const test = useAction('testScript', { onDone: ({ error }) => onFailure(error) });
  const context = readObject(text);
  const choose = (picked: PickedEntity | null) => {
    setEntity(picked);
    if (picked === null || context === null) return;
    setText(JSON.stringify({ ...context, entityId: picked.id, entityNumber: picked.number ?? '' }, null, 2));
  };
  return (
    <Sheet title="Test run">
      <div className={styles.stack}>
        {contextTypeId !== 2 && <EntityPicker label="Item" value={entity} onPick={choose} />}
        <Textarea
          className={styles.context}
          label="Context"
          autosize
          minRows={4}
          maxRows={12}
          value={text}
          error={context === null ? 'Not a JSON object.' : undefined}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button
          loading={test.isPending}
          disabled={context === null}
          onClick={() => context !== null && test.mutate({ body: { script, contextTypeId, context } })}
        >
          Test run (no changes)
        </Button>
        {test.error !== null && <ProblemPanel error={test.error} />}
        {test.data !== undefined && <ScriptOutcome outcome={test.data} />}
      </div>
    </Sheet>
  );
}

function exampleText(contextTypeId: number): string {
  return JSON.stringify(exampleContexts[contextTypeId] ?? {}, null, 2);
}
