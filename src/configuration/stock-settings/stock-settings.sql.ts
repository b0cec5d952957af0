/** The one row of stock settings that a workspace has, or none. */

export interface StockSettingsRow {
  reserve_received: boolean;
  over_delivery_percent: string;
  adjustment_reasons: string[];
  version: number;
}

/** $1 workspace. */
export const selectStockSettings = `
  select reserve_received, over_delivery_percent, adjustment_reasons, version from stock_settings where workspace_id = $1`;

/** $1 workspace, $2 whether what is received is reserved, $3 percent, $4 reasons as JSON. */
export const saveStockSettings = `
  insert into stock_settings as s (workspace_id, reserve_received, over_delivery_percent, adjustment_reasons)
  values ($1, $2, $3, $4)
  on conflict (workspace_id) do update
  set reserve_received = excluded.reserve_received, over_delivery_percent = excluded.over_delivery_percent,
      adjustment_reasons = excluded.adjustment_reasons, version = s.version + 1`;
