/** Takes a movement of the ledger back, in full or in part. It shows what follows from that before it is confirmed. */
import { Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ListedLedgerEntry } from '../client/operations.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import {
  fromMillionths,
  readQuantity,
  toMillionths,
  typedQuantity,
} from '../components/forms/exact-quantity.ts';
import { QuantityInput } from '../components/forms/quantity-input.tsx';
import { useActs } from '../components/use-action.ts';
import { quantityText } from '../components/words.tsx';
import { STOCK_CHANGES } from './adjust-dialog.tsx';
import { CorrectionPreview, type Delivery } from './correction-preview.tsx';
import { movementNames } from './movements.ts';
import { inBaseUnit, UnitField, unitGiven, useUnits } from './unit-field.tsx';

const CHANGES = [
  ...STOCK_CHANGES,
  'listShortages',
  'listRequirements',
  'getRequirement',
  'listOrders',
  'getOrder',
  'listStockLines',
  'getStockLine',
] as const;

/** Movements of goods. Reservations and orders have calls of their own. */
const correctable: ReadonlySet<ListedLedgerEntry['movementType']> = new Set([
  'Adjustment',
  'POReceipt',
  'MOReceipt',
  'SOShipment',
  'MRIssue',
  'TransferOut',
  'TransferIn',
  'POReturn',
  'SOReturn',
]);

/** Returns how much of the entry can still be taken back; 0 if the movement cannot be. */
export function correctableQuantity(entry: ListedLedgerEntry): number {
  if (entry.reversesId !== null || !correctable.has(entry.movementType)) return 0;
  return fromMillionths(toMillionths(Math.abs(entry.quantity)) - toMillionths(entry.reversedQty));
}

export function CorrectDialog({ entry, onClose }: { entry: ListedLedgerEntry; onClose: () => void }) {
  const most = correctableQuantity(entry);
  const [text, setText] = useState(() => typedQuantity(most));
  const [note, setNote] = useState('');
  const [isWhole, setIsWhole] = useState(false);
  const units = useUnits(entry.itemEntityId);
  const [unit, setUnit] = useState('');
  const typed = readQuantity(text);
  // What the service converts inexactly it checks itself.
  const quantity = isWhole ? most : typed === null ? null : (inBaseUnit(units, typed, unit) ?? typed);
  const delivery = deliveryOf(entry);
  const reverse = useActs(
    (given: { quantity: number; unit: string; note: string; isWhole: boolean }, write): Promise<unknown> =>
      given.isWhole && delivery !== null
        ? write(delivery.operation, {
            id: delivery.orderId,
            bookingId: delivery.bookingId,
            body: { note: given.note },
          })
        : write('reverseLedgerEntry', {
            entryId: entry.id,
            body: { quantity: given.quantity, ...unitGiven(given.unit), note: given.note },
          }),
    {
      changes: CHANGES,
      done: (_, given) =>
        given.isWhole
          ? 'The delivery was taken back.'
          : `${quantityText(given.quantity)}${given.unit === '' ? ' ×' : ` ${given.unit} of`} ${entry.itemNumber ?? entry.itemName} taken back.`,
      onDone: onClose,
    },
  );
  const notYet =
    quantity === null || quantity <= 0
      ? 'The quantity must be above zero.'
      : quantity > most
        ? `Only ${quantityText(most)} are left to take back.`
        : note.trim() === ''
          ? 'Say why.'
          : null;
  return (
    <Dialog
      title={`Correct: ${movementNames[entry.movementType]} of ${entry.itemNumber ?? entry.itemName}`}
      submit="Take back"
      onClose={onClose}
      busy={reverse.isPending}
      error={reverse.error}
      notYet={notYet}
      onSubmit={() => reverse.mutate({ quantity: typed ?? 0, unit, note: note.trim(), isWhole })}
    >
      <p className="muted">
        The movement stays in the ledger, and a second one takes it back. Enter how much of{' '}
        {quantityText(Math.abs(entry.quantity))} was wrong.
      </p>
      <QuantityInput
        label="Quantity to take back"
        value={isWhole ? typedQuantity(most) : text}
        onValue={setText}
        disabled={isWhole}
        data-autofocus=""
      />
      {!isWhole && <UnitField units={units} value={unit} onValue={setUnit} quantity={typed} />}
      {delivery !== null && (
        <Checkbox
          label="Take back the whole delivery, with all of its lines"
          checked={isWhole}
          onChange={(event) => setIsWhole(event.currentTarget.checked)}
        />
      )}
      <TextInput
        label="Why"
        description="It is stored in the ledger."
        value={note}
        maxLength={2000}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {quantity !== null && quantity > 0 && quantity <= most && (
        <CorrectionPreview
          entry={entry}
          quantity={quantity}
          given={{ quantity: typed ?? quantity, ...unitGiven(unit) }}
          delivery={isWhole ? delivery : null}
        />
      )}
    </Dialog>
  );
}

/** The receipt or shipment of several lines that an entry is part of. */
function deliveryOf({ bookingId, orderId, movementType }: ListedLedgerEntry): Delivery | null {
  if (bookingId === null || orderId === null) return null;
  if (movementType === 'POReceipt' || movementType === 'MOReceipt')
    return { operation: 'reverseReceipt', bookingId, orderId };
  return movementType === 'SOShipment' ? { operation: 'reverseShipment', bookingId, orderId } : null;
}
