/** Gives what is on hand of an item another cost: all of it, what is at one location, or one layer. */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { CostLayer } from '../../client/operations.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useAction } from '../../components/use-action.ts';
import { quantityText } from '../../components/words.tsx';
import { EntityPicker, type PickedEntity } from '../../entities/entity-picker.tsx';
import { revaluedWords, VALUE_CHANGES } from './value-words.ts';

export interface RevalueDialogProps {
  item: PickedEntity;
  /** The currency in which the workspace values its stock. */
  currency: string;
  /** Null: all layers. */
  layer: CostLayer | null;
  onClose: () => void;
}

const PRICE = /^\d{1,9}([.,]\d{1,6})?$/;

export function RevalueDialog({ item, currency, layer, onClose }: RevalueDialogProps) {
  const [price, setPrice] = useState('');
  const [other, setOther] = useState('');
  const [location, setLocation] = useState<PickedEntity | null>(null);
  const [note, setNote] = useState('');
  const revalue = useAction('revalueStock', {
    changes: VALUE_CHANGES,
    done: revaluedWords,
    onDone: onClose,
  });
  const typed = other.trim().toUpperCase();
  const notYet = !PRICE.test(price.trim())
    ? 'Enter the cost of one, such as 1.25.'
    : !/^([A-Z]{3})?$/.test(typed)
      ? 'A currency has three letters, such as EUR.'
      : null;
  const place =
    layer === null
      ? location === null
        ? {}
        : { locationEntityId: location.id }
      : { locationEntityId: layer.locationEntityId, layer: layer.layer };
  return (
    <Dialog
      title={`Revalue: ${item.number ?? item.name}`}
      submit="Revalue"
      onClose={onClose}
      busy={revalue.isPending}
      error={revalue.error}
      notYet={notYet}
      onSubmit={() =>
        revalue.mutate({
          itemEntityId: item.id,
          body: {
            unitCost: {
              price: price.trim().replace(',', '.'),
              ...(typed === '' ? {} : { currency: typed }),
            },
            ...place,
            ...(note.trim() === '' ? {} : { note: note.trim() }),
          },
        })
      }
    >
      <p className="muted">
        {layer === null
          ? 'What is on hand gets this cost.'
          : `The ${quantityText(layer.quantity)} that are left at ${layer.locationNumber ?? layer.locationName} get this cost.`}{' '}
        What was used before keeps its cost.
      </p>
      <TextInput
        label="Cost of one base unit"
        inputMode="decimal"
        value={price}
        onChange={(event) => setPrice(event.currentTarget.value)}
        data-autofocus=""
      />
      <TextInput
        label="Currency"
        placeholder={currency}
        value={other}
        maxLength={3}
        onChange={(event) => setOther(event.currentTarget.value)}
      />
      {layer === null && (
        <EntityPicker
          label="Only at this location"
          description="Empty: at all locations"
          plays="location"
          value={location}
          onPick={setLocation}
        />
      )}
      <TextInput
        label="Note"
        placeholder="Such as the number of an invoice"
        value={note}
        maxLength={2000}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </Dialog>
  );
}
