/** Adds a part to a structure, changes what its line says, or takes it out. */
import { useRef, useState } from 'react';
import type { Entity, Use, UseQuantity } from '../client/operations.ts';
import { Refusal } from '../client/request.ts';
import { Dialog } from '../components/dialog.tsx';
import { useAction } from '../components/use-action.ts';
import { ChangedMeanwhile } from './changed-meanwhile.tsx';
import styles from './entities.module.css';
import { EntityPicker, type PickedEntity } from './entity-picker.tsx';
import { differencesOf, LineFields, lineOf, textOfLine, typedOver } from './line-fields.tsx';

const CHANGES = [
  'listUses',
  'listWhereUsed',
  'getWhereUsedAll',
  'getTree',
  'getEntity',
  'listRevisions',
  'getRevision',
  'listRevisionUses',
  'compareRevisions',
] as const;

/** The first level as it was read, and the parent's tag from just before. */
export interface ReadUses {
  uses: readonly Use[];
  tag: string | null;
}

interface UseDialogProps {
  parent: Entity;
  /** Null: a new one. */
  use: Use | null;
  onClose: () => void;
  onDone: () => void;
}

interface Begun {
  /** The line as it was shown when the typing began; null where the part is not there yet. */
  use: Use | null;
  tag: string | null;
}

/** Of others' changes to other lines of the same parent so many are passed over. */
const RETRIES_MAX = 5;

export function UseDialog({
  parent,
  use,
  read,
  reread,
  onClose,
  onDone,
}: UseDialogProps & { read: ReadUses; reread: () => Promise<ReadUses | null> }) {
  const [child, setChild] = useState<PickedEntity | null>(
    use === null ? null : { id: use.entityId, number: use.number, name: use.name },
  );
  const [begun, setBegun] = useState<Begun>({ use, tag: read.tag });
  const shown = textOfLine(begun.use);
  const [text, setText] = useState(shown);
  /** What the line says by now, where somebody else was first. */
  const [meanwhile, setMeanwhile] = useState<Begun | null>(null);
  const tag = useRef(begun.tag);
  const set = useAction('setUse', {
    changes: CHANGES,
    headers: (): Record<string, string> => (tag.current === null ? {} : { 'If-Match': tag.current }),
    done: 'Structure changed.',
    onDone,
  });
  const line = lineOf(text, shown);
  const isStale = set.error instanceof Refusal && set.error.status === 412;
  const pick = (picked: PickedEntity | null) => {
    const there = read.uses.find(({ entityId }) => entityId === picked?.id) ?? null;
    setChild(picked);
    setBegun({ use: there, tag: read.tag });
    setText((typed) => typedOver(typed, shown, textOfLine(there)));
    setMeanwhile(null);
  };
  const send = (from: Begun, body: UseQuantity, retries = 0) => {
    if (child === null) return;
    tag.current = from.tag;
    set.mutate(
      { id: parent.id, childId: child.id, body },
      {
        onError: async (error) => {
          if (!(error instanceof Refusal) || error.status !== 412) return;
          const now = await reread();
          // The page says behind the dialog why it could not be read.
          if (now === null) return;
          const latest = {
            use: now.uses.find(({ entityId }) => entityId === child.id) ?? null,
            tag: now.tag,
          };
          // The tag is that of the whole parent: where this line is as it was shown, nobody is overwritten.
          const isSame =
            (latest.use === null) === (from.use === null) &&
            differencesOf(textOfLine(from.use), textOfLine(latest.use)).length === 0;
          if (isSame && retries < RETRIES_MAX) send(latest, body, retries + 1);
          else setMeanwhile(latest);
        },
      },
    );
  };
  const goOn = (latest: Begun) => {
    setText(typedOver(text, shown, textOfLine(latest.use)));
    setBegun(latest);
    setMeanwhile(null);
    set.reset();
  };
  const [of, to] = [child?.number ?? child?.name ?? '', parent.number ?? parent.name];
  return (
    <Dialog
      title={use === null ? `Add a part to ${to}` : `${of} in ${to}`}
      submit={begun.use === null ? 'Add' : 'Save'}
      onClose={onClose}
      busy={set.isPending}
      error={isStale ? null : set.error}
      notYet={
        child === null
          ? 'Choose a part.'
          : line === null
            ? 'The quantity must be above zero.'
            : meanwhile !== null
              ? 'Somebody else was first.'
              : null
      }
      onSubmit={() => line !== null && send(begun, line)}
    >
      {parent.released && <p>{to} is released: the change opens its next revision.</p>}
      {use === null && <EntityPicker label="Part" value={child} onPick={pick} />}
      {use === null && begun.use !== null && (
        <p role="status" className={styles.note}>
          {of} is in {to} already: this changes its line.
        </p>
      )}
      <LineFields text={text} onText={setText} focused={use !== null} />
      {meanwhile !== null && (
        <ChangedMeanwhile changes={meanwhileChanges(begun, meanwhile)} onKeep={() => goOn(meanwhile)} />
      )}
    </Dialog>
  );
}

function meanwhileChanges(begun: Begun, now: Begun) {
  if (begun.use === null || now.use !== null)
    return differencesOf(textOfLine(begun.use), textOfLine(now.use));
  return [{ name: 'Line', from: 'in the structure', to: 'taken out' }];
}

export function RemoveUseDialog({ parent, use, onClose, onDone }: UseDialogProps & { use: Use }) {
  const remove = useAction('removeUse', { changes: CHANGES, done: 'Taken out of the structure.', onDone });
  return (
    <Dialog
      title={`Take ${use.number ?? use.name} out`}
      submit="Take out"
      grave
      onClose={onClose}
      busy={remove.isPending}
      error={remove.error}
      onSubmit={() => remove.mutate({ id: parent.id, childId: use.entityId })}
    >
      <p>
        {parent.number ?? parent.name} no longer uses {use.number ?? use.name}. The part itself stays.
        {parent.released && ' The parent is released: the change opens its next revision.'}
      </p>
    </Dialog>
  );
}
