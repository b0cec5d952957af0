/** A delivery on an order: what is open is proposed line by line, less can be written, and all of it is booked or none. */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { OrderWithLines, StockLine } from '../client/operations.ts';
import { Dialog } from '../components/dialog.tsx';
import { useAction } from '../components/use-action.ts';
import { countText, PartNumber, Quantity } from '../components/words.tsx';
import { allOpen, LINES_MAX, type OpenQuantity, openQuantityOf } from './open-quantities.ts';
import { QuantityTable } from './quantity-table.tsx';
import { SUPPLY_CHANGES } from './supply-dialog.tsx';

/** Lines of which something can come. What is sold is shipped, and nothing comes of a draft. */
export function receivableLines({ type, lines }: OrderWithLines): StockLine[] {
  return type === 'salesOrder'
    ? []
    : lines.filter(({ state, openQty }) => state === 'Ordered' && openQty > 0);
}

/** In the words of its status line: "This receives 2 lines in full, 1 line in part; 3 lines stay open." */
function outcomeText(rows: readonly OpenQuantity<StockLine>[]): string {
  const coming = rows.filter(({ now }) => now !== null && now > 0);
  const inFull = coming.filter(({ left }) => left === 0).length;
  const inPart = coming.length - inFull;
  const parts = [
    ...(inFull > 0 ? [`${countText(inFull, 'line')} in full`] : []),
    ...(inPart > 0 ? [`${countText(inPart, 'line')} in part`] : []),
  ];
  const open = rows.length - inFull;
  const rest =
    open === 0 ? 'nothing stays open' : `${countText(open, 'line')} ${open === 1 ? 'stays' : 'stay'} open`;
  return `${parts.length === 0 ? 'Nothing is received' : `This receives ${parts.join(', ')}`}; ${rest}.`;
}

export function ReceiveOrderDialog({ order, onClose }: { order: OrderWithLines; onClose: () => void }) {
  // Those that were there when it was opened: a line that somebody adds meanwhile is not received unseen.
  const [opened] = useState(() => receivableLines(order));
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() =>
    allOpen(opened.slice(0, LINES_MAX)),
  );
  const [note, setNote] = useState('');
  const asked = new Set(opened.slice(0, LINES_MAX).map(({ id }) => id));
  const rows = receivableLines(order)
    .filter(({ id }) => asked.has(id))
    .map((line) => openQuantityOf(line, texts[line.id] ?? ''));
  const coming = rows.flatMap(({ of: line, now }) =>
    now === null || now <= 0 ? [] : [{ lineId: line.id, quantity: now }],
  );
  const wrong = rows.find((row) => row.wrong !== null);
  const receive = useAction('receiveOrder', {
    changes: SUPPLY_CHANGES,
    done: `${countText(coming.length, 'line')} of ${order.number ?? 'the order'} received.`,
    onDone: onClose,
  });
  return (
    <Dialog
      title={`Receive ${order.number ?? 'the order'}`}
      submit={coming.length === 0 ? 'Receive' : `Receive ${countText(coming.length, 'line')}`}
      size="xl"
      onClose={onClose}
      busy={receive.isPending}
      error={receive.error}
      notYet={
        wrong !== undefined
          ? `${wrong.of.itemNumber ?? wrong.of.itemName}: ${wrong.wrong}`
          : coming.length === 0
            ? 'Write how much came of at least one line.'
            : null
      }
      onSubmit={() =>
        receive.mutate({
          id: order.id,
          body: { lines: coming, ...(note.trim() === '' ? {} : { note: note.trim() }) },
        })
      }
    >
      <QuantityTable
        label="What came"
        before={[{ header: 'To' }, { header: 'Open', isFigure: true }]}
        field="Received now"
        after="Stays open"
        rows={rows.map(({ of: line, text, wrong: fault, left }) => ({
          id: line.id,
          itemNumber: line.itemNumber,
          itemName: line.itemName,
          text,
          wrong: fault,
          before: [
            <span key="to" title={line.locationName}>
              <PartNumber number={line.locationNumber} />
            </span>,
            <Quantity key="open" value={line.openQty} />,
          ],
          after: <Quantity value={left} />,
        }))}
        onType={(id, text) => setTexts((before) => ({ ...before, [id]: text }))}
        onClear={() => setTexts({})}
        onFill={() => setTexts(allOpen(rows.map(({ of }) => of)))}
      >
        Everything open is proposed. Write less where less came, and nothing where nothing did: all of it is
        booked, or none.
      </QuantityTable>
      <p role="status">{outcomeText(rows)}</p>
      {opened.length > LINES_MAX && (
        <p className="muted">
          These are the first {LINES_MAX} of {opened.length} open lines: the others follow when these are
          received.
        </p>
      )}
      <TextInput
        label="Note"
        description="Such as the number of the delivery note: it stands in the ledger with each line."
        value={note}
        maxLength={2000}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </Dialog>
  );
}
