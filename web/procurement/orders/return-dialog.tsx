/** Returns goods of an order: to the supplier, or from the customer. */
import { Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { OrderWithLines, StockLine } from '../../client/operations.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { fromMillionths, toMillionths } from '../../components/forms/exact-quantity.ts';
import { useAction } from '../../components/use-action.ts';
import { countText, PartNumber, Quantity } from '../../components/words.tsx';
import { EntityPicker, type PickedEntity } from '../../entities/entity-picker.tsx';
import { DayField, dayGiven } from '../../stock/day-field.tsx';
import { LINES_MAX, openQuantityOf } from '../open-quantities.ts';
import { QuantityTable } from '../quantity-table.tsx';
import { SUPPLY_CHANGES } from '../supply-dialog.tsx';
import { useLotsOfLines } from './use-lots-of-lines.tsx';

/** Lines of which something was delivered and not returned. Made goods have no one to go back to. */
export function returnableLines({ type, lines }: OrderWithLines): StockLine[] {
  return type === 'manufacturingOrder' ? [] : lines.filter((line) => returnableOf(line) > 0);
}

function returnableOf({ receivedQty, shippedQty, returnedQty }: StockLine): number {
  return fromMillionths(toMillionths(receivedQty) + toMillionths(shippedQty) - toMillionths(returnedQty));
}

export function ReturnDialog({ order, onClose }: { order: OrderWithLines; onClose: () => void }) {
  const sells = order.type === 'salesOrder';
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [reason, setReason] = useState('');
  const [note, setNote] = useState('');
  const [day, setDay] = useState('');
  const [replace, setReplace] = useState(false);
  const [location, setLocation] = useState<PickedEntity | null>(null);
  const rows = returnableLines(order)
    .slice(0, LINES_MAX)
    .map((line) => ({ ...openQuantityOf({ openQty: returnableOf(line) }, texts[line.id] ?? ''), line }));
  const lots = useLotsOfLines(rows.map(({ line }) => line));
  const going = rows.flatMap(({ line, now }) => (now === null || now <= 0 ? [] : [{ line, now }]));
  const moving = going.map(({ line, now }) => ({ lineId: line.id, quantity: now, ...lots.given(line, now) }));
  const wrong =
    rows.find((row) => row.wrong !== null) ??
    going.flatMap(({ line, now }) => {
      const fault = lots.faultOf(line, now);
      return fault === null ? [] : [{ line, wrong: fault }];
    })[0];
  const giveBack = useAction('returnOrder', {
    changes: SUPPLY_CHANGES,
    done: (_, { body }) =>
      `${countText(body.lines.length, 'line')} of ${order.number ?? 'the order'} returned.`,
    onDone: onClose,
  });
  const more = {
    ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
    ...(location === null ? {} : { locationEntityId: location.id }),
  };
  return (
    <Dialog
      title={
        sells
          ? `Return from the customer: ${order.number ?? 'order'}`
          : `Return to the supplier: ${order.number ?? 'order'}`
      }
      submit={moving.length === 0 ? 'Return' : `Return ${countText(moving.length, 'line')}`}
      size="xl"
      onClose={onClose}
      busy={giveBack.isPending}
      error={giveBack.error}
      notYet={
        wrong !== undefined
          ? `${wrong.line.itemNumber ?? wrong.line.itemName}: ${wrong.wrong}`
          : moving.length === 0
            ? 'Enter how much of at least one line goes back.'
            : null
      }
      onSubmit={() =>
        giveBack.mutate({
          id: order.id,
          body: {
            lines: moving.map((line) => ({ ...line, ...more })),
            replace,
            ...dayGiven(day),
            ...(note.trim() === '' ? {} : { note: note.trim() }),
          },
        })
      }
    >
      <QuantityTable
        label="What goes back"
        before={[{ header: sells ? 'To' : 'From' }, { header: 'Can go back', isFigure: true }]}
        field="Return now"
        after="Remaining"
        fill="Use all that can go back"
        rows={rows.map(({ line, text, wrong: fault, left }, at) => ({
          id: line.id,
          itemNumber: line.itemNumber,
          itemName: line.itemName,
          text,
          wrong: fault,
          before: [
            <span key="place" title={location?.name ?? line.locationName}>
              <PartNumber number={location === null ? line.locationNumber : location.number} />
            </span>,
            <Quantity key="returnable" value={returnableOf(line)} />,
          ],
          after: <Quantity value={left} />,
          more: lots.fieldOf(line, at),
        }))}
        onType={(id, text) => setTexts((before) => ({ ...before, [id]: text }))}
        onClear={() => setTexts({})}
        onFill={() =>
          setTexts(Object.fromEntries(rows.map(({ line }) => [line.id, String(returnableOf(line))])))
        }
      >
        {sells
          ? 'On hand rises. What was shipped stays as it is.'
          : 'On hand falls. What was received stays as it is.'}
      </QuantityTable>
      {!sells && (
        <Checkbox
          label="The supplier replaces it"
          description="On order rises by what is returned, and the line is open again."
          checked={replace}
          onChange={(event) => setReplace(event.currentTarget.checked)}
        />
      )}
      <EntityPicker
        label={
          sells
            ? 'Put into (by default the location of each line)'
            : 'Taken from (by default the location of each line)'
        }
        plays="location"
        value={location}
        onPick={setLocation}
      />
      <DayField value={day} onValue={setDay} />
      <TextInput
        label="Reason"
        value={reason}
        maxLength={50}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <TextInput
        label="Note"
        value={note}
        maxLength={2000}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </Dialog>
  );
}
