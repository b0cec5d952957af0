/** Goods in transit between locations: lists them, and books what arrives. */
import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import { shareConfiguration } from '../../configuration/lock-configuration.ts';
import { readPage } from '../../db/read-page.ts';
import type { Tx } from '../../db/transaction.ts';
import { noEntity, resolveEntityId } from '../../entities/resolve-entity.ts';
import { AppError, fieldError } from '../../errors.ts';
import { decodeCursor, pageOf } from '../../http/list.ts';
import { decimalOf, type Micro, microOfDecimal, microOfNumber, numberOf } from '../../quantity.ts';
import { requireReason } from '../adjustments/check-adjustments.ts';
import { HIGHEST_ID } from '../entries/ledger-entry.ts';
import type { Movement } from '../entries/movement.ts';
import { showEntry } from '../entries/show-stock.ts';
import { dayCheck, requireDay } from '../movements/effective-day.ts';
import { findStockEntities } from '../movements/find-stock-entities.ts';
import { recordMovements } from '../movements/record-movements.ts';
import type { StockTransit, TransitQuery, TransitReceipt, TransitReceived } from './transit.schema.ts';
import { lockTransit, selectTransit, selectTransits, type TransitRow, updateTransit } from './transit.sql.ts';

const long = ['item_number', 'item_name', 'from_number', 'from_name', 'to_number', 'to_name', 'lot', 'note'];

/** Returns a page, newest first. Throws `invalid_cursor`, `entity_not_found`. */
export async function listTransits(
  tx: Tx,
  { open, itemEntityId, limit, cursor }: TransitQuery,
): Promise<{ items: StockTransit[]; nextCursor: string | null }> {
  const itemId = itemEntityId === undefined ? null : await resolveEntityId(tx, itemEntityId);
  const by = itemId !== null ? 'item' : open === 'true' ? 'open' : 'all';
  const list = `transits ${by} ${itemId ?? ''}`.trimEnd();
  const behind = decodeCursor(list, cursor, z.uuid()) ?? HIGHEST_ID;
  const params = [tx.workspaceId, behind, limit + 1, ...(itemId === null ? [] : [itemId])];
  const rows = await readPage<TransitRow>(tx, selectTransits[by], params, { limit, long });
  return pageOf(list, rows, (row) => row.id, showTransit);
}

/**
 * Books what arrived of goods in transit. What is not in transit any more is no longer on order at the destination. A difference is an
 * adjustment where the goods arrived: it is written off after it came in, so that transfers change no sum. Throws `transfer_not_found`,
 * `over_receipt` if nothing is in transit, `entity_not_found`, `not_a_location`, `unknown_reason`, `stock_closed`, `lot_refused`.
 */
export async function receiveTransit(
  tx: Tx,
  actor: Actor,
  id: string,
  given: TransitReceipt,
): Promise<TransitReceived> {
  await shareConfiguration(tx);
  await tx.query(lockTransit, [tx.workspaceId, id]);
  const transit = await findTransit(tx, id);
  const inTransit = microOfDecimal(transit.in_transit);
  const arrived = amountOf(given, inTransit, transit);
  await requireReason(tx, given.reason, '/reason');
  const effectiveOn = requireDay(await dayCheck(tx, [given]), given.effectiveOn);
  const ref = given.locationEntityId ?? transit.to_id;
  const found = await findStockEntities(tx, [transit.item_id, transit.to_id, ref]);
  const place = found.get(ref);
  if (place === undefined) throw refusePlace('entity_not_found', noEntity(ref));
  if (!place.isLocation || place.id === transit.item_id)
    throw refusePlace('not_a_location', `${place.number ?? place.id} is no location for it.`);

  const settled = given.isLast || arrived > inTransit ? inTransit : arrived;
  const facts = { itemId: transit.item_id, bookingId: id, note: given.note ?? null };
  const goods = { ...facts, locationId: place.id, lot: transit.lot };
  const difference = arrived - settled;
  const movements: Movement[] = [
    { ...facts, type: 'OnOrderRelease', locationId: transit.to_id, amount: settled },
    { ...goods, type: 'TransferIn', amount: settled },
  ];
  if (difference !== 0n)
    movements.push({ ...goods, type: 'Adjustment', amount: difference, reason: given.reason ?? null });
  const entries = await recordMovements(tx, actor, movements, effectiveOn);
  await tx.query(updateTransit, [tx.workspaceId, id, decimalOf(arrived), decimalOf(settled)]);
  return {
    transfer: showTransit(await findTransit(tx, id)),
    entries: entries.map((entry) => {
      const location = entry.locationId === place.id ? place.number : transit.to_number;
      return showEntry(entry, transit.item_number, location, actor);
    }),
  };
}

/** Returns the quantity that arrived. Throws `over_receipt`, `quantity_out_of_range`, `zero_quantity`, `validation_failed`. */
function amountOf(
  { quantity, isLast, reason }: TransitReceipt,
  inTransit: Micro,
  { quantity: sent }: TransitRow,
): Micro {
  if (inTransit === 0n) {
    throw new AppError('over_receipt', {
      detail: `All ${numberOf(microOfDecimal(sent))} of the transfer were received or given up. Adjust the stock instead.`,
      extensions: { inTransitQty: 0 },
    });
  }
  const amount = microOfNumber(quantity);
  if (amount === null) {
    const message = `${quantity} has more than 9 integer or 6 fractional digits.`;
    throw fieldError('quantity_out_of_range', '/quantity', message);
  }
  if (amount === 0n && !isLast) {
    const message = 'Nothing arrived: with `isLast` what is in transit is written off.';
    throw fieldError('zero_quantity', '/quantity', message);
  }
  const differs = amount > inTransit || (isLast && amount < inTransit);
  if (differs && reason == null) {
    const message = `${numberOf(inTransit)} are in transit, not ${numberOf(amount)}: state the reason of the difference.`;
    throw new AppError('validation_failed', {
      detail: message,
      errors: [{ pointer: '/reason', code: 'invalid_value', message }],
    });
  }
  return amount;
}

async function findTransit(tx: Tx, id: string): Promise<TransitRow> {
  const [row] = await tx.query<TransitRow>(selectTransit, [tx.workspaceId, id]);
  if (row === undefined)
    throw new AppError('transfer_not_found', `There is no transfer in transit ${id} in this workspace.`);
  return row;
}

function refusePlace(code: 'entity_not_found' | 'not_a_location', message: string): AppError {
  return fieldError(code, '/locationEntityId', message);
}

function showTransit(row: TransitRow): StockTransit {
  const [sent, received, inTransit] = [row.quantity, row.received, row.in_transit].map(microOfDecimal) as [
    Micro,
    Micro,
    Micro,
  ];
  return {
    id: row.id,
    itemEntityId: row.item_id,
    itemNumber: row.item_number,
    itemName: row.item_name,
    fromLocationEntityId: row.from_id,
    fromLocationNumber: row.from_number,
    fromLocationName: row.from_name,
    toLocationEntityId: row.to_id,
    toLocationNumber: row.to_number,
    toLocationName: row.to_name,
    lot: row.lot,
    note: row.note,
    sentQty: numberOf(sent),
    receivedQty: numberOf(received),
    inTransitQty: numberOf(inTransit),
    differenceQty: inTransit === 0n ? numberOf(received - sent) : null,
    sentAt: new Date(row.sent_at).toISOString(),
    closedAt: row.closed_at === null ? null : new Date(row.closed_at).toISOString(),
  };
}
