/** From what a caller sends to a movement: the quantity in range, the item an item, the location a location. */

import { loadConfiguration } from '../../configuration/current/read-configuration.ts';
import type { Costing } from '../../configuration/stock-settings/stock-settings.ts';
import type { Tx } from '../../db/transaction.ts';
import { readItemUnits } from '../../entities/units/item-units.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import { unitCostOf } from '../costs/given-cost.ts';
import type { Movement } from '../entries/movement.ts';
import type { StockAdjustment } from '../entries/stock.schema.ts';
import {
  checkEach,
  checkPlaces,
  type Finding,
  itemsWithUnits,
  type Named,
  placeErrors,
} from '../movements/check-places.ts';
import { type DayCheck, dayCheck } from '../movements/effective-day.ts';
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
  'unknown_reason',
  'stock_closed',
  'costing_off',
  'entity_archived',
  'insufficient_stock',
  'lot_refused',
] as const satisfies readonly ErrorCode[];

/** Facts that are read to check adjustments. */
export interface KnownToCheck extends Named {
  /** Reasons that may be stated; null for any. */
  reasons: readonly string[] | null;
  days: DayCheck;
  /** How stock is valued; read only where an adjustment states a cost. */
  costing: Costing | null;
}

/** Reads what checking adjustments needs beside their entities; nothing for adjustments that state neither reason, unit nor day. */
export async function readToCheck(
  tx: Tx,
  adjustments: readonly StockAdjustment[],
  found: Named['found'],
): Promise<KnownToCheck> {
  const [reasons, days, units, costing] = await Promise.all([
    reasonsFor(tx, adjustments),
    dayCheck(tx, adjustments),
    readItemUnits(tx, itemsWithUnits(adjustments, found)),
    adjustments.every(({ unitCost }) => unitCost == null) ? null : readCosting(tx),
  ]);
  return { found, units, reasons, days, costing };
}

/**
 * Returns the reasons that the workspace has listed; null where no adjustment states one, or where any may be stated. Nothing is read for
 * adjustments without a reason.
 */
async function reasonsFor(
  tx: Tx,
  adjustments: readonly Pick<StockAdjustment, 'reason'>[],
): Promise<readonly string[] | null> {
  if (adjustments.every(({ reason }) => reason == null)) return null;
  const { adjustmentReasons } = (await loadConfiguration(tx)).stock;
  return adjustmentReasons.length === 0 ? null : adjustmentReasons;
}

async function readCosting(tx: Tx): Promise<Costing | null> {
  return (await loadConfiguration(tx)).stock.costing;
}

/** Throws `unknown_reason` for a reason that the workspace has not listed. */
export async function requireReason(
  tx: Tx,
  reason: string | null | undefined,
  pointer: string,
): Promise<void> {
  const finding = reasonFinding(reason, await reasonsFor(tx, [{ reason }]), pointer);
  if (finding !== null) throw new AppError(finding.code, { detail: finding.message, errors: [finding] });
}

function reasonFinding(
  reason: string | null | undefined,
  reasons: readonly string[] | null,
  pointer: string,
): Finding | null {
  if (reason == null || reasons === null || reasons.includes(reason)) return null;
  const message = `"${reason}" is none of the workspace's reasons: ${reasons.join(', ')}.`;
  return { pointer, code: 'unknown_reason', message };
}

/**
 * Throws the first finding's code, with all findings (at most 100) in `errors`. `pointer` is where an
 * adjustment stands in the body.
 */
export function checkAdjustments(
  adjustments: readonly StockAdjustment[],
  known: KnownToCheck,
  pointer: (index: number) => string,
): CheckedAdjustment[] {
  return checkEach(adjustments, (adjustment, index) => {
    const { locationEntityId, reason } = adjustment;
    const checked = checkPlaces(adjustment, { locationEntityId }, known, pointer(index));
    if (Array.isArray(checked)) return checked;
    const { reasons, days } = known;
    const { effectiveOn } = adjustment;
    const day = effectiveOn == null ? null : days(effectiveOn, `${pointer(index)}/effectiveOn`);
    if (day !== null && typeof day === 'object') return [day];
    const unknown = reason == null ? null : reasonFinding(reason, reasons, `${pointer(index)}/reason`);
    if (unknown !== null) return [unknown];
    const { amount, entered, item } = checked;
    const unitCost = unitCostOf(adjustment.unitCost, { amount, entered }, known.costing);
    if (unitCost !== undefined && 'code' in unitCost)
      return [{ ...unitCost, pointer: `${pointer(index)}/unitCost` }];
    const { locationEntityId: location } = checked.locations;
    return {
      movement: {
        type: 'Adjustment',
        itemId: item.id,
        locationId: location.id,
        amount,
        entered,
        effectiveOn: day,
        note: adjustment.note ?? null,
        reason: reason ?? null,
        lot: adjustment.lot ?? null,
        newLot: adjustment.newLot,
        unitCost,
      },
      item,
      location,
    };
  });
}
