/** Reads and replaces the stock settings of a workspace. */
import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { AnyTx, Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { type StockSettingsRow, saveStockSettings, selectStockSettings } from './stock-settings.sql.ts';
import { plainStockSettings, type StockSettings } from './stock-settings.ts';

/** The version is 0 where the workspace has never set any. */
export async function readStockSettings(tx: Tx): Promise<{ settings: StockSettings; version: number }> {
  const [row] = await tx.query<StockSettingsRow>(selectStockSettings, [tx.workspaceId]);
  if (row === undefined) return { settings: plainStockSettings, version: 0 };
  return {
    settings: {
      reserveReceived: row.reserve_received,
      overDeliveryPercent: Number(row.over_delivery_percent),
      adjustmentReasons: row.adjustment_reasons,
      stockClosedUntil: row.closed_until,
      costing:
        row.cost_method === null || row.cost_currency === null
          ? null
          : { method: row.cost_method, currency: row.cost_currency },
      workingDays: { weekdays: row.weekdays, holidays: row.holidays },
    },
    version: row.version,
  };
}

export async function writeStockSettings(
  tx: AnyTx,
  workspaceId: string,
  settings: StockSettings,
): Promise<void> {
  const { reserveReceived, overDeliveryPercent, adjustmentReasons, stockClosedUntil, costing, workingDays } =
    settings;
  await tx.query(saveStockSettings, [
    workspaceId,
    reserveReceived,
    overDeliveryPercent,
    JSON.stringify(adjustmentReasons),
    stockClosedUntil,
    costing?.method ?? null,
    costing?.currency ?? null,
    workingDays.weekdays,
    workingDays.holidays,
  ]);
}

/**
 * The configuration is locked. Settings that change nothing leave the version and the audit trail alone. Throws `costing_started` for another
 * currency than that of the costs that are there, or for none.
 */
export async function replaceStockSettings(
  tx: Tx,
  actor: Actor,
  before: StockSettings,
  after: StockSettings,
): Promise<void> {
  if (isDeepStrictEqual(before, after)) return;
  requireSameCosts(before, after);
  await writeStockSettings(tx, tx.workspaceId, after);
  await recordChange(tx, {
    actor,
    action: 'update',
    subjectType: 'stockSettings',
    subjectKey: 'stock',
    before,
    after,
  });
}

/** Costs that were recorded keep their currency, and none may be missing between them. */
function requireSameCosts({ costing: before }: StockSettings, { costing: after }: StockSettings): void {
  if (before === null || before.currency === after?.currency) return;
  throw new AppError('costing_started', {
    detail: `Stock is valued in ${before.currency}. The method can change; the currency cannot, and costs go on being kept.`,
  });
}
