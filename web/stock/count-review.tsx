/** What a count would change, against the book as it is now; where stock moved meanwhile, which figure holds. */
import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { page } from '../client/ask.ts';
import { Dialog } from '../components/dialog.tsx';
import { fromMillionths, readQuantity, toMillionths } from '../components/exact-quantity.ts';
import { Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useAction } from '../components/use-action.ts';
import { countText, PartNumber, Quantity, quantityText } from '../components/words.tsx';
import type { PickedEntity } from '../entities/entity-picker.tsx';
import { STOCK_CHANGES } from './adjust-dialog.tsx';
import styles from './stock.module.css';
import { type CountLine, lineKey } from './use-count-sheet.ts';

/** Whether the figure is of before the movement or of after it. */
type Holds = 'before' | 'after';

export interface CountReviewProps {
  location: PickedEntity;
  lines: readonly CountLine[];
  /** Whether locations that lie in it are counted too. */
  below: boolean;
  onClose: () => void;
  onApplied: () => void;
}

export function CountReview({ location, lines, below, onClose, onApplied }: CountReviewProps) {
  const [holds, setHolds] = useState<Record<string, Holds>>({});
  const [note, setNote] = useState('Stock count');
  const now = useQuery({
    queryKey: ['listPositionsByLocation', location.id, below, 'review'],
    queryFn: ({ signal }) => onHandNow(location.id, below, signal),
    staleTime: 0,
    gcTime: 0,
  });
  const apply = useAction('countStock', {
    changes: STOCK_CHANGES,
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
  const decided = lines.map((line) => decide(line, now.data.get(lineKey(line)) ?? 0, holds[lineKey(line)]));
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
            // Counts that agree are recorded too. The figure that the review showed is sent along: stock that moves meanwhile is
            // refused, not overwritten.
            lines: decided.map(({ line, current, delta }) => ({
              item: line.item.id,
              location: line.location.id,
              countedQty: fromMillionths(toMillionths(current) + toMillionths(delta ?? 0)),
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
    </Dialog>
  );
}

function decide(line: CountLine, current: number, holds: Holds | undefined) {
  const counted = readQuantity(line.text) as number;
  const moved = toMillionths(current) !== toMillionths(line.seenOnHand);
  const basis = moved && holds === 'before' ? line.seenOnHand : current;
  const delta = moved && !holds ? null : fromMillionths(toMillionths(counted) - toMillionths(basis));
  return { line, current, counted, moved, delta };
}

async function onHandNow(
  locationEntityId: string,
  below: boolean,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  let cursor: string | undefined;
  do {
    const next = await page(
      'listPositionsByLocation',
      { locationEntityId, query: { below: below ? 'true' : 'false' } },
      { limit: 1000, cursor },
      signal,
    );
    for (const { itemEntityId, locationEntityId: at, onHand } of next.items)
      found.set(`${itemEntityId} ${at}`, onHand);
    cursor = next.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}
