/** Adds a part to a structure, or changes what its line says. */
import { Checkbox } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Entity, Use } from '../../client/operations.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { ChangedMeanwhile, SOMEBODY_FIRST } from '../../components/forms/changed-meanwhile.tsx';
import { useSavedForm } from '../../components/forms/use-saved-form.ts';
import styles from '../entities.module.css';
import { EntityPicker, type PickedEntity } from '../entity-picker.tsx';
import { fieldsOfLine, LineFields, lineFault, lineOf, tellLine } from './line-fields.tsx';
import { lineQuery, readLine } from './read-line.ts';
import type { UseLine } from './use-order.ts';

export const STRUCTURE_CHANGES = [
  'listUses',
  'getUse',
  'listWhereUsed',
  'getWhereUsedAll',
  'getTree',
  'getEntity',
  'listRevisions',
  'getRevision',
  'listRevisionUses',
  'compareRevisions',
] as const;

/** The first level as it was read. */
export interface ReadUses {
  uses: readonly Use[];
  /** Of a very large level only its beginning has been read: whether a part is in the rest nobody knows here. */
  isWhole: boolean;
}

interface UseDialogProps {
  parent: Entity;
  /** Null: a new one. */
  use: UseLine | null;
  onClose: () => void;
  onDone: () => void;
}

export function UseDialog({
  parent,
  use,
  read,
  reread,
  onClose,
  onDone,
}: UseDialogProps & { read: ReadUses; reread: () => Promise<unknown> }) {
  const [child, setChild] = useState<PickedEntity | null>(
    use === null ? null : { id: use.entityId, number: use.number, name: use.name },
  );
  /** Whether the structure is still asked for the line of the picked part, or why that failed. */
  const [asking, setAsking] = useState<boolean | Error>(false);
  const picked = useRef<string | null>(null);
  const [isFurther, setFurther] = useState(false);
  /** The find number of the line that the dialog is about, where the part has or gets several. */
  const lineAt = useRef(use?.line);
  const form = useSavedForm('setUse', {
    shown: fieldsOfLine(use),
    read:
      child &&
      (async () => {
        const line = await readLine(parent.id, child.id, lineAt.current);
        return { fields: fieldsOfLine(line.use), tag: line.tag };
      }),
    tell: tellLine,
    onTheirs: reread,
    changes: STRUCTURE_CHANGES,
    done: ({ warnings }) => ['Structure changed.', ...warnings.map(({ message }) => message)].join(' '),
    onDone,
  });
  const { begun } = form;
  const line = lineOf(form.form, begun);
  if (isFurther) lineAt.current = form.form.findNumber.trim();
  const there = child === null ? null : (read.uses.find(({ entityId }) => entityId === child.id) ?? null);
  const addFurther = (further: boolean) => {
    setFurther(further);
    lineAt.current = further ? '' : undefined;
    form.restart(fieldsOfLine(further ? null : there));
  };
  const pick = async (part: PickedEntity | null) => {
    picked.current = part?.id ?? null;
    setChild(part);
    setFurther(false);
    lineAt.current = undefined;
    const there = read.uses.find(({ entityId }) => entityId === part?.id) ?? null;
    form.restart(fieldsOfLine(there));
    const isKnown = part === null || there !== null || read.isWhole;
    setAsking(!isKnown);
    if (isKnown) return;
    try {
      const line = await readLine(parent.id, part.id);
      if (picked.current !== part.id) return;
      form.restart(fieldsOfLine(line.use));
      setAsking(false);
    } catch (error) {
      if (picked.current === part.id) setAsking(error as Error);
    }
  };
  const [of, to] = [child?.number ?? child?.name ?? '', parent.number ?? parent.name];
  return (
    <Dialog
      title={use === null ? `Add a part to ${to}` : `${of} in ${to}`}
      submit={begun.isThere ? 'Save' : 'Add'}
      onClose={onClose}
      busy={form.isPending}
      error={asking instanceof Error ? asking : form.error}
      notYet={
        child === null
          ? 'Choose a part.'
          : asking === true
            ? 'Looking whether it is there already.'
            : isFurther && lineAt.current === ''
              ? 'Type the find number of the further line.'
              : asking !== false && !begun.isThere && form.meanwhile === null
                ? 'Choose the part again.'
                : line === null
                  ? lineFault(form.form)
                  : form.meanwhile !== null
                    ? SOMEBODY_FIRST
                    : null
      }
      onSubmit={() =>
        line !== null &&
        child !== null &&
        form.save({ id: parent.id, childId: child.id, ...lineQuery(lineAt.current), body: line })
      }
    >
      {parent.released && <p>{to} is released: the change opens its next revision.</p>}
      {use === null && <EntityPicker label="Part" value={child} onPick={(part) => void pick(part)} />}
      {use === null && begun.isThere && (
        <p role="status" className={styles.note}>
          {of} is in {to} already: this changes its line.
        </p>
      )}
      {use === null && there !== null && (
        <Checkbox
          label="Add a further line of this part, with its own find number"
          checked={isFurther}
          onChange={(event) => addFurther(event.currentTarget.checked)}
        />
      )}
      <LineFields itemId={child?.id ?? null} text={form.form} onText={form.set} focused={use !== null} />
      <ChangedMeanwhile form={form} />
    </Dialog>
  );
}
