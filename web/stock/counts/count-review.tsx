/** What a count would change, against the book as it is now; where stock moved meanwhile, which figure holds. */
import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../client/request.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { fromMillionths, readQuantity, toMillionths } from '../../components/forms/exact-quantity.ts';
import { Waiting } from '../../components/page-frame.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { useAction } from '../../components/use-action.ts';
import { countText, PartNumber, Quantity, quantityText } from '../../components/words.tsx';
import type { PickedEntity } from '../../entities/entity-picker.tsx';
import { STOCK_CHANGES } from '../adjust-dialog.tsx';
import { DayField, dayGiven } from '../day-field.tsx';
import styles from '../stock.module.css';
import { type CountLine, countedOf, lineKey } from './use-count-sheet.ts';

/** Whether the figure is of before the movement or of after it. */
type Holds = 'before' | 'after';

export interface CountReviewProps {
  location: PickedEntity;
  lines: readonly CountLine[];
  /** The count task that ends with it. */
  task: string | null;
  onClose: () => void;
  onApplied: () => void;
}

export function CountReview({ location, lines, task, onClose, onApplied }: CountReviewProps) {
  const [holds, setHolds] = useState<Record<string, Holds>>({});
  const [note, setNote] = useState('Stock count');
  const [day, setDay] = useState('');
  const now = useQuery({
    queryKey: ['countStock', location.id, 'review'],
    // A trial of the count says what the book has now, in lots too.
    queryFn: ({ signal }) =>
      call('countStock', { body: { dryRun: true, lines: lines.map(bodyOf) } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
  const apply = useAction('countStock', {
    changes: [...STOCK_CHANGES, 'listCountTasks', 'getMyWork'],
    done: ({ lines: counted, entries }) =>
      entries === 0
        ? `${countText(counted.length, 'position')} counted: all match.`
        : `${countText(entries, 'position')} corrected.`,
    onDone: onApplied,
  });
  if (now.data === undefined) {
    return (
      <Dialog
        title="Review the count"
        submit="Apply"
        onClose={onClose}
        onSubmit={() => {}}
        notYet="The book is being read."
      >
        {now.isError ? <ProblemPanel error={now.error} /> : <Waiting />}
      </Dialog>
    );
  }
  const decided = lines.map((line, at) =>
    decide(line, now.data.lines[at]?.onHand ?? 0, holds[lineKey(line)]),
  );
  const open = decided.filter(({ delta }) => delta === null);
  const changes = decided.filter(({ delta }) => delta !== null && delta !== 0);
  return (
    <Dialog
      title={`Review the count of ${location.number ?? location.name}`}
      submit={changes.length === 0 ? 'Record' : `Apply ${countText(changes.length, 'correction')}`}
      size="lg"
      onClose={onClose}
      busy={apply.isPending}
      error={apply.error}
      notYet={open.length > 0 ? 'Say for each line that moved which figure holds.' : null}
      onSubmit={() =>
        apply.mutate({
          body: {
            ...(note.trim() === '' ? {} : { note: note.trim() }),
            ...dayGiven(day),
            ...(task === null ? {} : { task }),
            // Counts that agree are recorded too. The figure that the review showed is sent along: stock that moves meanwhile is
            // refused, not overwritten.
            lines: decided.map(({ line, current, delta }) => ({
              ...bodyOf(line),
              ...countGiven(line, fromMillionths(toMillionths(current) + toMillionths(delta ?? 0))),
              seenOnHand: current,
            })),
          },
        })
      }
    >
      {changes.length + open.length === 0 ? (
        <p>All counts match the recorded stock.</p>
      ) : (
        <div className={styles.review}>
          <table>
            <thead>
              <tr>
                <th>Item</th>
                <th className="end">Recorded</th>
                <th className="end">Counted</th>
                <th className="end">Correction</th>
              </tr>
            </thead>
            <tbody>
              {decided
                .filter(({ delta, moved }) => delta !== 0 || moved)
                .map(({ line, current, counted, delta, moved }) => (
                  <tr key={lineKey(line)} data-moved={moved ? '' : undefined} className={styles.countRow}>
                    <td>
                      <PartNumber number={line.item.number} />
                      {line.lot !== null && ` ${line.lot}`}
                      {line.location.id !== location.id &&
                        ` at ${line.location.number ?? line.location.name}`}
                      {moved && (
                        <NativeSelect
                          label={`It moved by ${quantityText(current - line.seenOnHand, true)} since the sheet was written. The figure is of`}
                          value={holds[lineKey(line)] ?? ''}
                          data={[
                            { value: '', label: 'choose' },
                            { value: 'after', label: 'after the movement' },
                            { value: 'before', label: 'before the movement' },
                          ]}
                          onChange={(event) => {
                            const value = event.currentTarget.value as Holds;
                            setHolds((before) => ({ ...before, [lineKey(line)]: value }));
                          }}
                        />
                      )}
                    </td>
                    <td className="end">
                      <Quantity value={current} />
                    </td>
                    <td className="end">
                      <Quantity value={counted} />
                    </td>
                    <td className="end">{delta === null ? '?' : <Quantity value={delta} signed />}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      )}
      <TextInput label="Reason" value={note} onChange={(event) => setNote(event.currentTarget.value)} />
      <DayField value={day} onValue={setDay} />
    </Dialog>
  );
}

function decide(line: CountLine, current: number, holds: Holds | undefined) {
  const counted = countedOf(line) as number;
  const moved = toMillionths(current) !== toMillionths(line.seenOnHand);
  const basis = moved && holds === 'before' ? line.seenOnHand : current;
  const delta = moved && !holds ? null : fromMillionths(toMillionths(counted) - toMillionths(basis));
  return { line, current, counted, moved, delta };
}

/** Returns the fields of the count: as it was typed, or in the base unit where it is a figure of before a movement. */
function countGiven(line: CountLine, holding: number) {
  return line.unit !== undefined && holding === countedOf(line)
    ? { countedQty: readQuantity(line.text) as number, unit: line.unit.name }
    : { countedQty: holding };
}

function bodyOf(line: CountLine) {
  const { item, location, lot } = line;
  return withLot(
    { item: item.id, location: location.id, ...countGiven(line, countedOf(line) as number) },
    lot,
  );
}

function withLot<Of extends object>(line: Of, lot: string | null): Of & { lot?: string; newLot?: object } {
  // A lot that was found is new where the item has none of its number.
  return lot === null ? line : { ...line, lot, newLot: {} };
}
