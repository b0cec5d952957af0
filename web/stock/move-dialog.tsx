/** Moves some of an item from one location to another, with a note in the ledger of both. */
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../client/ask.ts';
import type { ListedStockPosition } from '../client/operations.ts';
import { call } from '../client/request.ts';
import { notAsked } from '../components/dialogs/asked.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { fromMillionths, readQuantity, toMillionths } from '../components/forms/exact-quantity.ts';
import { QuantityInput } from '../components/forms/quantity-input.tsx';
import { useAction } from '../components/use-action.ts';
import { PartNumber, Quantity, quantityText } from '../components/words.tsx';
import { EntityPicker, type PickedEntity } from '../entities/entity-picker.tsx';
import { STOCK_CHANGES } from './adjust-dialog.tsx';
import { DayField, dayGiven } from './day-field.tsx';
import { isTracked, LotField, useTracking } from './lots/lot-fields.tsx';
import { pathText } from './place-name.tsx';
import styles from './stock.module.css';
import { inBaseUnit, UnitField, unitGiven, useUnits } from './unit-field.tsx';

export interface MoveDialogProps {
  item: PickedEntity | null;
  /** Where it is taken from, if some of it is there. */
  from: PickedEntity | null;
  onClose: () => void;
}

/** The length of a note that the service takes, less the names of the two places. */
const REASON_MAX = 1400;

