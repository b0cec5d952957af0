/** Reserves what arrives for a requirement, in the transaction of the receipt, where the workspace wants that. */
import type { Movement } from '../../stock/entries/movement.ts';
import type { AvailableStock } from './available-stock.ts';

/**
 * Returns the reservations of receipts. They name the line: the goods are no longer ordered then. Where stock is owed to others (a count
 * found less than is reserved), only what is left is reserved. The receipts are noted in `available`.
 */
export function reserveArrived(receipts: readonly Movement[], available: AvailableStock): Movement[] {
  available.note(receipts);
  return receipts.flatMap((receipt): Movement[] => {
    const { itemId, locationId, lineId, orderId, requirementId, note, bookingId } = receipt;
    if (requirementId == null) return [];
    const amount = available.take(receipt, receipt.amount);
    if (amount === 0n) return [];
    return [
      {
        type: 'MRReservation',
        itemId,
        locationId,
        amount,
        lineId: lineId ?? null,
        orderId: orderId ?? null,
        requirementId,
        note: note ?? null,
        bookingId: bookingId ?? null,
      },
    ];
  });
}
