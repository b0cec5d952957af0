/** Moves an entity along its lifecycle: the ways that lead on from where it is. */
import { Button, Menu, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Entity, Lifecycle } from '../client/operations.ts';
import { Dialog } from '../components/dialog.tsx';
import { Icon } from '../components/icons.tsx';
import { useAction } from '../components/use-action.ts';
import { plainWords } from '../components/words.tsx';
import { useLifecycleOf } from './configuration.ts';

type Way = Lifecycle['transitions'][number];

export function TransitionMenu({ entity }: { entity: Entity }) {
  const lifecycle = useLifecycleOf(entity.category);
  const [way, setWay] = useState<Way | null>(null);
  const ways = (lifecycle?.transitions ?? []).filter(({ from }) => from === entity.state);
  if (ways.length === 0) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button rightSection={<Icon name="down" size={12} />}>Move on</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {ways.map((one) => (
            <Menu.Item key={one.id} onClick={() => setWay(one)}>
              {one.name} <span className="muted">→ {one.to}</span>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {way !== null && <TransitionDialog entity={entity} way={way} onClose={() => setWay(null)} />}
    </>
  );
}

export function TransitionDialog({
  entity,
  way,
  onClose,
}: {
  entity: Entity;
  way: Way;
  onClose: () => void;
}) {
  const [note, setNote] = useState('');
  const move = useAction('transitionEntity', {
    changes: [
      'getEntity',
      'listEntities',
      'listTransitions',
      'listRevisions',
      'getRevision',
      'listRequirements',
    ],
    done: (moved) => `${moved.number ?? moved.name} is ${moved.state}.`,
    onDone: onClose,
  });
  const features = way.featureAutomations.map(({ feature }) => feature);
  return (
    <Dialog
      title={way.name}
      submit={way.name}
      onClose={onClose}
      busy={move.isPending}
      error={move.error}
      onSubmit={() =>
        move.mutate({
          id: entity.id,
          body: { toState: way.to, ...(note.trim() === '' ? {} : { note: note.trim() }) },
        })
      }
    >
      <p>
        {entity.number ?? entity.name} goes from {way.from} to {way.to}.
        {features.length > 0 && ` It also does: ${features.map(plainWords).join(', ')}.`}
      </p>
      <Textarea
        label="Why"
        description="For the history; may stay empty."
        autosize
        minRows={2}
        data-autofocus=""
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </Dialog>
  );
}
