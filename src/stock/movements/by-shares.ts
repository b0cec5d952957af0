/** Divides one movement by quantities of lots. */
import type { Micro } from '../../quantity.ts';
import type { Movement, NewLot } from '../entries/movement.ts';

export interface LotShare {
  lot: string;
  amount: Micro;
  newLot?: NewLot | undefined;
}

/** Divides a movement by lots, in order. Reserved stock of a shipment goes with the first of them. */
export function byShares(movement: Movement, shares: readonly LotShare[]): Movement[] {
  let reserved = movement.reservedAmount ?? 0n;
  const { coveredQuantity: covered } = movement;
  let before = 0n;
  return shares.map(({ lot, amount, newLot }) => {
    const own = reserved < amount ? reserved : amount;
    reserved -= own;
    // Rounded from the start, so that the shares come to the whole.
    const coveredUpTo = (some: Micro) => ((covered ?? 0n) * some) / movement.amount;
    const of = {
      ...(movement.reservedAmount === undefined ? {} : { reservedAmount: own }),
      ...(covered == null ? {} : { coveredQuantity: coveredUpTo(before + amount) - coveredUpTo(before) }),
    };
    before += amount;
    return { ...movement, ...of, amount: movement.amount < 0n ? -amount : amount, lot, newLot };
  });
}
