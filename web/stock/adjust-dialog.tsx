/** A manual adjustment: adds, removes, or sets what is on hand. The balance after it is shown, and an error keeps what was typed. */
import { NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../client/ask.ts';
import { call } from '../client/request.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import {
  fromMillionths,
  readQuantity,
  toMillionths,
  typedQuantity,
} from '../components/forms/exact-quantity.ts';
import { QuantityInput } from '../components/forms/quantity-input.tsx';
import { useAction } from '../components/use-action.ts';
import { Quantity, quantityText } from '../components/words.tsx';
import { EntityPicker, type PickedEntity } from '../entities/entity-picker.tsx';
import { DayField, dayGiven } from './day-field.tsx';
import { isTracked, LotField, useTracking } from './lots/lot-fields.tsx';
import styles from './stock.module.css';
import { inBaseUnit, UnitField, unitGiven, useUnits } from './unit-field.tsx';
import { CostField, costFault, costGiven, useCostCurrency } from './value/cost-field.tsx';
import { VALUE_CHANGES } from './value/value-words.ts';

export interface AdjustDialogProps {
  item: PickedEntity | null;
  location: PickedEntity | null;
  onClose: () => void;
}

const WAYS = ['Add', 'Remove', 'Set'] as const;
type Way = (typeof WAYS)[number];

/** What the adjustment adds. A negative quantity that is typed is taken as it is. */
function changeOf(way: Way, typed: number, onHand: number): number {
  if (way === 'Add') return typed;
  if (way === 'Remove') return fromMillionths(-toMillionths(typed));
  return fromMillionths(toMillionths(typed) - toMillionths(onHand));
}

export const STOCK_CHANGES = [
  'listLotHolds',
  'listPositionsByItem',
  'listPositionsByLocation',
  'listPositions',
  'listLedger',
  'listLedgerByItem',
  'listLedgerByLocation',
  'listLots',
  'getLot',
  'getTracking',
  'getItemUnits',
  'proposeLots',
  ...VALUE_CHANGES,
] as const;

