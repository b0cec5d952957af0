/** The kinds of movement in words, and what each does to the quantity on hand. */
import type { StockLedgerEntry } from '../client/operations.ts';

type Kind = StockLedgerEntry['movementType'];

export const movementNames: Readonly<Record<Kind, string>> = {
  Adjustment: 'Adjustment',
  POReceipt: 'PO receipt',
  SOReservation: 'SO reservation',
  SORelease: 'SO release',
  SOShipment: 'SO shipment',
  OnOrderAdd: 'On order added',
  OnOrderRelease: 'On order released',
  MRReservation: 'MR reservation',
  MRRelease: 'MR release',
  MOReceipt: 'MO receipt',
  MRIssue: 'MR issue',
};

const movesOnHand: ReadonlySet<Kind> = new Set([
  'Adjustment',
  'POReceipt',
  'MOReceipt',
  'SOShipment',
  'MRIssue',
]);

/** By how much an entry changed what is physically there. */
export function onHandDelta({
  movementType,
  quantity,
}: Pick<StockLedgerEntry, 'movementType' | 'quantity'>): number {
  return movesOnHand.has(movementType) ? quantity : 0;
}
