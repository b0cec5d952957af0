/** How much of a line can be received: what is open, and for purchase lines the tolerance of the line or the workspace. */
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../client/ask.ts';
import type { StockLine } from '../../client/operations.ts';
import { fromMillionths, toMillionths } from '../../components/forms/exact-quantity.ts';

/** Thousandths of a percent in the whole. */
const WHOLE = 100_000n;

export function useReceivable(): (line: StockLine) => number {
  const settings = useQuery(ask('getStockSettings', {}));
  return ({ type, openQty, quantity, overDeliveryPercent }) => {
    const percent = overDeliveryPercent ?? settings.data?.overDeliveryPercent ?? 0;
    if (type !== 'purchaseOrder' || percent === 0 || openQty <= 0) return openQty;
    const excess = (toMillionths(quantity) * BigInt(Math.round(percent * 1000))) / WHOLE;
    return fromMillionths(toMillionths(openQty) + excess);
  };
}
