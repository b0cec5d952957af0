/** Changes the state of an item by one of the transitions of its lifecycle. */
import { Button, Menu, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, askAll } from '../client/ask.ts';
import type { Entity, Lifecycle, Use } from '../client/operations.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Icon } from '../components/icons.tsx';
import { useAction } from '../components/use-action.ts';
import { countText, plainWords, quantityText } from '../components/words.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { useCategories, useLifecycleOf, useLifecycles } from './configuration.ts';

type Way = Lifecycle['transitions'][number];

/** The number of unreleased parts that are named. */
const NAMED_MAX = 10;

export function TransitionMenu({ entity }: { entity: Entity }) {
  const lifecycle = useLifecycleOf(entity.category);
  const [way, setWay] = useState<Way | null>(null);
  const ways = (lifecycle?.transitions ?? []).filter(({ from }) => from === entity.state);
  if (ways.length === 0) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button rightSection={<Icon name="down" size={12} />}>Change state</Button>
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
    done: (moved) =>
      [
        `${moved.number ?? moved.name} is ${moved.state}.`,
        ...moved.warnings.map(({ message }) => message),
      ].join(' '),
    onDone: onClose,
  });
  const unreleased = useUnreleasedParts(entity, way);
  const { reasons, whenInUse } = useUse(entity, way);
  const refused = whenInUse === 'refuse' && reasons.length > 0;
  const features = way.featureAutomations.map(({ feature }) => feature);
  return (
    <Dialog
      title={way.name}
      submit={way.name}
      onClose={onClose}
      busy={move.isPending}
      error={move.error}
      notYet={refused ? `${way.to} takes only what is not in use.` : null}
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
      {unreleased.length > 0 && (
        <div role="status">
          <p className="bad">
            {countText(unreleased.length, 'part')} of its structure {unreleased.length === 1 ? 'is' : 'are'}{' '}
            not released:
          </p>
          <ul>
            {unreleased.slice(0, NAMED_MAX).map((part) => (
              <li key={part.entityId}>
                <Link href={paths.entity(part.entityId)}>{part.number ?? part.name}</Link> {part.name} (
                {part.state})
              </li>
            ))}
            {unreleased.length > NAMED_MAX && <li>and {quantityText(unreleased.length - NAMED_MAX)} more</li>}
          </ul>
        </div>
      )}
      {reasons.length > 0 && (
        <p className="bad" role="status">
          {entity.number ?? entity.name} is still in use: {reasons.join(', ')}.
        </p>
      )}
      <Textarea
        label="Comment (optional)"
        autosize
        minRows={2}
        data-autofocus=""
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </Dialog>
  );
}

/** What uses an item or a location, if the new state is for what is not in use. */
function useUse(
  entity: Entity,
  { to }: Way,
): { reasons: string[]; whenInUse: 'warn' | 'refuse' | undefined } {
  const whenInUse = useLifecycleOf(entity.category)?.states.find(({ name }) => name === to)?.whenInUse;
  const { data } = useQuery({
    ...ask('getEntitySummary', { id: entity.id }),
    enabled: whenInUse !== undefined,
  });
  if (data === undefined || whenInUse === undefined) return { reasons: [], whenInUse };
  const { stock, orders, demand, stockedItems, orderedItems } = data;
  const lines = (orders?.comingLines ?? 0) + (orders?.goingLines ?? 0);
  const requirements = stock === null ? 0 : (demand?.openRequirements ?? 0);
  const reasons = [
    stock !== null && stock.onHand > 0 && `${quantityText(stock.onHand)} on hand`,
    (stockedItems ?? 0) > 0 && `stock of ${countText(stockedItems ?? 0, 'item')}`,
    (orderedItems ?? 0) > 0 && `${countText(orderedItems ?? 0, 'item')} on order to it`,
    lines > 0 && countText(lines, 'open order line'),
    requirements > 0 && countText(requirements, 'open requirement'),
  ];
  return { reasons: reasons.filter((reason) => reason !== false), whenInUse };
}

/** The parts of the first level that are not released, when the transition releases an assembly. */
function useUnreleasedParts(entity: Entity, { to }: Way): readonly Use[] {
  const categories = useCategories();
  const lifecycles = useLifecycles();
  const isReleased = (categoryKey: string, state: string): boolean => {
    const key = categories.find((category) => category.key === categoryKey)?.lifecycle;
    const lifecycle = lifecycles.find((one) => one.key === key);
    return lifecycle?.states.find(({ name }) => name === state)?.released ?? true;
  };
  const releases = !entity.released && lifecycles.length > 0 && isReleased(entity.category, to);
  const uses = useQuery({ ...askAll('listUses', { id: entity.id }), enabled: releases });
  return releases ? (uses.data ?? []).filter(({ category, state }) => !isReleased(category, state)) : [];
}
