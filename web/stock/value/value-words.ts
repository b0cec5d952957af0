/** How the app writes amounts of the value of stock, and which answers a change of it makes stale. */
import { amountText } from '../../../clients/typescript/amount-text.ts';
import type { Revalued } from '../../client/operations.ts';
import { quantityText } from '../../components/words.tsx';

export const VALUE_CHANGES = [
  'listStockValues',
  'getStockValueTotal',
  'listCostLayers',
  'listStandardCosts',
  'listCostVariances',
  'listAudit',
] as const;

/** An amount with its currency; null: nothing is known of it. */
export function moneyWords(amount: string | null, currency: string): string {
  return amount === null ? 'unknown' : amountText(amount, currency);
}

/** What a revaluation did. */
export function revaluedWords({ quantity, valueBefore, valueAfter, currency }: Revalued): string {
  const before = moneyWords(valueBefore, currency);
  return `${quantityText(quantity)} on hand: ${before} before, ${moneyWords(valueAfter, currency)} now.`;
}
