/** Runs an action on chosen entities: first which one, then its form. */
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { askAll } from '../client/ask.ts';
import type { Entity, EntityAction } from '../client/operations.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { countText } from '../components/words.tsx';
import { ActionDialog } from './action-dialog.tsx';

export interface BulkActionsProps {
  entities: readonly Entity[];
  onClose: () => void;
}

export function BulkActions({ entities, onClose }: BulkActionsProps) {
  const query = useQuery(askAll('listActions', {}));
  const [key, setKey] = useState<string | null>(null);
  const [chosen, setChosen] = useState<EntityAction | null>(null);
  const offered = (query.data ?? []).filter((action) => entities.some((entity) => fits(action, entity)));
  const current = offered.find(({ automationId }) => automationId === key) ?? offered[0];
  if (chosen !== null) return <ActionDialog action={chosen} entities={entities} onClose={onClose} />;
  const fitting = current === undefined ? 0 : entities.filter((entity) => fits(current, entity)).length;
  return (
    <Dialog
      title="Run an action"
      submit="Next"
      onClose={onClose}
      onSubmit={() => current !== undefined && setChosen(current)}
      notYet={current === undefined ? 'None of them offers an action.' : null}
    >
      {query.isPending && <Waiting lines={1} />}
      {query.isError && <ProblemPanel error={query.error} />}
      {current !== undefined && (
        <>
          <NativeSelect
            label="Action"
            value={current.automationId}
            data={offered.map(({ automationId, label }) => ({ value: automationId, label }))}
            onChange={(event) => setKey(event.currentTarget.value)}
          />
          {fitting < entities.length && (
            <p>
              {countText(entities.length - fitting, 'item')} of {entities.length} do not offer it and will be
              listed as rejected.
            </p>
          )}
        </>
      )}
    </Dialog>
  );
}

/** Whether the category and the state of the entity offer the action, as the service decides it. */
function fits({ categories, states }: EntityAction, { category, state }: Entity): boolean {
  return (
    (categories.length === 0 || categories.includes(category)) &&
    (states.length === 0 || states.includes(state))
  );
}
