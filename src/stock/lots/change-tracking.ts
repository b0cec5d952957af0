/** Switches the tracking of an item, also while stock exists: what is there is then in no lot until a count assigns it. */
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import { shareConfiguration } from '../../configuration/lock-configuration.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import { AppError } from '../../errors.ts';
import { microOfDecimal, numberOf } from '../../quantity.ts';
import { findItem, type StockEntity } from '../movements/find-stock-entities.ts';
import type { LotKind } from '../movements/lot-stock.ts';
import { recordMovements } from '../movements/record-movements.ts';
import { type HoldRow, selectHoldsOfItem } from './holds.sql.ts';
import { endsOfHolds } from './holds.ts';
import { lockItem } from './lock-item.ts';
import type { ItemTracking } from './lots.schema.ts';
import {
  deleteTracking,
  endLots,
  selectLotsInStock,
  selectTracking,
  selectUnassigned,
  startLots,
  type UnassignedRow,
  upsertTracking,
} from './lots.sql.ts';

const PLACES_SHOWN = 100;

/** Throws `entity_not_found`, `not_an_item`. */
export async function readTracking(tx: Tx, ref: EntityRef): Promise<ItemTracking> {
  return show(tx, await findItem(tx, ref));
}

/** `check` sees the tracking as it is locked, and may refuse. Throws `entity_not_found`, `not_an_item`, and `tracking_in_use` while lots are in stock, `too_many_adjustments`. */
export async function changeTracking(
  tx: Tx,
  actor: Actor,
  ref: EntityRef,
  tracking: ItemTracking['tracking'],
  check: (locked: ItemTracking) => void,
): Promise<ItemTracking> {
  // The item is not merged into another meanwhile.
  await shareConfiguration(tx);
  const item = await findItem(tx, ref);
  await lockItem(tx, item.id);
  const locked = await show(tx, item);
  check(locked);
  const before = locked.tracking;
  if (before === tracking) return locked;
  const [row] = await tx.query<{ in_lots: string }>(selectLotsInStock, [tx.workspaceId, item.id]);
  const inLots = microOfDecimal(row?.in_lots ?? '0');
  if (inLots > 0n) {
    throw new AppError('tracking_in_use', {
      detail: `${numberOf(inLots)} of ${item.number ?? item.id} are in lots. Write them off or ship them before you change the tracking.`,
      extensions: { inLotsQty: numberOf(inLots) },
    });
  }
  // Counts may have left holds of lots that are not in stock any more.
  const findHolds = (most: number) => tx.query<HoldRow>(selectHoldsOfItem, [tx.workspaceId, item.id, most]);
  await recordMovements(tx, actor, await endsOfHolds(findHolds, { bookingId: newId() }));
  if (tracking === 'none') {
    await tx.query(deleteTracking, [tx.workspaceId, item.id]);
    await tx.query(endLots, [tx.workspaceId, item.id]);
  } else {
    await tx.query(upsertTracking, [tx.workspaceId, item.id, tracking]);
    await tx.query(startLots, [tx.workspaceId, item.id]);
  }
  await recordChange(tx, {
    actor,
    action: 'update',
    subjectType: 'entity',
    subjectKey: item.id,
    before: { number: item.number, tracking: before },
    after: { number: item.number, tracking },
  });
  return show(tx, item);
}

async function trackingOf(tx: Tx, itemId: string): Promise<ItemTracking['tracking']> {
  const [row] = await tx.query<{ tracking: LotKind }>(selectTracking, [tx.workspaceId, itemId]);
  return row?.tracking ?? 'none';
}

async function show(tx: Tx, { id, number, name }: StockEntity): Promise<ItemTracking> {
  const tracking = await trackingOf(tx, id);
  const rows =
    tracking === 'none'
      ? []
      : await tx.query<UnassignedRow>(selectUnassigned, [tx.workspaceId, id, PLACES_SHOWN]);
  return {
    itemEntityId: id,
    itemNumber: number,
    itemName: name,
    tracking,
    unassignedQty: numberOf(microOfDecimal(rows[0]?.total ?? '0.000000')),
    unassigned: rows.map((row) => ({
      locationEntityId: row.location_id,
      locationNumber: row.number,
      locationName: row.name,
      quantity: numberOf(microOfDecimal(row.quantity)),
    })),
  };
}
