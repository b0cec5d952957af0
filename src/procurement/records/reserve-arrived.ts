/** Reserves what arrives for a requirement, in the transaction of the receipt, where the workspace wants that. */
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import type { Movement } from '../../stock/entries/movement.ts';
import type { AvailableStock } from './available-stock.ts';
import type { Line } from './line.ts';
import type { LineAct } from './line-acts.ts';
import type { LockedEntity } from './procured-entities.sql.ts';
import { requirementStates } from './requirement.ts';

/**
 * Returns the reservations of receipts. They name the line: the goods are no longer ordered then. Where stock is owed to others (a count
 * found less than is reserved), only what is left is reserved. `usable` are the receipts, divided by lots, without those that the status of
 * their lot keeps from use; they are noted in `available`.
 */
export function reserveArrived(
  receipts: readonly Movement[],
  usable: readonly Movement[],
  available: AvailableStock,
): Movement[] {
  available.note(usable);
  return receipts.flatMap((receipt): Movement[] => {
    const { itemId, locationId, lineId, orderId, requirementId, note, bookingId } = receipt;
    if (requirementId == null) return [];
    const arrived = usable
      .filter((one) => one.requirementId === requirementId)
      .reduce((sum, one) => sum + one.amount, 0n);
    const amount = available.take(receipt, arrived);
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

/** Rows that a group of requests has read and locked. */
interface Locked {
  configuration: WorkspaceConfiguration;
  requirements: ReadonlyMap<string, LockedEntity>;
}

/** Returns whether what an act brings is reserved for the requirement of the line. A requirement that is cancelled holds nothing. */
export function reservesArrived(
  { configuration, requirements }: Locked,
  act: LineAct,
  { requirementId }: Line,
): boolean | 'separately' {
  if (act !== 'receive' || requirementId === null || !configuration.stock.reserveReceived) return false;
  const requirement = requirements.get(requirementId);
  // Somebody else holds it.
  if (requirement === undefined) return 'separately';
  return requirement.state !== requirementStates.cancelled;
}
