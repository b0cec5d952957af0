/** Merges another entity, which is the same part, into the one of the page, after a preview. */
import { Button, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Entity } from '../client/operations.ts';
import { call } from '../client/request.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useAction } from '../components/use-action.ts';
import { countText, quantityText } from '../components/words.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { EntityPicker, type PickedEntity } from './entity-picker.tsx';
import { STRUCTURE_CHANGES } from './uses/use-dialog.tsx';

export function MergeButton({ entity }: { entity: Entity }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Merge
      </Button>
      {open && <MergeDialog entity={entity} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Leads from a merged entity to the one that stays, also somebody who scanned its old label. */
export function MergedInto({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ['getEntity', id, 'merged'],
    queryFn: ({ signal }) => call('getEntity', { id }, { signal }),
  });
  const { number = null, name = 'another item' } = query.data ?? {};
  return (
    <strong>
      Merged into <Link href={paths.entity(id)}>{number ?? name}</Link>
    </strong>
  );
}

function MergeDialog({ entity, onClose }: { entity: Entity; onClose: () => void }) {
  const [from, setFrom] = useState<PickedEntity | null>(null);
  const [reason, setReason] = useState('');
  const preview = useQuery({
    queryKey: ['mergeEntity', entity.id, from?.id],
    queryFn: ({ signal }) => planMerge(entity.id, from?.id ?? '', signal),
    enabled: from !== null,
    staleTime: 0,
    retry: false,
  });
  const merge = useAction('mergeEntity', {
    changes: [...STRUCTURE_CHANGES, 'getEntity', 'listEntities', 'countEntities'],
    done: () => `${from?.number ?? from?.name ?? 'The item'} is merged into ${entity.number ?? entity.name}.`,
    onDone: onClose,
  });
  const plan = from === null ? undefined : preview.data;
  const notYet =
    from === null
      ? 'Choose the item that exists twice.'
      : plan === undefined
        ? 'Wait for the preview.'
        : plan.reasons.length > 0
          ? 'They cannot be merged.'
          : null;
  return (
    <Dialog
      title={`Merge into ${entity.number ?? entity.name}`}
      submit="Merge"
      onClose={onClose}
      busy={merge.isPending}
      error={merge.error}
      notYet={notYet}
      onSubmit={() =>
        merge.mutate({
          id: entity.id,
          body: { from: from?.id ?? '', ...(reason.trim() === '' ? {} : { reason: reason.trim() }) },
        })
      }
    >
      <p>
        {entity.number ?? entity.name} stays. Imports and searches find it by the number and GUID of the other
        one, too. A merge cannot be undone.
      </p>
      <EntityPicker label="Item that exists twice" plays="item" value={from} onPick={setFrom} autoFocus />
      {preview.isError && from !== null && <ProblemPanel error={preview.error} />}
      {plan !== undefined && plan.reasons.length > 0 && (
        <ul>
          {plan.reasons.map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
      {plan !== undefined && plan.reasons.length === 0 && (
        <>
          <p>{movesOf(plan)}</p>
          {plan.parents.count > 0 && <Parents plan={plan} />}
          <Textarea
            label="Reason"
            autosize
            minRows={2}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </>
      )}
    </Dialog>
  );
}

function planMerge(id: string, from: string, signal: AbortSignal) {
  return call('mergeEntity', { id, body: { from, dryRun: true } }, { signal });
}
type Plan = Awaited<ReturnType<typeof planMerge>>;

function Parents({ plan: { parents } }: { plan: Plan }) {
  const further = parents.count - parents.examples.length;
  return (
    <ul>
      {parents.examples.map((parent) => (
        <li key={parent.entityId}>
          {`${parent.number ?? ''} ${parent.name}`.trim()}: quantity {quantityText(parent.quantity)}
          {parent.quantity !== parent.quantityAfter &&
            `, with what it uses already ${quantityText(parent.quantityAfter)}`}
          {parent.revised && ', opens a revision'}
        </li>
      ))}
      {further > 0 && <li>and {quantityText(further)} more</li>}
    </ul>
  );
}

function movesOf(plan: Plan): string {
  const { parents, children, lines, requirements, supplierParts, planning, forecasts, stock } = plan;
  const moves = [
    [parents.count, countText(parents.count, 'assembly', 'assemblies')],
    [children.moved, countText(children.moved, 'child', 'children')],
    [lines, countText(lines, 'open order line', 'open order lines')],
    [requirements, countText(requirements, 'open requirement', 'open requirements')],
    [supplierParts, countText(supplierParts, 'supplier part', 'supplier parts')],
    [planning === 'moved' ? 1 : 0, 'the planning'],
    [forecasts, countText(forecasts, 'forecast', 'forecasts')],
    [stock.positions, `stock at ${countText(stock.positions, 'location', 'locations')}`],
  ] as const;
  const texts = moves.filter(([count]) => count > 0).map(([, text]) => text);
  const left =
    children.left === 0
      ? ''
      : ` ${countText(children.left, 'child', 'children')} of the other item are left as history, because this one has a structure of its own.`;
  const planned = planning === 'left' ? ' Its planning is left, because this item has its own.' : '';
  return `${texts.length === 0 ? 'Nothing uses the other item.' : `Moves: ${texts.join(', ')}.`}${left}${planned}`;
}
