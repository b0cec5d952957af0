/**
 * Receives or ships lines of an order. The open quantity of each line is filled in and can be changed. All lines are saved together.
 */
import { Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { OrderWithLines, StockLine } from '../../client/operations.ts';
import { Refusal } from '../../client/request.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useAction } from '../../components/use-action.ts';
import { countText, PartNumber, Quantity, quantityText } from '../../components/words.tsx';
import { EntityPicker, type PickedEntity } from '../../entities/entity-picker.tsx';
import { DayField, dayGiven } from '../../stock/day-field.tsx';
import {
  CostField,
  costFault,
  costGiven,
  ORDERED_COST,
  useCostCurrency,
} from '../../stock/value/cost-field.tsx';
import { allOpen, LINES_MAX, type OpenQuantity, openQuantityOf } from '../open-quantities.ts';
import { QuantityTable } from '../quantity-table.tsx';
import { SUPPLY_CHANGES } from '../supply-dialog.tsx';
import { useLotsOfLines } from './use-lots-of-lines.tsx';
import { useReceivable } from './use-receivable.ts';

interface Words {
  /** Name of the action. */
  act: string;
  done: string;
  label: string;
  place: string;
  nothingYet: string;
  change: string;
  slip: string;
}

const words: Record<'receive' | 'ship', Words> = {
  receive: {
    act: 'Receive',
    done: 'received',
    label: 'Received quantities',
    place: 'To',
    nothingYet: 'Enter a received quantity for at least one line.',
    change: 'Change what did not arrive.',
    slip: 'For example the number of the delivery note. The ledger shows it for each line.',
  },
  ship: {
    act: 'Ship',
    done: 'shipped',
    label: 'Shipped quantities',
    place: 'From',
    nothingYet: 'Enter a shipped quantity for at least one line.',
    change: 'Change what you do not ship.',
    slip: 'For example the parcel number. The ledger shows it for each line.',
  },
};

/** Sales orders are shipped; other orders are received. */
export function deliveryWordsOf({ type }: OrderWithLines): Words {
  return words[type === 'salesOrder' ? 'ship' : 'receive'];
}

/** Returns the lines that can be received or shipped. Drafts cannot. */
export function deliverableLines({ type, lines }: OrderWithLines): StockLine[] {
  return lines.filter(
    ({ state, openQty }) => openQty > 0 && (type === 'salesOrder' ? state !== 'Draft' : state === 'Ordered'),
  );
}

/** Returns the text of the status line: "This receives 2 lines in full, 1 line in part; 3 lines remain open." */
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
    open === 0
      ? 'no line remains open'
      : `${countText(open, 'line')} ${open === 1 ? 'remains' : 'remain'} open`;
  const first = `This ${act.toLowerCase()}s ${parts.join(', ')}`;
  return `${parts.length === 0 ? `No line is ${done}` : first}; ${rest}.`;
}

/** Returns the available quantity of each refused line, by its id and the refused text. */
function shortOf(error: unknown, asked: ReadonlyMap<string, string>): Map<string, string> {
  const { refusals = [] } = (error instanceof Refusal ? error.problem : {}) as {
    refusals?: { lineId?: string; reason: string; available: number }[];
  };
  return new Map(
    refusals.flatMap(({ lineId, reason, available }) =>
      lineId === undefined || reason !== 'available'
        ? []
        : [[`${lineId} ${asked.get(lineId) ?? ''}`, `Only ${quantityText(available)} available.`]],
    ),
  );
}

