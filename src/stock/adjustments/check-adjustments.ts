/** From what a caller sends to a movement: the quantity in range, the item an item, the location a location. */
import type { EntityRef } from '../../entities/resolve-entity.ts';
import type { ErrorCode } from '../../errors.ts';
import type { Movement } from '../entries/movement.ts';
import type { StockAdjustment } from '../entries/stock.schema.ts';
import { checkEach, checkPlaces, placeErrors } from '../movements/check-places.ts';
import type { StockEntity } from '../movements/find-stock-entities.ts';

/** An adjustment that can be decided on. */
export interface CheckedAdjustment {
  movement: Movement;
  item: StockEntity;
  location: StockEntity;
}

/** The refusals of this file, for the routes' declarations. */
export const adjustmentErrors = [
  ...placeErrors,
  'insufficient_stock',
  'lot_refused',
] as const satisfies readonly ErrorCode[];

/**
 * Throws the first finding's code, with all findings (at most 100) in `errors`. `pointer` is where an
 * adjustment stands in the body.
 */
export function checkAdjustments(
  adjustments: readonly StockAdjustment[],
  found: ReadonlyMap<EntityRef, StockEntity>,
  pointer: (index: number) => string,
): CheckedAdjustment[] {
  return checkEach(adjustments, (adjustment, index) => {
    const { locationEntityId } = adjustment;
    const checked = checkPlaces(adjustment, { locationEntityId }, found, pointer(index));
    if (Array.isArray(checked)) return checked;
    const { amount, item } = checked;
    const { locationEntityId: location } = checked.locations;
    return {
      movement: {
        type: 'Adjustment',
        itemId: item.id,
        locationId: location.id,
        amount,
        note: adjustment.note ?? null,
        reason: adjustment.reason ?? null,
        lot: adjustment.lot ?? null,
        newLot: adjustment.newLot,
      },
      item,
      location,
    };
  });
}
