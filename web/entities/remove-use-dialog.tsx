/** Takes a part out of a structure, and not what somebody else has made of its line meanwhile. */
import { useRef, useState } from 'react';
import type { Entity, Use } from '../client/operations.ts';
import { Refusal } from '../client/request.ts';
import { Dialog } from '../components/dialog.tsx';
import { Icon } from '../components/icons.tsx';
import { useAction } from '../components/use-action.ts';
import styles from './entities.module.css';
import { differencesOf, textOfLine } from './line-fields.tsx';
import { readLine } from './read-line.ts';
import { isSameLine, RETRIES_MAX, STRUCTURE_CHANGES } from './use-dialog.tsx';

interface Seen {
  use: Use;
  tag: string | null;
}

interface RemoveUseDialogProps {
  parent: Entity;
  /** As it is shown. */
  use: Use;
  /** The parent's, from before it was read. */
  tag: string | null;
  reread: () => Promise<unknown>;
  onClose: () => void;
  onDone: () => void;
}

export function RemoveUseDialog({ parent, use, tag, reread, onClose, onDone }: RemoveUseDialogProps) {
  const [shown] = useState(use);
  const [seen, setSeen] = useState<Seen>({ use, tag });
  /** Somebody else has taken it out. */
  const [isGone, setIsGone] = useState(false);
  const [unread, setUnread] = useState<Error | null>(null);
  const named = useRef(tag);
  const remove = useAction('removeUse', {
    changes: STRUCTURE_CHANGES,
    headers: (): Record<string, string> => (named.current === null ? {} : { 'If-Match': named.current }),
    done: 'Taken out of the structure.',
    onDone,
  });
  const send = (from: Seen, retries = 0) => {
    named.current = from.tag;
    setUnread(null);
    remove.mutate(
      { id: parent.id, childId: shown.entityId },
      {
        onError: async (error) => {
          if (!isAboutLine(error)) return;
          try {
            const { use: now, tag: latest } = await readLine(parent.id, shown.entityId);
            // The tag is that of the whole parent: others may change its other lines.
            if (now !== null && isSameLine(from.use, now) && retries < RETRIES_MAX)
              return send({ use: now, tag: latest }, retries + 1);
            if (now === null) setIsGone(true);
            else setSeen({ use: now, tag: latest });
          } catch (problem) {
            setUnread(problem as Error);
          }
          await reread();
        },
      },
    );
  };
  const [of, to] = [shown.number ?? shown.name, parent.number ?? parent.name];
  const changes = differencesOf(textOfLine(shown), textOfLine(seen.use));
  return (
    <Dialog
      title={`Take ${of} out`}
      submit={isGone ? 'Close' : changes.length > 0 ? 'Take out all the same' : 'Take out'}
      grave={!isGone}
      onClose={onClose}
      busy={remove.isPending}
      error={unread ?? (isAboutLine(remove.error) ? null : remove.error)}
      onSubmit={() => (isGone ? onDone() : send(seen))}
    >
      {isGone ? (
        <p role="status">Somebody else has taken it out already.</p>
      ) : (
        <p>
          {to} no longer uses {of}. The part itself stays.
          {parent.released && ' The parent is released: the change opens its next revision.'}
        </p>
      )}
      {!isGone && changes.length > 0 && (
        <div role="alert" className={styles.meanwhile}>
          <strong>
            <Icon name="warning" size={14} /> Somebody changed this line meanwhile. It is still there.
          </strong>
          <ul>
            {changes.map(({ name, from, to: now }) => (
              <li key={name}>
                {name}: {from} → {now}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Dialog>
  );
}

/** Whether it was refused because the parent is not as it was shown, or the part is no part of it any more. */
function isAboutLine(error: Error | null): boolean {
  return error instanceof Refusal && (error.status === 412 || error.code === 'use_not_found');
}
