/** Reads and replaces the stock settings of a workspace. */
import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { AnyTx, Tx } from '../../db/transaction.ts';
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
    },
    version: row.version,
  };
}

export async function writeStockSettings(
  tx: AnyTx,
  workspaceId: string,
  { reserveReceived, overDeliveryPercent, adjustmentReasons, stockClosedUntil }: StockSettings,
): Promise<void> {
  await tx.query(saveStockSettings, [
    workspaceId,
    reserveReceived,
    overDeliveryPercent,
    JSON.stringify(adjustmentReasons),
    stockClosedUntil,
  ]);
}

/** The configuration is locked. Settings that change nothing leave the version and the audit trail alone. */
export async function replaceStockSettings(
  tx: Tx,
  actor: Actor,
  before: StockSettings,
  after: StockSettings,
): Promise<void> {
  if (isDeepStrictEqual(before, after)) return;
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
