/**
 * A delivery on an order, or one that goes out for it: what is open is proposed line by line, less can be written, and all
 * of it is booked or none.
 */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { OrderWithLines, StockLine } from '../client/operations.ts';
import { Refusal } from '../client/request.ts';
import { Dialog } from '../components/dialog.tsx';
import { useAction } from '../components/use-action.ts';
import { countText, PartNumber, Quantity, quantityText } from '../components/words.tsx';
import { allOpen, LINES_MAX, type OpenQuantity, openQuantityOf } from './open-quantities.ts';
import { QuantityTable } from './quantity-table.tsx';
import { SUPPLY_CHANGES } from './supply-dialog.tsx';

interface Words {
  /** What is done. */
  act: string;
  done: string;
  label: string;
  place: string;
  nothingYet: string;
  less: string;
  slip: string;
}

const words: Record<'receive' | 'ship', Words> = {
  receive: {
    act: 'Receive',
    done: 'received',
    label: 'What came',
    place: 'To',
    nothingYet: 'Write how much came of at least one line.',
    less: 'Write less where less came, and nothing where nothing did',
    slip: 'Such as the number of the delivery note: it stands in the ledger with each line.',
  },
  ship: {
    act: 'Ship',
    done: 'shipped',
    label: 'What goes out',
    place: 'From',
    nothingYet: 'Write how much goes out of at least one line.',
    less: 'Write less where less goes out, and nothing where nothing does',
    slip: 'Such as the number of the parcel: it stands in the ledger with each line.',
  },
};

/** What is sold is shipped, all else is received. */
export function deliveryWordsOf({ type }: OrderWithLines): Words {
  return words[type === 'salesOrder' ? 'ship' : 'receive'];
}

/** Lines of which something can come or go out. Nothing does of a draft. */
export function deliverableLines({ type, lines }: OrderWithLines): StockLine[] {
  return lines.filter(
    ({ state, openQty }) => openQty > 0 && (type === 'salesOrder' ? state !== 'Draft' : state === 'Ordered'),
  );
}

/** In the words of its status line: "This receives 2 lines in full, 1 line in part; 3 lines stay open." */
function outcomeText(rows: readonly OpenQuantity<StockLine>[], { act, done }: Words): string {
  const moving = rows.filter(({ now }) => now !== null && now > 0);
  const inFull = moving.filter(({ left }) => left === 0).length;
  const inPart = moving.length - inFull;
  const parts = [
    ...(inFull > 0 ? [`${countText(inFull, 'line')} in full`] : []),
    ...(inPart > 0 ? [`${countText(inPart, 'line')} in part`] : []),
  ];
  const open = rows.length - inFull;
  const rest =
    open === 0 ? 'nothing stays open' : `${countText(open, 'line')} ${open === 1 ? 'stays' : 'stay'} open`;
  const first = `This ${act.toLowerCase()}s ${parts.join(', ')}`;
  return `${parts.length === 0 ? `Nothing is ${done}` : first}; ${rest}.`;
}

/** What of each line there is not enough of could go out, by the line and the text that was refused. */
function shortOf(error: unknown, asked: ReadonlyMap<string, string>): Map<string, string> {
  const { refusals = [] } = (error instanceof Refusal ? error.problem : {}) as {
    refusals?: { lineId?: string; reason: string; available: number }[];
  };
  return new Map(
    refusals.flatMap(({ lineId, reason, available }) =>
      lineId === undefined || reason !== 'available'
        ? []
        : [
            [
              `${lineId} ${asked.get(lineId) ?? ''}`,
              `Only ${quantityText(available)} not promised to others.`,
            ],
          ],
    ),
  );
}

export function DeliveryDialog({ order, onClose }: { order: OrderWithLines; onClose: () => void }) {
  // Those that were there when it was opened: a line that somebody adds meanwhile is not delivered unseen.
  const [opened] = useState(() => deliverableLines(order));
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() =>
    allOpen(opened.slice(0, LINES_MAX)),
  );
  const [note, setNote] = useState('');
  const [short, setShort] = useState<ReadonlyMap<string, string>>(new Map());
  const sells = order.type === 'salesOrder';
  const said = deliveryWordsOf(order);
  const asked = new Set(opened.slice(0, LINES_MAX).map(({ id }) => id));
  const textOf = (id: string) => texts[id] ?? '';
  const rows = deliverableLines(order)
    .filter(({ id }) => asked.has(id))
    .map((line) => openQuantityOf(line, textOf(line.id)));
  const moving = rows.flatMap(({ of: line, now }) =>
    now === null || now <= 0 ? [] : [{ lineId: line.id, quantity: now }],
  );
  const wrong = rows.find((row) => row.wrong !== null);
  const deliver = useAction(sells ? 'shipOrder' : 'receiveOrder', {
    changes: SUPPLY_CHANGES,
    done: (_, { body }) =>
      `${countText(body?.lines?.length ?? 0, 'line')} of ${order.number ?? 'the order'} ${said.done}.`,
    onDone: onClose,
  });
  const figure = (header: string) => ({ header, isFigure: true });
  return (
    <Dialog
      title={`${said.act} ${order.number ?? 'the order'}`}
      submit={moving.length === 0 ? said.act : `${said.act} ${countText(moving.length, 'line')}`}
      size="xl"
      onClose={onClose}
      busy={deliver.isPending}
      error={deliver.error}
      notYet={
        wrong !== undefined
          ? `${wrong.of.itemNumber ?? wrong.of.itemName}: ${wrong.wrong}`
          : moving.length === 0
            ? said.nothingYet
            : null
      }
      onSubmit={() => {
        const sent = new Map(moving.map(({ lineId }) => [lineId, textOf(lineId)]));
        deliver.mutate(
          { id: order.id, body: { lines: moving, ...(note.trim() === '' ? {} : { note: note.trim() }) } },
          { onError: (error) => setShort(shortOf(error, sent)) },
        );
      }}
    >
      <QuantityTable
        label={said.label}
        before={[
          { header: said.place },
          ...(sells ? [{ ...figure('Reserved'), isAside: true }] : []),
          figure('Open'),
        ]}
        field={`${said.done[0]?.toUpperCase()}${said.done.slice(1)} now`}
        after="Remaining"
        rows={rows.map(({ of: line, text, wrong: fault, left }) => ({
          id: line.id,
          itemNumber: line.itemNumber,
          itemName: line.itemName,
          text,
          // Until something else is written: then it is to be tried again.
          wrong: fault ?? short.get(`${line.id} ${text}`) ?? null,
          before: [
            <span key="place" title={line.locationName}>
              <PartNumber number={line.locationNumber} />
            </span>,
            ...(sells ? [<Quantity key="reserved" value={line.reservedQty} />] : []),
            <Quantity key="open" value={line.openQty} />,
          ],
          after: <Quantity value={left} />,
        }))}
        onType={(id, text) => setTexts((before) => ({ ...before, [id]: text }))}
        onClear={() => setTexts({})}
        onFill={() => setTexts(allOpen(rows.map(({ of }) => of)))}
      >
        Everything open is proposed. {said.less}: all of it is booked, or none.
      </QuantityTable>
      <p role="status">{outcomeText(rows, said)}</p>
      {opened.length > LINES_MAX && (
        <p className="muted">
          These are the first {LINES_MAX} of {opened.length} open lines: the others follow when these are{' '}
          {said.done}.
        </p>
      )}
      <TextInput
        label="Note"
        description={said.slip}
        value={note}
        maxLength={2000}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </Dialog>
  );
}
