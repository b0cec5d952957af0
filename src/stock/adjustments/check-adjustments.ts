/** From what a caller sends to a movement: the quantity in range, the item an item, the location a location. */
import type { EntityRef } from '../../entities/resolve-entity.ts';
import { AppError, type ErrorCode, type FieldError } from '../../errors.ts';
import { microOfNumber } from '../../quantity.ts';
import type { Movement } from '../entries/movement.ts';
import type { StockAdjustment } from '../entries/stock.schema.ts';
import type { StockEntity } from '../movements/find-stock-entities.ts';

/** An adjustment that can be decided on. */
export interface CheckedAdjustment {
  movement: Movement;
  item: StockEntity;
  location: StockEntity;
}

/** The refusals of this file, for the routes' declarations. */
export const adjustmentErrors = [
  'quantity_out_of_range',
  'zero_quantity',
  'entity_not_found',
  'not_an_item',
  'not_a_location',
  'insufficient_stock',
] as const satisfies readonly ErrorCode[];

const FINDINGS_MAX = 100;

interface Finding extends FieldError {
  code: ErrorCode;
}

/**
 * Throws the first finding's code, with all findings (at most 100) in `errors`. `pointer` is where an
 * adjustment stands in the body.
 */
export function checkAdjustments(
  adjustments: readonly StockAdjustment[],
  found: ReadonlyMap<EntityRef, StockEntity>,
  pointer: (index: number) => string,
): CheckedAdjustment[] {
  const findings: Finding[] = [];
  const checked: CheckedAdjustment[] = [];
  for (const [index, adjustment] of adjustments.entries()) {
    const result = check(adjustment, found, pointer(index));
    if (!Array.isArray(result)) checked.push(result);
    else if (findings.push(...result) >= FINDINGS_MAX) break;
  }
  const [first] = findings;
  if (first !== undefined) {
    throw new AppError(first.code, { detail: first.message, errors: findings.slice(0, FINDINGS_MAX) });
  }
  return checked;
}

function check(
  adjustment: StockAdjustment,
  found: ReadonlyMap<EntityRef, StockEntity>,
  pointer: string,
): CheckedAdjustment | Finding[] {
  const findings: Finding[] = [];
  const find = (field: string, code: ErrorCode, message: string) =>
    findings.push({ pointer: `${pointer}/${field}`, code, message });

  const { itemEntityId, locationEntityId, quantity } = adjustment;
  const amount = microOfNumber(quantity);
  if (amount === null) {
    find('quantity', 'quantity_out_of_range', `${quantity} has more than 9 integer or 6 fractional digits.`);
  } else if (amount === 0n) {
    find('quantity', 'zero_quantity', 'A quantity of zero would make an empty ledger entry.');
  }
  const item = found.get(itemEntityId);
  const location = found.get(locationEntityId);
  if (item === undefined) find('itemEntityId', 'entity_not_found', notFound(itemEntityId));
  else if (!item.isItem)
    find('itemEntityId', 'not_an_item', `${nameOf(item)} is of a category that is not for items.`);
  if (location === undefined) find('locationEntityId', 'entity_not_found', notFound(locationEntityId));
  else if (!location.isLocation) {
    find(
      'locationEntityId',
      'not_a_location',
      `${nameOf(location)} is of a category that is not for locations.`,
    );
  } else if (location.id === item?.id) {
    find('locationEntityId', 'not_a_location', `${nameOf(location)} cannot be stored in itself.`);
  }
  if (findings.length > 0 || amount === null || item === undefined || location === undefined) return findings;
  return {
    movement: {
      type: 'Adjustment',
      itemId: item.id,
      locationId: location.id,
      amount,
      note: adjustment.note ?? null,
    },
    item,
    location,
  };
}

function notFound(ref: EntityRef): string {
  return `There is no entity ${ref} in this workspace.`;
}

function nameOf({ number, id }: StockEntity): string {
  return number ?? id;
}