export function AdjustDialog({ item: givenItem, location: givenLocation, onClose }: AdjustDialogProps) {
  const [item, setItem] = useState(givenItem);
  const [location, setLocation] = useState(givenLocation);
  const [text, setText] = useState('');
  const [way, setWay] = useState<Way>('Add');
  const [note, setNote] = useState('');
  const [reason, setReason] = useState('');
  const settings = useQuery(ask('getStockSettings', {}));
  const reasons = settings.data?.adjustmentReasons ?? [];
  const [lot, setLot] = useState('');
  const [expiresOn, setExpiresOn] = useState('');
  const tracking = useTracking(item?.id ?? null);
  const units = useUnits(item?.id ?? null);
  const [unit, setUnit] = useState('');
  const [day, setDay] = useState('');
  const [cost, setCost] = useState('');
  const currency = useCostCurrency();
  if (isTracked(tracking) && way === 'Set') setWay('Add');
  const typed = readQuantity(text);
  const positions = useQuery({
    ...ask('listPositionsByItem', { itemEntityId: item?.id ?? '', query: { limit: 1000 } }),
    enabled: item !== null,
  });
  const position = positions.data?.items.find(({ locationEntityId }) => locationEntityId === location?.id);
  const onHand = position?.onHand ?? 0;
  // What is on hand is in the base unit.
  if (way === 'Set' && unit !== '') setUnit('');
  const quantity = typed === null ? null : changeOf(way, typed, onHand);
  const amount = quantity === null ? null : inBaseUnit(units, quantity, unit);
  const after = fromMillionths(toMillionths(onHand) + toMillionths(amount ?? 0));
  const adjust = useAction('postAdjustment', {
    changes: STOCK_CHANGES,
    done: (made) => {
      // A plan has no entry, and none was asked for.
      if (!('entry' in made)) return 'Nothing was written.';
      const { entry, position: now } = made;
      return `${quantityText(entry.quantity, true)} ${now.itemNumber ?? now.itemName}: ${quantityText(now.onHand)} on hand.`;
    },
    undo: (made) => {
      if (!('entry' in made)) return null;
      const { itemEntityId, locationEntityId, quantity: moved, lot: movedLot } = made.entry;
      const body = { itemEntityId, locationEntityId, quantity: -moved, note: 'Undo', lot: movedLot };
      return () => call('postAdjustment', { body }, { headers: { 'Idempotency-Key': crypto.randomUUID() } });
    },
    onDone: onClose,
  });
  const hasCost = currency !== null && quantity !== null && quantity > 0;
  const notYet =
    item === null
      ? 'Choose an item.'
      : location === null
        ? 'Choose a location.'
        : isTracked(tracking) && lot.trim() === '' && (quantity ?? 0) >= 0
          ? 'Name the lot or serial number.'
          : quantity === null
            ? 'Enter a quantity.'
            : quantity === 0
              ? 'This changes nothing.'
              : way === 'Set' && positions.data === undefined
                ? 'The quantity on hand is being loaded.'
                : hasCost
                  ? costFault(cost)
                  : null;
  return (
    <Dialog
      title="Adjust stock"
      submit="Apply"
      onClose={onClose}
      busy={adjust.isPending}
      error={adjust.error}
      notYet={notYet}
      onSubmit={() =>
        item !== null &&
        location !== null &&
        quantity !== null &&
        adjust.mutate({
          body: {
            itemEntityId: item.id,
            locationEntityId: location.id,
            quantity,
            ...unitGiven(unit),
            ...dayGiven(day),
            ...(hasCost ? costGiven(cost) : {}),
            ...(reason === '' ? {} : { reason }),
            ...(note.trim() === '' ? {} : { note: note.trim() }),
            ...(isTracked(tracking) && lot.trim() !== '' ? { lot: lot.trim() } : {}),
            ...(isTracked(tracking) && lot.trim() !== '' && quantity > 0
              ? { newLot: expiresOn === '' ? {} : { expiresOn } }
              : {}),
          },
        })
      }
    >
      <EntityPicker
        label="Item"
        plays="item"
        value={item}
        onPick={setItem}
        onLabel={(label) => {
          setLot(label.serial ?? label.lot ?? '');
          setExpiresOn(label.expiresOn ?? '');
          setText(label.serial !== null ? '1' : label.quantity === null ? '' : typedQuantity(label.quantity));
        }}
        autoFocus={item === null}
      />
      <EntityPicker
        label="Location"
        plays="location"
        value={location}
        onPick={setLocation}
        autoFocus={item !== null && location === null}
      />
      <SegmentedControl
        aria-label="Adjustment"
        fullWidth
        value={way}
        onChange={(next) => setWay(next as Way)}
        // The quantity on hand is that of all lots; a count sets that of one.
        data={isTracked(tracking) ? WAYS.filter((one) => one !== 'Set') : [...WAYS]}
      />
      <QuantityInput
        label={way === 'Set' ? 'New quantity on hand' : 'Quantity'}
        value={text}
        onValue={setText}
        data-autofocus={item !== null && location !== null ? '' : undefined}
      />
      {way !== 'Set' && <UnitField units={units} value={unit} onValue={setUnit} quantity={quantity} />}
      {hasCost && (
        <CostField currency={currency} otherwise="the cost is unknown" value={cost} onValue={setCost} />
      )}
      {reasons.length > 0 && (
        <NativeSelect
          label="Reason"
          value={reason}
          data={[{ value: '', label: 'None' }, ...reasons]}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
      {item !== null && isTracked(tracking) && (
        <LotField
          itemId={item.id}
          locationId={location?.id ?? null}
          tracking={tracking}
          value={lot}
          onValue={setLot}
        />
      )}
      {isTracked(tracking) && quantity !== null && quantity > 0 && (
        <TextInput
          label="Expires"
          type="date"
          value={expiresOn}
          onChange={(event) => setExpiresOn(event.currentTarget.value)}
        />
      )}
      <DayField value={day} onValue={setDay} />
      <TextInput
        label="Note"
        value={note}
        maxLength={2000}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {item !== null && location !== null && (
        <p className={styles.balance} role="status">
          On hand <Quantity value={onHand} /> {units.baseUnit}
          {amount !== null && amount !== 0 && (
            <>
              {' → '}
              <strong>
                <Quantity value={after} />
              </strong>
              {after < 0 && <span className="bad"> Not enough on hand.</span>}
            </>
          )}
        </p>
      )}
    </Dialog>
  );
}
