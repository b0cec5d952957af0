/** Takes units of a lot apart, or the unit with a serial number: what it consumed comes back. */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { StockLotAtPlaces } from '../client/operations.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { readQuantity } from '../components/forms/exact-quantity.ts';
import { QuantityInput } from '../components/forms/quantity-input.tsx';
import { useAction } from '../components/use-action.ts';
import { countText, quantityText } from '../components/words.tsx';
import { EntityPicker, type PickedEntity } from '../entities/entity-picker.tsx';
import { STOCK_CHANGES } from './adjust-dialog.tsx';
import { inBaseUnit, UnitField, unitGiven, useUnits } from './unit-field.tsx';

export function ApartDialog({ lot, onClose }: { lot: StockLotAtPlaces; onClose: () => void }) {
  const [text, setText] = useState('1');
  const [note, setNote] = useState('');
  const [location, setLocation] = useState<PickedEntity | null>(null);
  const isSerial = lot.kind === 'serial';
  const units = useUnits(isSerial ? null : lot.itemEntityId);
  const [unit, setUnit] = useState('');
  const typed = readQuantity(text);
  // What the service converts inexactly it checks itself.
  const quantity = typed === null ? null : (inBaseUnit(units, typed, unit) ?? typed);
  const isElsewhere = lot.positions.length > 1;
  const apart = useAction('disassembleLot', {
    changes: [...STOCK_CHANGES, 'getLot', 'listLots', 'traceLot', 'listLineComponents'],
    done: ({ returned }) =>
      `${lot.number} is taken apart: ${countText(returned.length, 'component')} came back.`,
    onDone: onClose,
  });
  return (
    <Dialog
      title={`Take ${lot.number} apart`}
      submit="Take apart"
      grave
      onClose={onClose}
      busy={apart.isPending}
      error={apart.error}
      notYet={
        quantity === null || quantity <= 0 || quantity > lot.onHand
          ? `Enter a quantity up to ${quantityText(lot.onHand)}.`
          : isElsewhere && location === null
            ? 'Say at which location it is.'
            : null
      }
      onSubmit={() =>
        typed !== null &&
        apart.mutate({
          id: lot.id,
          body: {
            quantity: typed,
            ...unitGiven(unit),
            ...(location === null ? {} : { locationEntityId: location.id }),
            ...(note.trim() === '' ? {} : { note: note.trim() }),
          },
        })
      }
    >
      <p className="muted">
        {isSerial ? 'The unit leaves stock' : 'The units leave stock'}, and what {isSerial ? 'it' : 'they'}{' '}
        really consumed comes back to where it was issued.
      </p>
      {!isSerial && <QuantityInput label="Quantity" value={text} onValue={setText} data-autofocus="" />}
      {!isSerial && <UnitField units={units} value={unit} onValue={setUnit} quantity={typed} />}
      {isElsewhere && (
        <EntityPicker label="Location" plays="location" value={location} onPick={setLocation} />
      )}
      <TextInput
        label="Note"
        value={note}
        maxLength={2000}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </Dialog>
  );
}
