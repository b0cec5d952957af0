/** The kinds of movement in words. */
import type { StockLedgerEntry, StockLot } from '../client/operations.ts';

export const lotStatusNames: Readonly<Record<StockLot['status'], string>> = {
  available: 'Available',
  quarantine: 'Quarantine',
  rejected: 'Rejected',
};

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
  TransferOut: 'Transfer out',
  TransferIn: 'Transfer in',
  POReturn: 'Return to supplier',
  SOReturn: 'Return from customer',
  LotStatus: 'Lot status',
  LotHold: 'Lot held',
};

/** Names of the same kinds where goods are on the way from another location: no order is behind them. */
const transitNames: Partial<Record<Kind, string>> = {
  OnOrderAdd: 'In transit',
  OnOrderRelease: 'No longer in transit',
};

/** Returns the kind of an entry in words. */
export function movementName({
  movementType,
  lineId,
  requirementId,
}: Pick<StockLedgerEntry, 'movementType' | 'lineId' | 'requirementId'>): string {
  const isOrdered = lineId !== null || requirementId !== null;
  return (isOrdered ? undefined : transitNames[movementType]) ?? movementNames[movementType];
}
