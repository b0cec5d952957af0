/** How a workspace values its stock, as the statements that lock positions read it. */
import type { Costing, CostMethod } from '../../configuration/stock-settings/stock-settings.ts';

/** Reads `costingColumn`. */
export function costingOf(text: string | null | undefined): Costing | null {
  if (text == null) return null;
  const [method, currency] = text.split(' ') as [CostMethod, string];
  return { method, currency };
}

/** Method and currency in one text; null where the workspace keeps no costs. $1 workspace. */
export const costingColumn = `
  (select cost_method || ' ' || cost_currency from stock_settings where workspace_id = $1) as costing`;
