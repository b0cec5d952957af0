/** A delivery on an order: what is open is proposed line by line, less can be written, and all of it is booked or none. */
import { Button, TextInput } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { OrderWithLines, StockLine } from '../client/operations.ts';
import { Dialog } from '../components/dialog.tsx';
import { fromMillionths, readQuantity, toMillionths } from '../components/exact-quantity.ts';
import { useAction } from '../components/use-action.ts';
import { countText, PartNumber, Quantity, quantityText } from '../components/words.tsx';
import styles from './receive-order-dialog.module.css';
import { SUPPLY_CHANGES } from './supply-dialog.tsx';

/** What the service receives in one call. */
const LINES_MAX = 100;

/** Lines of which something can come. What is sold is shipped, and nothing comes of a draft. */
export function receivableLines({ type, lines }: OrderWithLines): StockLine[] {
  return type === 'salesOrder'
    ? []
    : lines.filter(({ state, openQty }) => state === 'Ordered' && openQty > 0);
}

interface Row {
  line: StockLine;
  text: string;
  /** What comes of the line; 0: nothing, null: it cannot be read. */
  now: number | null;
  wrong: string | null;
}

/** Beside what the line is now: somebody else may have received of it since the dialog was opened. */
function rowOf(line: StockLine, text: string): Row {
  const now = text.trim() === '' ? 0 : readQuantity(text);
  const wrong =
    now === null || now < 0
      ? 'Not a quantity.'
      : toMillionths(now) > toMillionths(line.openQty)
        ? `Only ${quantityText(line.openQty)} open.`
        : null;
  return { line, text, now, wrong };
}

function stillOpen({ line, now }: Row): number {
  return fromMillionths(toMillionths(line.openQty) - toMillionths(now ?? 0));
}

/** In the words of its status line: "This receives 2 lines in full, 1 line in part; 3 lines stay open." */
function outcomeText(rows: readonly Row[]): string {
  const coming = rows.filter(({ now }) => now !== null && now > 0);
  const inFull = coming.filter((row) => stillOpen(row) === 0).length;
  const inPart = coming.length - inFull;
  const parts = [
    ...(inFull > 0 ? [`${countText(inFull, 'line')} in full`] : []),
    ...(inPart > 0 ? [`${countText(inPart, 'line')} in part`] : []),
  ];
  const left = rows.length - inFull;
  const rest =
    left === 0 ? 'nothing stays open' : `${countText(left, 'line')} ${left === 1 ? 'stays' : 'stay'} open`;
  return `${parts.length === 0 ? 'Nothing is received' : `This receives ${parts.join(', ')}`}; ${rest}.`;
}

export function ReceiveOrderDialog({ order, onClose }: { order: OrderWithLines; onClose: () => void }) {
  // Those that were there when it was opened: a line that somebody adds meanwhile is not received unseen.
  const [opened] = useState(() => receivableLines(order));
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() =>
    fillIn(opened.slice(0, LINES_MAX)),
  );
  const [note, setNote] = useState('');
  const body = useRef<HTMLTableSectionElement>(null);
  const asked = new Set(opened.slice(0, LINES_MAX).map(({ id }) => id));
  const rows = receivableLines(order)
    .filter(({ id }) => asked.has(id))
    .map((line) => rowOf(line, texts[line.id] ?? ''));
  const coming = rows.flatMap(({ line, now }) =>
    now === null || now <= 0 ? [] : [{ lineId: line.id, quantity: now }],
  );
  const wrong = rows.find((row) => row.wrong !== null);
  const receive = useAction('receiveOrder', {
    changes: SUPPLY_CHANGES,
    done: `${countText(coming.length, 'line')} of ${order.number ?? 'the order'} received.`,
    onDone: onClose,
  });
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const fields = [...(body.current?.querySelectorAll('input') ?? [])];
    fields[fields.indexOf(event.currentTarget) + step]?.focus();
  };
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
          ? `${wrong.line.itemNumber ?? wrong.line.itemName}: ${wrong.wrong}`
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
      <div className={styles.head}>
        <p className="muted">
          Everything open is proposed. Write less where less came, and nothing where nothing did: all of it is
          booked, or none.
        </p>
        <span className={styles.fill}>
          <Button size="xs" variant="default" onClick={() => setTexts({})}>
            Clear all
          </Button>
          <Button size="xs" variant="default" onClick={() => setTexts(fillIn(rows.map(({ line }) => line)))}>
            Fill in what is open
          </Button>
        </span>
      </div>
      <div className={styles.scroller}>
        <table className={styles.table} aria-label="What came">
          <thead>
            <tr>
              <th>Item</th>
              <th>To</th>
              <th className="end">Open</th>
              <th className="end">Received now</th>
              <th className="end">Stays open</th>
            </tr>
          </thead>
          <tbody ref={body}>
            {rows.map((row, at) => (
              <tr key={row.line.id}>
                <td className={styles.item}>
                  <PartNumber number={row.line.itemNumber} />{' '}
                  <span className="muted">{row.line.itemName}</span>
                </td>
                <td data-label="To">
                  <span title={row.line.locationName}>
                    <PartNumber number={row.line.locationNumber} />
                  </span>
                </td>
                <td className="end" data-label="Open">
                  <Quantity value={row.line.openQty} />
                </td>
                <td className="end" data-label="Received now">
                  <input
                    className={styles.now}
                    data-autofocus={at === 0 ? '' : undefined}
                    inputMode="decimal"
                    autoComplete="off"
                    aria-label={`Received now of ${row.line.itemNumber ?? row.line.itemName}, line ${at + 1}`}
                    aria-invalid={row.wrong !== null}
                    placeholder="nothing"
                    value={row.text}
                    onChange={({ currentTarget: { value } }) =>
                      setTexts((before) => ({ ...before, [row.line.id]: value }))
                    }
                    onFocus={(event) => event.currentTarget.select()}
                    onKeyDown={onKeyDown}
                  />
                </td>
                <td className="end" data-label="Stays open">
                  {row.wrong === null ? (
                    <Quantity value={stillOpen(row)} />
                  ) : (
                    <span className="bad">{row.wrong}</span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
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

function fillIn(lines: readonly StockLine[]): Record<string, string> {
  return Object.fromEntries(lines.map(({ id, openQty }) => [id, String(openQty)]));
}
