/** Lists, sets and deletes forecasts. */
import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import { readPage } from '../../db/read-page.ts';
import type { Tx } from '../../db/transaction.ts';
import { resolveEntityId } from '../../entities/resolve-entity.ts';
import { AppError, fieldError } from '../../errors.ts';
import { Day } from '../../http/day.ts';
import { decodeCursor, pageOf } from '../../http/list.ts';
import { refuseItem } from '../../procurement/records/refusals.ts';
import { decimalOf, microOfDecimal, numberOf } from '../../quantity.ts';
import { amountAboveZero } from '../../stock/entries/given-quantity.ts';
import { LOWEST_ID } from '../../stock/entries/ledger-entry.ts';
import { findStockEntities } from '../../stock/movements/find-stock-entities.ts';
import type { Forecast, ForecastQuery, NewForecast } from './forecasts.schema.ts';
import {
  countForecasts,
  deleteForecast,
  type ForecastRow,
  lockForecasts,
  lockForecastsOfWorkspace,
  selectForecastPage,
  selectOverlap,
  upsertForecasts,
} from './forecasts.sql.ts';

const FIRST_DAY = '0001-01-01';
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const Key = z.tuple([z.uuid(), Day]);

/** Lists forecasts by item and day. Throws `invalid_cursor`, `entity_not_found`. */
export async function listForecasts(
  tx: Tx,
  { item: ref, limit, cursor }: ForecastQuery,
): Promise<{ items: Forecast[]; nextCursor: string | null }> {
  const item = ref === undefined ? null : await resolveEntityId(tx, ref);
  const list = `forecasts ${item ?? ''}`;
  const after = decodeCursor(list, cursor, Key) ?? [item ?? LOWEST_ID, FIRST_DAY];
  const params = [tx.workspaceId, ...after, item ?? HIGHEST_ID, limit + 1];
  const rows = await readPage<ForecastRow>(tx, selectForecastPage, params, {
    limit,
    long: ['item_number', 'item_name'],
  });
  return pageOf(list, rows, (row) => [row.item_id, row.from_day] as const, show);
}

function show(row: ForecastRow): Forecast {
  return {
    itemEntityId: row.item_id,
    itemNumber: row.item_number,
    itemName: row.item_name ?? '',
    from: row.from_day,
    until: row.until_day,
    quantity: numberOf(microOfDecimal(row.quantity)),
  };
}

/**
 * Sets forecasts by item and first day, all or none. Throws `entity_not_found`, `entity_archived`, `not_an_item`, `quantity_out_of_range`,
 * `validation_failed`, `configuration_full`.
 */
export async function setForecasts(
  tx: Tx,
  actor: Actor,
  { forecasts, forecastsMax }: { forecasts: readonly NewForecast[]; forecastsMax: number },
): Promise<Forecast[]> {
  // A merge takes the lock too: the items are looked up after it, so that none of them is merged into another meanwhile.
  await tx.query(lockForecastsOfWorkspace, [tx.workspaceId]);
  const found = await findStockEntities(
    tx,
    forecasts.map(({ itemEntityId }) => itemEntityId),
  );
  const keys = new Set<string>();
  const rows = forecasts.map(({ itemEntityId: ref, from, until, quantity }, index) => {
    const pointer = `/forecasts/${index}`;
    const item = found.get(ref);
    if (item?.isItem !== true || item.isArchived) {
      const { code, message } = refuseItem(ref, item);
      throw fieldError(code, `${pointer}/itemEntityId`, message);
    }
    const amount = amountAboveZero(quantity, `${pointer}/quantity`);
    if (until < from)
      throw fieldError('validation_failed', `${pointer}/until`, `${until} is before the first day, ${from}.`);
    const key = `${item.id} ${from}`;
    if (keys.has(key))
      throw fieldError('validation_failed', pointer, `Two forecasts of the item begin on ${from}.`);
    keys.add(key);
    return { item: item.id, from, until, quantity: decimalOf(amount) };
  });
  const items = rows.map(({ item }) => item);
  const firsts = rows.map(({ from }) => from);
  const before = await tx.query<ForecastRow>(lockForecasts, [tx.workspaceId, items, firsts]);
  await tx.query(upsertForecasts, [
    tx.workspaceId,
    items,
    firsts,
    rows.map(({ until }) => until),
    rows.map(({ quantity }) => quantity),
  ]);
  await requireFit(tx, items, forecastsMax);
  const after = await tx.query<ForecastRow>(lockForecasts, [tx.workspaceId, items, firsts]);
  const known = new Map(before.map((row) => [keyOf(row), show(row)]));
  for (const row of after) {
    const [own, shown] = [known.get(keyOf(row)), show(row)];
    if (own !== undefined && own.until === shown.until && own.quantity === shown.quantity) continue;
    await recordChange(tx, {
      actor,
      action: own === undefined ? 'create' : 'update',
      subjectType: 'forecast',
      subjectKey: keyOf(row),
      before: own ?? null,
      after: shown,
    });
  }
  return after.map(show);
}

function keyOf({ item_id: item, from_day: from }: ForecastRow): string {
  return `${item} ${from}`;
}

async function requireFit(tx: Tx, items: readonly string[], forecastsMax: number): Promise<void> {
  const [overlap] = await tx.query<{ item_id: string; from_day: string; next_day: string }>(selectOverlap, [
    tx.workspaceId,
    [...new Set(items)],
  ]);
  if (overlap !== undefined)
    throw fieldError(
      'validation_failed',
      `/forecasts/${Math.max(0, items.indexOf(overlap.item_id))}`,
      `The forecast of the item that begins on ${overlap.from_day} reaches into the one of ${overlap.next_day}. End it before, or delete one.`,
    );
  const [counted] = await tx.query<{ count: number }>(countForecasts, [tx.workspaceId]);
  if ((counted?.count ?? 0) > forecastsMax)
    throw new AppError('configuration_full', {
      detail: `The workspace can have ${forecastsMax} forecasts. Delete old ones.`,
      extensions: { limit: forecastsMax },
    });
}

/** Throws `entity_not_found`, `forecast_not_found`. */
export async function removeForecast(
  tx: Tx,
  actor: Actor,
  { itemEntityId: ref, from }: { itemEntityId: string; from: string },
): Promise<void> {
  const item = await resolveEntityId(tx, ref);
  const [row] = await tx.query<ForecastRow>(lockForecasts, [tx.workspaceId, [item], [from]]);
  if (row === undefined)
    throw new AppError(
      'forecast_not_found',
      `The item has no forecast that begins on ${from}. List its forecasts.`,
    );
  await tx.query(deleteForecast, [tx.workspaceId, item, from]);
  const subjectKey = keyOf(row);
  await recordChange(tx, {
    actor,
    action: 'delete',
    subjectType: 'forecast',
    subjectKey,
    before: show(row),
    after: null,
  });
}
