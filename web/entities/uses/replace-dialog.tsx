/** Replaces a part by another in the assemblies that use it, after a preview of each. */
import { Checkbox, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Entity } from '../../client/operations.ts';
import { call } from '../../client/request.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { useAction } from '../../components/use-action.ts';
import { countText, quantityText } from '../../components/words.tsx';
import styles from '../entities.module.css';
import { EntityPicker, type PickedEntity } from '../entity-picker.tsx';
import { STRUCTURE_CHANGES } from './use-dialog.tsx';

export function ReplaceDialog({ entity, onClose }: { entity: Entity; onClose: () => void }) {
  const [by, setBy] = useState<PickedEntity | null>(null);
  const [reason, setReason] = useState('');
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const preview = useQuery({
    queryKey: ['replacePart', entity.id, by?.id],
    queryFn: ({ signal }) =>
      call(
        'replacePart',
        { id: entity.id, body: { by: by?.id ?? '', reason: 'Preview', dryRun: true } },
        { signal },
      ),
    enabled: by !== null,
    staleTime: 0,
    retry: false,
  });
  const replace = useAction('replacePart', {
    changes: STRUCTURE_CHANGES,
    done: ({ parents, revised }) =>
      `Replaced in ${countText(parents.length, 'assembly', 'assemblies')}${revised === 0 ? '.' : `, ${revised} of them in a new revision.`}`,
    onDone: onClose,
  });
  const parents = by === null ? [] : (preview.data?.parents ?? []);
  const chosen = parents.filter(({ entityId, problem }) => problem === null && !left.has(entityId));
  const notYet =
    by === null
      ? 'Choose the part to use instead.'
      : chosen.length === 0
        ? 'Choose an assembly.'
        : reason.trim() === ''
          ? 'Enter a reason: the history keeps it.'
          : null;
  const toggle = (id: string) => setLeft((before) => before.symmetricDifference(new Set([id])));
  return (
    <Dialog
      title={`Replace ${entity.number ?? entity.name}`}
      submit="Replace"
      onClose={onClose}
      busy={replace.isPending}
      error={replace.error}
      notYet={notYet}
      onSubmit={() =>
        replace.mutate({
          id: entity.id,
          body: {
            by: by?.id ?? '',
            parents: chosen.map(({ entityId }) => entityId),
            reason: reason.trim(),
          },
        })
      }
    >
      <EntityPicker label="Use instead" plays="item" value={by} onPick={setBy} autoFocus />
      {preview.isError && by !== null && <ProblemPanel error={preview.error} />}
      {by !== null && preview.data !== undefined && (
        <fieldset className={styles.plain}>
          <legend>
            {countText(chosen.length, 'assembly', 'assemblies')} of {quantityText(parents.length)}
          </legend>
          {parents.map((parent) => (
            <Checkbox
              key={parent.entityId}
              checked={parent.problem === null && !left.has(parent.entityId)}
              disabled={parent.problem !== null}
              onChange={() => toggle(parent.entityId)}
              label={`${parent.number ?? ''} ${parent.name}`.trim()}
              description={describe(parent)}
            />
          ))}
        </fieldset>
      )}
      <Textarea
        label="Reason"
        autosize
        minRows={2}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Dialog>
  );
}

function describe(parent: {
  quantity: number;
  quantityAfter: number;
  revised: boolean;
  revision: string;
  problem: string | null;
}): string {
  const { quantity, quantityAfter, revised, revision, problem } = parent;
  if (problem !== null) return problem;
  return [
    quantityAfter === quantity
      ? `quantity ${quantityText(quantity)}`
      : `quantity ${quantityText(quantity)}, with what it uses already ${quantityText(quantityAfter)}`,
    revised ? `opens revision ${revision}` : null,
  ]
    .filter((part) => part !== null)
    .join(', ');
}
