/** Removes a part from a structure, but not a line that somebody else has changed meanwhile. */
import { useState } from 'react';
import type { Entity } from '../../client/operations.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { MeanwhileNotice } from '../../components/forms/changed-meanwhile.tsx';
import { useSavedForm } from '../../components/forms/use-saved-form.ts';
import { fieldsOfLine, tellLine } from './line-fields.tsx';
import { lineQuery, readLine } from './read-line.ts';
import { STRUCTURE_CHANGES } from './use-dialog.tsx';
import type { UseLine } from './use-order.ts';

interface RemoveUseDialogProps {
  parent: Entity;
  /** As it is shown. */
  use: UseLine;
  reread: () => Promise<unknown>;
  onClose: () => void;
  onDone: () => void;
}

export function RemoveUseDialog({ parent, use, reread, onClose, onDone }: RemoveUseDialogProps) {
  const [shown] = useState(use);
  const remove = useSavedForm('removeUse', {
    shown: fieldsOfLine(shown),
    read: async () => {
      const line = await readLine(parent.id, shown.entityId, shown.line);
      return { fields: fieldsOfLine(line.use), tag: line.tag };
    },
    tell: tellLine,
    onTheirs: reread,
    changes: STRUCTURE_CHANGES,
    done: 'Removed from the structure.',
    onDone,
  });
  const isGone = remove.theirs?.isThere === false;
  const changes = isGone ? null : remove.meanwhile;
  const [of, to] = [shown.number ?? shown.name, parent.number ?? parent.name];
  return (
    <Dialog
      title={`Remove ${of}`}
      submit={isGone ? 'Close' : changes === null ? 'Remove' : 'Remove anyway'}
      {...(isGone ? { leave: null } : {})}
      grave={!isGone}
      onClose={onClose}
      busy={remove.isPending}
      error={remove.error}
      onSubmit={() =>
        isGone ? onDone() : remove.save({ id: parent.id, childId: shown.entityId, ...lineQuery(shown.line) })
      }
    >
      {isGone ? (
        <p role="status">Someone else has already removed it.</p>
      ) : (
        <p>
          {shown.line === undefined
            ? `${of} is removed from the structure of ${to}. The item itself stays.`
            : `Line ${shown.line || 'without find number'} of ${of} is removed from ${to}. Its other lines stay.`}
          {parent.released && ' The parent is released: the change opens its next revision.'}
        </p>
      )}
      {changes !== null && (
        <MeanwhileNotice title="Someone else has changed this line. It was not removed." changes={changes} />
      )}
    </Dialog>
  );
}
