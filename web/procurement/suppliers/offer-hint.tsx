/** Shows what a supplier part makes of a typed quantity: packs and price. One press takes the rounded quantity. */

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { amountText } from '../../../clients/typescript/amount-text.ts';
import { ask } from '../../client/ask.ts';
import type { Offers } from '../../client/operations.ts';
import { quantityText } from '../../components/words.tsx';

type Offer = Offers['items'][number];

export interface OfferHintProps {
  itemId: string;
  /** The supplier of the order; empty for any. */
  supplier: string;
  quantity: number;
  onTake: (quantity: number) => void;
}

export function OfferHint({ itemId, supplier, quantity, onTake }: OfferHintProps) {
  const named = supplier.trim() === '' ? {} : { supplier: supplier.trim() };
  const lines = [{ itemEntityId: itemId, quantity, ...named }];
  const found = useQuery({ ...ask('offerItems', { body: { lines } }), enabled: quantity > 0 });
  const offer = found.data?.items[0];
  if (offer === undefined || offer.supplierPartId === null) return null;
  return (
    <div role="status">
      <span className="muted">{offerText(offer)}</span>{' '}
      {offer.quantity !== quantity && (
        <Button variant="subtle" size="compact-sm" onClick={() => onTake(offer.quantity)}>
          Order {quantityText(offer.quantity)}
        </Button>
      )}
    </div>
  );
}

/** Such as `DK-1 of DigiKey: 3 packs of 10, 15.00 USD, 0.50 USD for each`. */
function offerText(offer: Offer): string {
  const { sku, supplier, packs, packQuantity, unit, price, currency, amount } = offer;
  const inUnit = unit === null ? '' : ` ${unit}`;
  const pack = packs === 1 ? '1 pack' : `${quantityText(packs ?? 0)} packs`;
  const cost =
    price === null || amount === null
      ? 'no price is known'
      : `${amountText(amount, currency)}, ${amountText(price, currency)} for each${inUnit}`;
  return `${sku} of ${supplier}: ${pack} of ${quantityText(packQuantity ?? 1)}${inUnit}, ${cost}.`;
}