export function MoveDialog({ item: givenItem, from: givenFrom, onClose }: MoveDialogProps) {
  const [item, setItem] = useState(givenItem);
  /** Null until it is known where the item is. What was shown once stays: nothing is taken from a place that nobody has chosen. */
  const [fromId, setFromId] = useState<string | null>(null);
  const [to, setTo] = useState<PickedEntity | null>(null);
  const [text, setText] = useState('');
  const [reason, setReason] = useState('');
  const [lot, setLot] = useState('');
  const tracking = useTracking(item?.id ?? null);
  const units = useUnits(item?.id ?? null);
  const [unit, setUnit] = useState('');
  const [day, setDay] = useState('');
  const [inTransit, setInTransit] = useState(false);
  const quantity = readQuantity(text);
  const query = useQuery({
    ...ask('listPositionsByItem', { itemEntityId: item?.id ?? '', query: { limit: 1000 } }),
    enabled: item !== null,
  });
  const positions = item === null ? [] : (query.data?.items ?? []);
  const places = positions.filter(
    ({ onHand, locationEntityId }) => onHand > 0 || locationEntityId === fromId,
  );
  const [first] = places;
  if (fromId === null && first !== undefined) {
    const given = places.find(({ locationEntityId }) => locationEntityId === givenFrom?.id);
    setFromId((given ?? first).locationEntityId);
  }
  const from = places.find(({ locationEntityId }) => locationEntityId === fromId);
  const there = positions.find(({ locationEntityId }) => locationEntityId === to?.id)?.onHand ?? 0;
  const move = useAction('transferStock', {
    changes: [...STOCK_CHANGES, 'listTransfersInTransit'],
    done: `${quantityText(quantity ?? 0)}${unit === '' ? '' : ` ${unit}`} of ${item?.number ?? item?.name ?? 'it'} ${inTransit ? 'sent' : 'moved'} to ${to === null ? '' : nameOf(to)}.`,
    undo: (_, { body }) => {
      if (body.inTransit === true) return null;
      const lines = body.lines.toReversed().map((line) => ({
        ...line,
        fromLocationEntityId: line.toLocationEntityId,
        toLocationEntityId: line.fromLocationEntityId,
      }));
      const headers = { 'Idempotency-Key': crypto.randomUUID() };
      return () => call('transferStock', { body: { lines, note: 'Undo' } }, { headers });
    },
    onDone: onClose,
  });
  const amount = quantity === null ? null : inBaseUnit(units, quantity, unit);
  const short = from !== undefined && amount !== null && amount > from.available;
  const notYet =
    item === null
      ? 'Choose an item.'
      : query.isPending
        ? 'Looking where it is…'
        : from === undefined
          ? (notAsked(query) ?? 'This item is not in stock.')
          : to === null
            ? 'Choose where it goes.'
            : to.id === from.locationEntityId
              ? 'It is there already.'
              : quantity === null || quantity <= 0
                ? 'The quantity must be above zero.'
                : isTracked(tracking) && lot.trim() === ''
                  ? 'Name the lot or serial number.'
                  : short
                    ? `Only ${quantityText(from.available)} are available there.`
                    : null;
  const pickItem = (picked: PickedEntity | null) => {
    setItem(picked);
    setFromId(null);
    setLot('');
    setUnit('');
  };
  const send = () => {
    if (item === null || from === undefined || to === null || quantity === null) return;
    const line = {
      itemEntityId: item.id,
      fromLocationEntityId: from.locationEntityId,
      toLocationEntityId: to.id,
      quantity,
      ...unitGiven(unit),
      ...(isTracked(tracking) ? { lot: lot.trim() } : {}),
    };
    const why = reason.trim() === '' ? '' : `: ${reason.trim()}`;
    const note = `${placeOf(from)} → ${nameOf(to)}${why}`;
    move.mutate({ body: { lines: [line], note, inTransit, ...dayGiven(day) } });
  };
  return (
    <Dialog
      title="Move stock"
      submit="Move"
      onClose={onClose}
      busy={move.isPending}
      error={move.error}
      notYet={notYet}
      onSubmit={send}
    >
      <EntityPicker label="Item" plays="item" value={item} onPick={pickItem} autoFocus={item === null} />
      <NativeSelect
        label="From"
        value={from?.locationEntityId ?? ''}
        disabled={places.length === 0}
        data={places.map((place) => ({
          value: place.locationEntityId,
          label: `${placeOf(place)}: ${quantityText(place.available)} available, ${pathText(place)}`,
        }))}
        // The field of a phone has no room for it.
        description={from === undefined ? undefined : pathText(from)}
        onChange={(event) => setFromId(event.currentTarget.value)}
      />
      <EntityPicker label="To" plays="location" value={to} onPick={setTo} autoFocus={item !== null} />
      <QuantityInput label="Quantity" value={text} onValue={setText} />
      <UnitField units={units} value={unit} onValue={setUnit} quantity={quantity} />
      {item !== null && isTracked(tracking) && (
        <LotField
          itemId={item.id}
          locationId={from?.locationEntityId ?? null}
          tracking={tracking}
          value={lot}
          onValue={setLot}
        />
      )}
      <DayField value={day} onValue={setDay} />
      <Checkbox
        label="It arrives later"
        description="It is in transit until somebody receives it under Transfers."
        checked={inTransit}
        onChange={(event) => setInTransit(event.currentTarget.checked)}
      />
      <TextInput
        label="Reason"
        value={reason}
        maxLength={REASON_MAX}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {from !== undefined && to !== null && to.id !== from.locationEntityId && amount !== null && (
        <p className={styles.balance} role="status">
          On hand at <PartNumber number={placeOf(from)} /> <Balance before={from.onHand} delta={-amount} />,
          at <PartNumber number={nameOf(to)} /> <Balance before={there} delta={inTransit ? 0 : amount} />
        </p>
      )}
    </Dialog>
  );
}

function Balance({ before, delta }: { before: number; delta: number }) {
  return (
    <>
      <Quantity value={before} />
      {delta !== 0 && (
        <>
          {' → '}
          <strong>
            <Quantity value={fromMillionths(toMillionths(before) + toMillionths(delta))} />
          </strong>
        </>
      )}
    </>
  );
}

function placeOf({ locationNumber, locationName }: ListedStockPosition): string {
  return locationNumber ?? locationName;
}

function nameOf({ number, name }: PickedEntity): string {
  return number ?? name;
}
