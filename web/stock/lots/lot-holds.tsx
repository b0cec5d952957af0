/** Reservations that hold a lot: nobody else can take what they hold. */
import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../client/ask.ts';
import type { StockLotAtPlaces, StockLotHold } from '../../client/operations.ts';
import { useMay } from '../../client/session.ts';
import { Asked } from '../../components/dialogs/asked.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { readQuantity, typedQuantity } from '../../components/forms/exact-quantity.ts';
import { QuantityInput } from '../../components/forms/quantity-input.tsx';
import { Sheet } from '../../components/page-frame.tsx';
import { useAction } from '../../components/use-action.ts';
import { PartNumber, quantityText } from '../../components/words.tsx';
import { STOCK_CHANGES } from '../adjust-dialog.tsx';
import styles from '../stock.module.css';

export function LotHolds({ lot }: { lot: StockLotAtPlaces }) {
  const mayMoveStock = useMay('stock');
  const [isHolding, setIsHolding] = useState(false);
  const holds = useQuery(ask('listLotHolds', { query: { lotId: lot.id } }));
  const end = useAction('releaseLotHold', { changes: STOCK_CHANGES, done: 'The hold is ended.' });
  const endOf = ({ lineId, requirementId, locationEntityId, quantity }: StockLotHold) =>
    end.mutate({
      id: lot.id,
      body: {
        ...(lineId === null ? {} : { lineId }),
        ...(requirementId === null ? {} : { requirementId }),
        locationEntityId,
        quantity,
      },
    });
  return (
    <Sheet
      title="Held for"
      actions={
        mayMoveStock &&
        lot.status === 'available' &&
        lot.onHand > 0 && (
          <Button variant="default" onClick={() => setIsHolding(true)}>
            Hold for a reservation
          </Button>
        )
      }
    >
      <Asked of={holds}>
        {({ holds: found, isPartial }) =>
          found.length === 0 ? (
            <p className="muted">No reservation holds this lot.</p>
          ) : (
            <ul className={styles.places} aria-label="Held for">
              {found.map((hold) => (
                <li key={`${hold.locationEntityId} ${hold.lineId ?? hold.requirementId}`}>
                  <PartNumber number={hold.holderNumber} />: {quantityText(hold.quantity)} at{' '}
                  {hold.locationNumber ?? hold.locationName}{' '}
                  {mayMoveStock && (
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={`End the hold of ${hold.holderNumber ?? 'the reservation'}`}
                      onClick={() => endOf(hold)}
                    >
                      End
                    </Button>
                  )}
                </li>
              ))}
              {isPartial && <li>And more.</li>}
            </ul>
          )
        }
      </Asked>
      {isHolding && <HoldDialog lot={lot} onClose={() => setIsHolding(false)} />}
    </Sheet>
  );
}

/** The lots that a line or requirement holds; nothing where it holds none. */
export function HeldLots({ of }: { of: { lineId: string } | { requirementId: string } }) {
  const holds = useQuery(ask('listLotHolds', { query: of }));
  const found = holds.data?.holds ?? [];
  if (found.length === 0) return null;
  const texts = found.map(
    ({ lot, quantity, locationNumber, locationName }) =>
      `${quantityText(quantity)} of ${lot} at ${locationNumber ?? locationName}`,
  );
  return <p className="muted">Held: {texts.join('; ')}.</p>;
}

/** Reservations that are offered. */
const OFFERED_MAX = 200;

function HoldDialog({ lot, onClose }: { lot: StockLotAtPlaces; onClose: () => void }) {
  const { itemEntityId } = lot;
  const query = { itemEntityId, limit: OFFERED_MAX };
  const lines = useQuery(ask('listStockLines', { query: { ...query, type: 'salesOrder', open: 'true' } }));
  const requirements = useQuery(ask('listRequirements', { query }));
  const holders = [
    ...(lines.data?.items ?? [])
      .filter(({ reservedQty }) => reservedQty > 0)
      .map(({ id, number, reservedQty }) => ({ id, number, reservedQty, field: 'lineId' as const })),
    ...(requirements.data?.items ?? [])
      .filter(({ reservedQty }) => reservedQty > 0)
      .map(({ id, number, reservedQty }) => ({ id, number, reservedQty, field: 'requirementId' as const })),
  ];
  const [chosen, setChosen] = useState<string | null>(null);
  const [place, setPlace] = useState(lot.positions[0]?.locationEntityId ?? '');
  const [text, setText] = useState('');
  const holder = holders.find(({ id }) => id === chosen) ?? holders[0];
  const quantity = readQuantity(text);
  const hold = useAction('holdLot', {
    changes: STOCK_CHANGES,
    done: `Lot ${lot.number} is held.`,
    onDone: onClose,
  });
  const notYet =
    holder === undefined
      ? 'Nobody has reserved the item.'
      : quantity === null || quantity <= 0
        ? 'The quantity must be above zero.'
        : null;
  return (
    <Dialog
      title={`Hold ${lot.number}`}
      submit="Hold"
      onClose={onClose}
      busy={hold.isPending}
      error={hold.error}
      notYet={notYet}
      onSubmit={() =>
        holder !== undefined &&
        quantity !== null &&
        hold.mutate({ id: lot.id, body: { [holder.field]: holder.id, locationEntityId: place, quantity } })
      }
    >
      <p className="muted">
        Nobody else can ship, issue or move what is held. The shipment or issue takes it.
      </p>
      <NativeSelect
        label="Reservation"
        value={holder?.id ?? ''}
        data={holders.map(({ id, number, reservedQty }) => ({
          value: id,
          label: `${number ?? id}: ${quantityText(reservedQty)} reserved`,
        }))}
        onChange={(event) => {
          const next = holders.find(({ id }) => id === event.currentTarget.value);
          setChosen(event.currentTarget.value);
          if (next !== undefined) setText(typedQuantity(next.reservedQty));
        }}
      />
      <NativeSelect
        label="Location"
        value={place}
        data={lot.positions.map(({ locationEntityId, locationNumber, locationName, onHand }) => ({
          value: locationEntityId,
          label: `${locationNumber ?? ''} ${locationName}: ${quantityText(onHand)} on hand`,
        }))}
        onChange={(event) => setPlace(event.currentTarget.value)}
      />
      <QuantityInput label="Quantity" value={text} onValue={setText} data-autofocus="" />
    </Dialog>
  );
}
