/** Closes, cancels or reopens an order: the ways that its lifecycle has from where it is, and what becomes of its lines. */
import { Button, Menu, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../client/ask.ts';
import type { Lifecycle, OrderWithLines } from '../../client/operations.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Icon } from '../../components/icons.tsx';
import { useAction } from '../../components/use-action.ts';
import { countText, quantityText } from '../../components/words.tsx';
import { useLifecycleOf } from '../../entities/configuration.ts';
import { SUPPLY_CHANGES } from '../supply-dialog.tsx';
import { sumsOf } from './order-sums.ts';

type Way = Lifecycle['transitions'][number];

export function OrderWays({ order }: { order: OrderWithLines }) {
  const entity = useQuery(ask('getEntity', { id: order.id }));
  const lifecycle = useLifecycleOf(entity.data?.category ?? '');
  const [way, setWay] = useState<Way | null>(null);
  const ways = (lifecycle?.transitions ?? []).filter(({ from }) => from === order.state);
  return (
    <>
      {ways.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" rightSection={<Icon name="down" size={12} />}>
              {ways.map(({ name }) => name).join(' or ')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {ways.map((one) => (
              <Menu.Item key={one.id} onClick={() => setWay(one)}>
                {one.name} the order
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {way !== null && <WayDialog order={order} way={way} onClose={() => setWay(null)} />}
    </>
  );
}

function WayDialog({ order, way, onClose }: { order: OrderWithLines; way: Way; onClose: () => void }) {
  const [note, setNote] = useState('');
  const move = useAction('transitionEntity', {
    changes: [...SUPPLY_CHANGES, 'getEntity', 'listEntities', 'listTransitions'],
    done: (moved) => `${moved.number ?? moved.name} is ${moved.state}.`,
    onDone: onClose,
  });
  const takesLines = way.featureAutomations.some(({ feature }) => feature === 'cascadeTransition');
  return (
    <Dialog
      title={`${way.name} ${order.number ?? 'the order'}?`}
      submit={`${way.name} the order`}
      leave="Leave it"
      grave={takesLines && order.totals.openLines > 0}
      onClose={onClose}
      busy={move.isPending}
      error={move.error}
      onSubmit={() =>
        move.mutate({
          id: order.id,
          body: { toState: way.to, ...(note.trim() === '' ? {} : { note: note.trim() }) },
        })
      }
    >
      <p>{takesLines ? consequenceOf(order) : `It goes from ${way.from} to ${way.to}.`}</p>
      <TextInput
        label="Note"
        value={note}
        maxLength={2000}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </Dialog>
  );
}

/** The same of both ways: what has come or gone stays, and a line that is at its end stays as it is. */
function consequenceOf(order: OrderWithLines): string {
  const { type, totals, lines } = order;
  if (totals.openLines === 0) return 'No line is open: only the order itself changes.';
  const sells = type === 'salesOrder';
  const open =
    (sumsOf(order)?.ofOneItem ?? null) === null
      ? countText(totals.openLines, 'open line')
      : `${countText(totals.openLines, 'line')} with ${quantityText(totals.openQty)} open`;
  const drafts = lines.some(({ state }) => state === 'Draft') ? ' Drafts hold nothing.' : '';
  return `${open} ${totals.openLines === 1 ? 'ends' : 'end'} with it, and ${totals.openLines === 1 ? 'is' : 'are'} no longer ${sells ? 'promised' : 'on order'}. What has been ${sells ? 'shipped' : 'received'} stays so. Its lines cannot be opened again.${drafts}`;
}
