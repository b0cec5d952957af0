/** Lists the value of stock, now or at a past time. Stock without a known cost is listed apart, and never counts as zero. */
import { z } from 'zod';
import type { Costing } from '../../configuration/stock-settings/stock-settings.ts';
import type { Db } from '../../db/connect.ts';
import { firstIdAt, msOfId } from '../../db/ids.ts';
import { readPage } from '../../db/read-page.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { decodeCursor, encodeCursor, pageOf } from '../../http/list.ts';
import { type Money, moneyOf, moneyText } from '../../money/money.ts';
import { type Micro, microOfDecimal, numberOf } from '../../quantity.ts';
import { costingColumn, costingOf } from '../costs/costing.ts';
import { HIGHEST_ID, LOWEST_ID } from '../entries/ledger-entry.ts';
import type { CostLayer, StockValue, StockValueTotal } from './value.schema.ts';
import {
  type OpenRow,
  selectLayersOfItem,
  selectValues,
  selectValuesEnd,
  type ValueOf,
  type ValueRow,
} from './value.sql.ts';

/** Items that the total reads in one transaction. */
const TOTAL_ITEMS = 500;
const MICRO = 1_000_000n;

/** Throws `costing_off`. */
export async function requireCosting(tx: Tx): Promise<Costing> {
  const [row] = await tx.query<{ costing: string | null }>(`select ${costingColumn}`, [tx.workspaceId]);
  const costing = costingOf(row?.costing);
  if (costing !== null) return costing;
  throw new AppError(
    'costing_off',
    'The workspace keeps no costs of its stock. Switch them on first: under Settings, Stock in the app, by `partbook stock settings --costing`, or by `costing` of `PUT /stock/settings`.',
  );
}

export interface Valued {
  /** Milliseconds since 1970; absent: now. */
  at?: number | undefined;
  of: ValueOf;
  /** The location or the item. */
  entityId?: string | undefined;
}

/** Lists items with stock, in order of their ids. A page may be shorter than its limit and still have a next one. Throws `invalid_cursor`, `costing_off`. */
export async function listValues(
  tx: Tx,
  { at, of, entityId }: Valued,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ items: StockValue[]; nextCursor: string | null }> {
  const { currency } = await requireCosting(tx);
  const list = `stock-value ${of} ${entityId ?? ''} ${at ?? ''}`;
  const after = decodeCursor(list, cursor, z.uuid()) ?? LOWEST_ID;
  const params = [tx.workspaceId, after, limit, boundOf(at), ...(entityId === undefined ? [] : [entityId])];
  const rows = await readPage<ValueRow>(tx, selectValues(of), params, {
    limit,
    long: ['item_number', 'item_name'],
  });
  const page = pageOf(
    list,
    rows,
    (row) => row.item_id,
    (row) => showValue(row, currency),
  );
  const items = page.items.filter(({ onHand }) => onHand > 0);
  if (page.nextCursor !== null) return { items, nextCursor: page.nextCursor };
  const [end] = await tx.query<{ id: string; items: number }>(selectValuesEnd(of), params);
  const nextCursor =
    of !== 'item' && end !== undefined && end.items >= limit ? encodeCursor(list, end.id) : null;
  return { items, nextCursor };
}

function boundOf(at: number | undefined): string {
  return at === undefined ? HIGHEST_ID : firstIdAt(at + 1);
}

function showValue(row: ValueRow, currency: string): StockValue {
  const [onHand, known, value] = [microOfDecimal(row.on_hand), microOfDecimal(row.known), moneyOf(row.value)];
  return {
    itemEntityId: row.item_id,
    itemNumber: row.item_number,
    itemName: row.item_name,
    unit: row.unit,
    onHand: numberOf(onHand),
    unknownQuantity: numberOf(onHand - known),
    currency,
    value: known === 0n ? null : moneyText(value),
    standardCost: row.standard === null ? null : moneyText(moneyOf(row.standard)),
    unitValue: known === 0n ? null : moneyText(unitOf(value, known)),
  };
}

function unitOf(value: Money, quantity: Micro): Money {
  return (2n * value * MICRO + quantity) / (2n * quantity);
}

/** Adds up what all items are worth, some hundred in a transaction. What is recorded after the call began is not in it. Throws `costing_off`. */
export async function totalValue(
  db: Db,
  workspaceId: string,
  { at = Date.now(), of, entityId }: Valued,
  gone: AbortSignal,
): Promise<StockValueTotal> {
  const reading = { readOnly: true, gone } as const;
  const { method, currency } = await inTransaction(db, { workspaceId }, requireCosting, reading);
  let [value, known, items, unknownItems] = [0n, 0n, 0, 0];
  for (let after: string | null = LOWEST_ID; after !== null; ) {
    const from: string = after;
    const params = [
      workspaceId,
      from,
      TOTAL_ITEMS,
      boundOf(at),
      ...(entityId === undefined ? [] : [entityId]),
    ];
    after = await inTransaction(
      db,
      { workspaceId },
      async (tx) => {
        for (const row of await tx.query<ValueRow>(selectValues(of), params)) {
          const [onHand, knownOfItem] = [microOfDecimal(row.on_hand), microOfDecimal(row.known)];
          if (onHand === 0n) continue;
          value += moneyOf(row.value);
          known += knownOfItem;
          items += 1;
          if (knownOfItem < onHand) unknownItems += 1;
        }
        const [end] = await tx.query<{ id: string; items: number }>(selectValuesEnd(of), params);
        return end !== undefined && end.items >= TOTAL_ITEMS ? end.id : null;
      },
      reading,
    );
  }
  return {
    currency,
    method,
    value: items > 0 && known === 0n ? null : moneyText(value),
    at: new Date(at).toISOString(),
    items,
    unknownItems,
  };
}

/** Lists what is left of the layers of an item, by location and age. Throws `invalid_cursor`, `costing_off`. */
export async function listLayers(
  tx: Tx,
  itemId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ items: CostLayer[]; nextCursor: string | null }> {
  const { currency } = await requireCosting(tx);
  const list = `cost-layers ${itemId}`;
  const key = z.tuple([z.uuid(), z.uuid(), z.string().regex(/^\d{1,18}$/)]);
  const after = decodeCursor(list, cursor, key) ?? [LOWEST_ID, LOWEST_ID, '-1'];
  const rows = await readPage<OpenRow>(
    tx,
    selectLayersOfItem,
    [tx.workspaceId, itemId, ...after, limit + 1],
    { limit, long: ['location_number', 'location_name'] },
  );
  return pageOf(
    list,
    rows,
    (row) => [row.location_id, row.origin_id, row.layer],
    (row): CostLayer => ({
      locationEntityId: row.location_id,
      locationNumber: row.location_number,
      locationName: row.location_name,
      layer: Number(row.layer),
      since: row.origin_id === LOWEST_ID ? null : new Date(msOfId(row.origin_id)).toISOString(),
      quantity: numberOf(microOfDecimal(row.quantity)),
      cost: row.cost === null ? null : moneyText(moneyOf(row.cost)),
      standardCost: row.standard === null ? null : moneyText(moneyOf(row.standard)),
      currency,
      price: statedPrice(row),
      lineId: row.line_id,
    }),
  );
}

/** Returns the price of a layer as it was stated; null if none was. */
export function statedPrice({
  price,
  currency,
}: {
  price: string | null;
  currency: string | null;
}): CostLayer['price'] {
  return price === null || currency === null ? null : { amount: moneyText(moneyOf(price)), currency };
}
