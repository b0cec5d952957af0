/** Adds a part to a structure, or changes what its line says. */
import { useRef, useState } from 'react';
import type { Entity, Use, UseQuantity } from '../client/operations.ts';
import { Refusal } from '../client/request.ts';
import { Dialog } from '../components/dialog.tsx';
import { useAction } from '../components/use-action.ts';
import { ChangedMeanwhile, SOMEBODY_FIRST } from './changed-meanwhile.tsx';
import styles from './entities.module.css';
import { EntityPicker, type PickedEntity } from './entity-picker.tsx';
import { differencesOf, LineFields, lineOf, textOfLine, typedOver } from './line-fields.tsx';
import { type ReadLine, readLine } from './read-line.ts';

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

/** The first level as it was read, and the parent's tag from just before. */
export interface ReadUses {
  uses: readonly Use[];
  /** Of a very large level only its beginning has been read: whether a part is in the rest nobody knows here. */
  isWhole: boolean;
  tag: string | null;
}

interface UseDialogProps {
  parent: Entity;
  /** Null: a new one. */
  use: Use | null;
  onClose: () => void;
  onDone: () => void;
}

/** The line as it was shown when the typing began. */
type Begun = ReadLine;

/** Of others' changes to other lines of the same parent so many are passed over. */
export const RETRIES_MAX = 5;

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
  const [begun, setBegun] = useState<Begun>({ use, tag: read.tag });
  const shown = textOfLine(begun.use);
  const [text, setText] = useState(shown);
  /** What the line says by now, where somebody else was first. */
  const [meanwhile, setMeanwhile] = useState<Begun | null>(null);
  /** Whether what is in the structure of the picked part is still being asked for, or why that is not known. */
  const [asking, setAsking] = useState<boolean | Error>(false);
  const picked = useRef<string | null>(null);
  const tag = useRef(begun.tag);
  const set = useAction('setUse', {
    changes: STRUCTURE_CHANGES,
    headers: (): Record<string, string> => (tag.current === null ? {} : { 'If-Match': tag.current }),
    done: 'Structure changed.',
    onDone,
  });
  const line = lineOf(text, shown);
  const isStale = set.error instanceof Refusal && set.error.status === 412;
  const begin = (line: Begun) => {
    setBegun(line);
    setText((typed) => typedOver(typed, shown, textOfLine(line.use)));
  };
  const pick = async (part: PickedEntity | null) => {
    picked.current = part?.id ?? null;
    setChild(part);
    setMeanwhile(null);
    const there = read.uses.find(({ entityId }) => entityId === part?.id) ?? null;
    begin({ use: there, tag: read.tag });
    const isKnown = part === null || there !== null || read.isWhole;
    setAsking(!isKnown);
    if (isKnown) return;
    try {
      const line = await readLine(parent.id, part.id);
      if (picked.current !== part.id) return;
      begin(line);
      setAsking(false);
    } catch (error) {
      if (picked.current === part.id) setAsking(error as Error);
    }
  };
  const send = (from: Begun, body: UseQuantity, retries = 0) => {
    if (child === null) return;
    tag.current = from.tag;
    set.mutate(
      { id: parent.id, childId: child.id, body },
      {
        onError: async (error) => {
          if (!(error instanceof Refusal) || error.status !== 412) return;
          try {
            const latest = await readLine(parent.id, child.id);
            // The tag is that of the whole parent: where this line is as it was shown, nobody is overwritten.
            if (isSameLine(from.use, latest.use) && retries < RETRIES_MAX)
              return send(latest, body, retries + 1);
            setMeanwhile(latest);
          } catch (problem) {
            setAsking(problem as Error);
          }
          await reread();
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
      error={asking instanceof Error ? asking : isStale ? null : set.error}
      notYet={
        child === null
          ? 'Choose a part.'
          : asking === true
            ? 'Looking whether it is there already.'
            : asking !== false && begun.use === null && meanwhile === null
              ? 'Choose the part again.'
              : line === null
                ? 'The quantity must be above zero.'
                : meanwhile !== null
                  ? SOMEBODY_FIRST
                  : null
      }
      onSubmit={() => line !== null && send(begun, line)}
    >
      {parent.released && <p>{to} is released: the change opens its next revision.</p>}
      {use === null && <EntityPicker label="Part" value={child} onPick={(part) => void pick(part)} />}
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

/** Whether nobody has changed the line meanwhile. */
export function isSameLine(shown: Use | null, now: Use | null): boolean {
  return (
    (shown === null) === (now === null) && differencesOf(textOfLine(shown), textOfLine(now)).length === 0
  );
}

function meanwhileChanges(begun: Begun, now: Begun) {
  if (begun.use === null || now.use !== null)
    return differencesOf(textOfLine(begun.use), textOfLine(now.use));
  return [{ name: 'Line', from: 'in the structure', to: 'taken out' }];
}
