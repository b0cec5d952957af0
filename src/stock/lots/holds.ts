/** Holds a lot for a reservation, and ends such holds. */
import type { Actor } from '../../actor.ts';
import { shareConfiguration } from '../../configuration/lock-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { type EntityRef, entityNotFound } from '../../entities/resolve-entity.ts';
import { readItemUnits } from '../../entities/units/item-units.ts';
import { AppError } from '../../errors.ts';
import { microOfDecimal, numberOf } from '../../quantity.ts';
import { noUnits } from '../../units/item-units.ts';
import { amountAboveZero, amountGiven, type GivenUnit } from '../entries/given-quantity.ts';
import type { Movement } from '../entries/movement.ts';
import { findStockEntities } from '../movements/find-stock-entities.ts';
import { recordMovements } from '../movements/record-movements.ts';
import type { StockLotHold, StockLotHolds } from './holds.schema.ts';
import {
  type HolderRow,
  type HoldRow,
  selectHoldingLine,
  selectHoldingRequirement,
  selectHoldsOfHolder,
  selectHoldsOfLot,
} from './holds.sql.ts';
import { readLot } from './lots.ts';

const HOLDS_SHOWN = 1000;

type Holder = { lineId?: string | undefined; requirementId?: string | undefined };

/** Throws `lot_not_found`. */
export async function listHolds(
  tx: Tx,
  { lineId, requirementId, lotId }: Holder & { lotId?: string | undefined },
): Promise<StockLotHolds> {
  const rows =
    lotId === undefined
      ? await tx.query<HoldRow>(selectHoldsOfHolder, [
          tx.workspaceId,
          lineId ?? requirementId,
          HOLDS_SHOWN + 1,
        ])
      : await holdsOfLot(tx, (await readLot(tx, lotId)).lot, HOLDS_SHOWN + 1);
  return { holds: rows.slice(0, HOLDS_SHOWN).map(showHold), isPartial: rows.length > HOLDS_SHOWN };
}

/** Selects what holds a lot, at most so many rows. */
export function holdsOfLot(
  tx: Tx,
  { itemEntityId, number }: { itemEntityId: string; number: string },
  most: number,
): Promise<HoldRow[]> {
  return tx.query<HoldRow>(selectHoldsOfLot, [tx.workspaceId, itemEntityId, number, most]);
}

const ENDED_MAX = 10_000;

/**
 * Returns the movements that end holds; the reservations stay. Throws `too_many_adjustments` where `find` finds more than are ended at
 * once.
 */
export async function endsOfHolds(
  find: (most: number) => Promise<HoldRow[]>,
  facts: Pick<Movement, 'note' | 'bookingId' | 'reason'>,
): Promise<Movement[]> {
  const held = await find(ENDED_MAX + 1);
  if (held.length > ENDED_MAX)
    throw new AppError('too_many_adjustments', {
      detail: `More than ${ENDED_MAX} reservations hold the lot or lots of the item. End some of these holds first.`,
      extensions: { limit: ENDED_MAX },
    });
  return held.map((hold) => ({
    ...facts,
    type: 'LotHold',
    itemId: hold.item_id,
    locationId: hold.location_id,
    amount: -microOfDecimal(hold.quantity),
    lot: hold.lot,
    lineId: hold.line_id,
    requirementId: hold.requirement_id,
  }));
}

function showHold(row: HoldRow): StockLotHold {
  return {
    lotId: row.lot_id,
    lot: row.lot,
    itemEntityId: row.item_id,
    itemNumber: row.item_number,
    locationEntityId: row.location_id,
    locationNumber: row.location_number,
    locationName: row.location_name,
    lineId: row.line_id,
    requirementId: row.requirement_id,
    holderNumber: row.holder_number,
    quantity: numberOf(microOfDecimal(row.quantity)),
  };
}

export interface HoldChange extends Holder, GivenUnit {
  lotId: string;
  location: EntityRef;
  quantity: number;
  note: string | null;
  /** Ends the hold, of that quantity; the reservation stays. */
  isRelease: boolean;
}

/**
 * Holds a lot for what a sales line or a requirement has reserved at the location, or ends that. Returns the holds of the line or
 * requirement. Throws `lot_not_found`, `line_not_found`, `requirement_not_found`, `entity_not_found`, `quantity_out_of_range`, `unit_unknown`,
 * `quantity_inexact`, `lot_refused`, `insufficient_stock`.
 */
export async function changeHold(tx: Tx, actor: Actor, change: HoldChange): Promise<StockLotHolds> {
  const { lotId, lineId, requirementId, location: ref, quantity, note, isRelease } = change;
  amountAboveZero(quantity, '/quantity');
  // The item is not merged into another meanwhile.
  await shareConfiguration(tx);
  const { lot } = await readLot(tx, lotId);
  const [holder] = await tx.query<HolderRow>(
    lineId === undefined ? selectHoldingRequirement : selectHoldingLine,
    [tx.workspaceId, lineId ?? requirementId, lot.itemEntityId],
  );
  const item = lot.itemNumber ?? lot.itemEntityId;
  const units =
    change.unit == null ? undefined : (await readItemUnits(tx, [lot.itemEntityId])).get(lot.itemEntityId);
  const { amount, entered } = amountGiven(quantity, change, units ?? noUnits, { item, field: 'quantity' });
  if (holder === undefined)
    throw lineId === undefined
      ? new AppError('requirement_not_found', `There is no requirement ${requirementId} for item ${item}.`)
      : new AppError('line_not_found', `There is no sales line ${lineId} of item ${item}.`);
  const location = (await findStockEntities(tx, [ref])).get(ref);
  if (location === undefined) throw entityNotFound(ref);
  await recordMovements(tx, actor, [
    {
      type: 'LotHold',
      itemId: lot.itemEntityId,
      locationId: location.id,
      amount: isRelease ? -amount : amount,
      entered,
      lot: lot.number,
      lineId: lineId ?? null,
      requirementId: requirementId ?? null,
      orderId: holder.order_id,
      note,
    },
  ]);
  return listHolds(tx, { lineId, requirementId });
}