export function DeliveryDialog({ order, onClose }: { order: OrderWithLines; onClose: () => void }) {
  // The lines at the time of opening: a line that somebody adds meanwhile is not delivered unseen.
  const [opened] = useState(() => deliverableLines(order));
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() =>
    allOpen(opened.slice(0, LINES_MAX)),
  );
  const [note, setNote] = useState('');
  const [day, setDay] = useState('');
  const [location, setLocation] = useState<PickedEntity | null>(null);
  const [firstExpired, setFirstExpired] = useState(false);
  const [statesCosts, setStatesCosts] = useState(false);
  const [costs, setCosts] = useState<Readonly<Record<string, string>>>({});
  const currency = useCostCurrency();
  const [short, setShort] = useState<ReadonlyMap<string, string>>(new Map());
  const sells = order.type === 'salesOrder';
  const receivable = useReceivable();
  const said = deliveryWordsOf(order);
  const asked = new Set(opened.slice(0, LINES_MAX).map(({ id }) => id));
  const textOf = (id: string) => texts[id] ?? '';
  const rows = deliverableLines(order)
    .filter(({ id }) => asked.has(id))
    .map((line) => openQuantityOf(line, textOf(line.id), receivable(line)));
  const lots = useLotsOfLines(opened.slice(0, LINES_MAX));
  const takesFirst = sells && firstExpired;
  const lotsOf = (line: StockLine, quantity: number) => {
    if (!takesFirst) return lots.given(line, quantity);
    return lots.isOf(line) ? { lots: 'firstExpired' as const } : {};
  };
  const buys = order.type === 'purchaseOrder' && currency !== null;
  const hasCosts = buys && statesCosts;
  const costOf = ({ id }: StockLine) => (hasCosts ? (costs[id] ?? '') : '');
  const done = rows.flatMap(({ of: line, now }) => (now === null || now <= 0 ? [] : [{ line, now }]));
  const moving = done.map(({ line, now }) => ({
    lineId: line.id,
    quantity: now,
    ...lotsOf(line, now),
    ...costGiven(costOf(line)),
  }));
  const wrong =
    rows.find((row) => row.wrong !== null) ??
    done.flatMap(({ line, now }) => {
      const fault = (takesFirst ? null : lots.faultOf(line, now)) ?? costFault(costOf(line));
      return fault === null ? [] : [{ of: line, wrong: fault }];
    })[0];
  const moreOf = (line: StockLine, at: number) => {
    const fieldOfLots = takesFirst ? undefined : lots.fieldOf(line, at);
    if (!hasCosts) return fieldOfLots;
    return (
      <>
        {fieldOfLots}
        <CostField
          currency={currency}
          of={`${line.itemNumber ?? line.itemName}, line ${at + 1}`}
          otherwise={ORDERED_COST}
          value={costOf(line)}
          onValue={(cost) => setCosts((before) => ({ ...before, [line.id]: cost }))}
        />
      </>
    );
  };
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
          {
            id: order.id,
            body: {
              lines:
                location === null
                  ? moving
                  : moving.map((line) => ({ ...line, locationEntityId: location.id })),
              ...dayGiven(day),
              ...(note.trim() === '' ? {} : { note: note.trim() }),
            },
          },
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
        rows={rows.map(({ of: line, text, wrong: fault, left }, at) => ({
          id: line.id,
          itemNumber: line.itemNumber,
          itemName: line.itemName,
          text,
          // The refusal is shown until the quantity changes.
          wrong: fault ?? short.get(`${line.id} ${text}`) ?? null,
          before: [
            <span key="place" title={line.locationName}>
              <PartNumber number={line.locationNumber} />
            </span>,
            ...(sells ? [<Quantity key="reserved" value={line.reservedQty} />] : []),
            <Quantity key="open" value={line.openQty} />,
          ],
          after: <Quantity value={left} />,
          more: moreOf(line, at),
        }))}
        onType={(id, text) => setTexts((before) => ({ ...before, [id]: text }))}
        onClear={() => setTexts({})}
        onFill={() => setTexts(allOpen(rows.map(({ of }) => of)))}
      >
        All open quantities are filled in. {said.change} Everything is saved together.
      </QuantityTable>
      <p role="status">{outcomeText(rows, said)}</p>
      {opened.length > LINES_MAX && (
        <p className="muted">
          These are the first {LINES_MAX} of {opened.length} open lines. The others appear when these are{' '}
          {said.done}.
        </p>
      )}
      {sells && lots.areNeeded && (
        <Checkbox
          label="Take the lots that expire first"
          checked={firstExpired}
          onChange={(event) => setFirstExpired(event.currentTarget.checked)}
        />
      )}
      {buys && (
        <Checkbox
          label="State what it cost"
          checked={statesCosts}
          onChange={(event) => setStatesCosts(event.currentTarget.checked)}
        />
      )}
      {!sells && (
        <EntityPicker
          label="Put into (by default as planned)"
          plays="location"
          value={location}
          onPick={setLocation}
        />
      )}
      <DayField value={day} onValue={setDay} />
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
