/** Changes the status of a lot, and records for each location what is kept from use, or not any more. */
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import { shareConfiguration } from '../../configuration/lock-configuration.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { microOfDecimal } from '../../quantity.ts';
import type { LotStatus, Movement } from '../entries/movement.ts';
import { recordMovements } from '../movements/record-movements.ts';
import { endsOfHolds, holdsOfLot } from './holds.ts';
import { lockItem } from './lock-item.ts';
import type { StockLotAtPlaces } from './lots.schema.ts';
import { type LotPlaceRow, lockLot, selectLotPlaces, updateLotStatus } from './lots.sql.ts';
import { readLot } from './lots.ts';

const PLACES_MAX = 10_000;

interface Change {
  id: string;
  status: LotStatus;
  note: string | null;
  /** Sees the lot as it is locked, and may refuse. */
  check(lot: StockLotAtPlaces, version: number): void;
}

/** A change of nothing writes nothing. Throws `lot_not_found`, `too_many_adjustments`. */
export async function changeLotStatus(
  tx: Tx,
  actor: Actor,
  { id, status, note, check }: Change,
): Promise<{ lot: StockLotAtPlaces; version: number }> {
  // The item is not merged into another meanwhile.
  await shareConfiguration(tx);
  const { lot: found } = await readLot(tx, id);
  const { itemEntityId: itemId, number } = found;
  await lockItem(tx, itemId);
  await tx.query(lockLot, [tx.workspaceId, id]);
  const { lot, version } = await readLot(tx, id);
  check(lot, version);
  if (lot.status === status) return { lot, version };
  const places = await tx.query<LotPlaceRow>(selectLotPlaces, [
    tx.workspaceId,
    itemId,
    number,
    PLACES_MAX + 1,
  ]);
  if (places.length > PLACES_MAX)
    throw new AppError('too_many_adjustments', {
      detail: `Lot ${number} is in stock at more than ${PLACES_MAX} locations. Move it to fewer before you change its status.`,
      extensions: { limit: PLACES_MAX },
    });
  const bookingId = newId();
  // What cannot be used is held by nobody: the reservations stay, and need another lot.
  const ended =
    status === 'available'
      ? []
      : await endsOfHolds((most) => holdsOfLot(tx, lot, most), { note, bookingId, reason: status });
  const movements = places.flatMap(({ location_id: locationId, on_hand }): Movement[] => {
    const onHand = microOfDecimal(on_hand);
    const common = { type: 'LotStatus', itemId, locationId, lot: number, note, bookingId } as const;
    const before = { ...common, amount: -onHand, reason: lot.status };
    const after = { ...common, amount: onHand, reason: status };
    return [before, after].filter(({ reason }) => reason !== 'available');
  });
  await recordMovements(tx, actor, [...ended, ...movements]);
  await tx.query(updateLotStatus, [tx.workspaceId, id, status]);
  await recordChange(tx, {
    actor,
    action: 'update',
    subjectType: 'lot',
    subjectKey: id,
    before: { number, status: lot.status },
    after: { number, status },
  });
  return readLot(tx, id);
}
