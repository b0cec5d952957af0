/** The one row of stock settings that a workspace has, or none. */
import type { CostMethod } from './stock-settings.ts';

export interface StockSettingsRow {
  reserve_received: boolean;
  over_delivery_percent: string;
  adjustment_reasons: string[];
  closed_until: string | null;
  cost_method: CostMethod | null;
  cost_currency: string | null;
  weekdays: number[];
  holidays: string[];
  version: number;
}

/** $1 workspace. */
export const selectStockSettings = `
  select reserve_received, over_delivery_percent, adjustment_reasons, closed_until::text as closed_until, cost_method, cost_currency,
         weekdays, holidays::text[] as holidays, version
  from stock_settings where workspace_id = $1`;

/**
 * $1 workspace, $2 whether what is received is reserved, $3 percent, $4 reasons as JSON, $5 the day until which stock is closed, $6 method and
 * $7 currency of costs, $8 weekdays, $9 holidays.
 */
export const saveStockSettings = `
  insert into stock_settings as s (workspace_id, reserve_received, over_delivery_percent, adjustment_reasons, closed_until, cost_method, cost_currency,
                                   weekdays, holidays)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict (workspace_id) do update
  set reserve_received = excluded.reserve_received, over_delivery_percent = excluded.over_delivery_percent,
      adjustment_reasons = excluded.adjustment_reasons, closed_until = excluded.closed_until,
      cost_method = excluded.cost_method, cost_currency = excluded.cost_currency,
      weekdays = excluded.weekdays, holidays = excluded.holidays, version = s.version + 1`;
