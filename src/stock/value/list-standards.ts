/** Lists standard costs of an item, and what arrived at them with the difference to its own cost. */
import { z } from 'zod';
import { msOfId } from '../../db/ids.ts';
import { readPage } from '../../db/read-page.ts';
import type { Tx } from '../../db/transaction.ts';
import { decodeCursor, pageOf } from '../../http/list.ts';
import { moneyOf, moneyText } from '../../money/money.ts';
import { microOfDecimal, numberOf } from '../../quantity.ts';
import { HIGHEST_ID } from '../entries/ledger-entry.ts';
import { requireCosting, statedPrice } from './list-value.ts';
import type { CostVariance, StandardCost, VarianceTotal } from './standard.schema.ts';
import { type StandardRow, selectStandards, selectVariances, type VarianceRow } from './standard.sql.ts';

interface Wanted {
  limit: number;
  cursor?: string | undefined;
}

/** The newest first. Throws `invalid_cursor`, `costing_off`. */
export async function listStandards(
  tx: Tx,
  itemId: string,
  { limit, cursor }: Wanted,
): Promise<{ items: StandardCost[]; nextCursor: string | null }> {
  const { currency } = await requireCosting(tx);
  const list = `standard-costs ${itemId}`;
  const before = decodeCursor(list, cursor, z.uuid()) ?? HIGHEST_ID;
  const params = [tx.workspaceId, itemId, before, limit + 1];
  const rows = await readPage<StandardRow>(tx, selectStandards, params, { limit, long: ['note'] });
  return pageOf(
    list,
    rows,
    (row) => row.id,
    (row): StandardCost => ({
      id: row.id,
      cost: row.cost === null ? null : moneyText(moneyOf(row.cost)),
      currency,
      note: row.note,
      from: new Date(msOfId(row.id)).toISOString(),
    }),
  );
}

const HIGHEST_LAYER = '999999999999999999';

/** The newest first. Throws `invalid_cursor`, `costing_off`. */
export async function listVariances(
  tx: Tx,
  itemId: string,
  { limit, cursor }: Wanted,
): Promise<{ items: CostVariance[]; totals: VarianceTotal[]; nextCursor: string | null }> {
  const { currency } = await requireCosting(tx);
  const list = `cost-variances ${itemId}`;
  const key = z.tuple([z.uuid(), z.uuid(), z.string().regex(/^\d{1,18}$/)]);
  const before = decodeCursor(list, cursor, key) ?? [HIGHEST_ID, HIGHEST_ID, HIGHEST_LAYER];
  const rows = await readPage<VarianceRow>(
    tx,
    selectVariances,
    [tx.workspaceId, itemId, ...before, limit + 1],
    { limit, long: ['location_number', 'location_name'] },
  );
  const page = pageOf(
    list,
    rows,
    (row) => [row.entry_id, row.location_id, row.layer],
    (row) => showVariance(row, currency),
  );
  return { ...page, totals: totalsOf(page.items) };
}

function totalsOf(items: readonly CostVariance[]): VarianceTotal[] {
  return [...Map.groupBy(items, ({ kind }) => kind)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, own]) => {
      const known = own.flatMap(({ variance }) => (variance === null ? [] : [moneyOf(variance)]));
      return {
        kind,
        arrivals: own.length,
        variance: known.length === 0 ? null : moneyText(known.reduce((sum, one) => sum + one, 0n)),
        unknownArrivals: own.length - known.length,
      };
    });
}

function showVariance(row: VarianceRow, currency: string): CostVariance {
  const cost = moneyOf(row.cost);
  const paid = row.paid === null ? null : moneyOf(row.paid);
  return {
    entryId: row.entry_id,
    recordedAt: new Date(msOfId(row.entry_id)).toISOString(),
    locationEntityId: row.location_id,
    locationNumber: row.location_number,
    locationName: row.location_name,
    layer: Number(row.layer),
    kind: row.kind,
    quantity: numberOf(microOfDecimal(row.quantity)),
    standardCost: moneyText(moneyOf(row.standard)),
    cost: moneyText(cost),
    paid: paid === null ? null : moneyText(paid),
    variance: paid === null ? null : moneyText(paid - cost),
    currency,
    price: statedPrice(row),
    lineId: row.line_id,
  };
}
