/** Writes the lots of a transaction beside its ledger entries. */
import { type Tx, violatedConstraint } from '../../db/transaction.ts';
import { decimalOf } from '../../quantity.ts';
import { writeLotHolds } from './lot-holds.sql.ts';
import type { LotHold, LotHolds } from './lot-holds.ts';
import { insertLots, writeLotPositions } from './lot-stock.sql.ts';
import type { Lot, LotPosition, LotStock } from './lot-stock.ts';

/** Entries that one statement writes: making and sending it is one turn of the event loop. */
export const AT_ONCE = 1000;

/** Writes the lots that a transaction creates, the quantities that it changes, and what reservations hold of them. */
export function writeLots(
  tx: Tx,
  { lots, holds }: { lots: LotStock; holds: LotHolds },
  recordedUs: bigint,
): void {
  const { created, changed } = lots;
  for (let from = 0; from < created.length; from += AT_ONCE) {
    const some = created.slice(from, from + AT_ONCE);
    const at = new Date(Number(recordedUs / 1000n)).toISOString();
    tx.withCommit(tx.query(insertLots, [tx.workspaceId, ...lotColumns(some), at]));
  }
  for (let from = 0; from < changed.length; from += AT_ONCE) {
    const some = changed.slice(from, from + AT_ONCE);
    tx.withCommit(
      tx.query(writeLotPositions, [tx.workspaceId, ...lotPositionColumns(some)]).catch((error: unknown) => {
        throw violatedConstraint(error) === 'stock_lot_position_one_place' ? new PositionAppeared() : error;
      }),
    );
  }
  const held = holds.changed;
  for (let from = 0; from < held.length; from += AT_ONCE) {
    const some = held.slice(from, from + AT_ONCE);
    tx.withCommit(tx.query(writeLotHolds, [tx.workspaceId, ...lotHoldColumns(some)]));
  }
}

/** Parameters of `writeLotHolds`, after the workspace. */
function lotHoldColumns(holds: readonly LotHold[]): unknown[] {
  return [
    holds.map(({ itemId }) => itemId),
    holds.map(({ locationId }) => locationId),
    holds.map(({ lot }) => lot),
    holds.map(({ lineId }) => lineId),
    holds.map(({ requirementId }) => requirementId),
    holds.map(({ quantity }) => decimalOf(quantity)),
  ];
}

/** Parameters of `insertLots`, after the workspace. */
function lotColumns(lots: readonly Lot[]): unknown[] {
  return [
    lots.map(({ itemId }) => itemId),
    lots.map(({ number }) => number),
    lots.map(({ created }) => created?.id),
    lots.map(({ kind }) => kind),
    lots.map(({ expiresOn }) => expiresOn),
    lots.map(({ supplierLot }) => supplierLot),
    lots.map(({ created }) => JSON.stringify(created?.properties ?? {})),
    lots.map(({ status }) => status),
  ];
}

/** Parameters of `writeLotPositions`, after the workspace. */
function lotPositionColumns(positions: readonly LotPosition[]): unknown[] {
  return [
    positions.map(({ itemId }) => itemId),
    positions.map(({ locationId }) => locationId),
    positions.map(({ lot }) => lot),
    positions.map(({ isSerial }) => isSerial),
    positions.map(({ onHand }) => decimalOf(onHand)),
  ];
}

/**
 * Another transaction created a position that did not exist when positions were locked, or put a serial number into stock elsewhere. The
 * SQLSTATE is that of a serialization failure, so the whole transaction runs again and then finds it. Waiting for the lock here would
 * break the lock order.
 */
export class PositionAppeared extends Error {
  override name = 'PositionAppeared';
  readonly code = '40001';
}
