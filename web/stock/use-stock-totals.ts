/** The totals of positions and of the ledger: of the workspace, of an item or of a location; and goods in transit. */
import { useQuery } from '@tanstack/react-query';
import { ask, askAll } from '../client/ask.ts';
import { fromMillionths, toMillionths } from '../components/forms/exact-quantity.ts';
import type { Total } from '../components/lists/list-page.tsx';
import { useSummary } from '../entities/entity-figures.tsx';
import { useAddress } from '../navigation/address.ts';

/** Returns undefined while the total is unknown, and if one of these parameters of the address narrows the list. */
export function useStockTotal(
  of: 'positions' | 'entries',
  query: { item?: string; location?: string } | null,
  narrowing: readonly string[] = [],
): Total | undefined {
  const address = useAddress();
  const isCounted = query !== null && narrowing.every((key) => address.get(key) === undefined);
  const { data } = useQuery({ ...ask('getStockTotals', { query: query ?? {} }), enabled: isCounted });
  return isCounted ? data?.[of] : undefined;
}
/** Returns the goods of an item in transit by the location that they are sent to. Nothing is asked where nothing is in transit. `item` null: of no item. */

export function useInTransit(item: string | null): ReadonlyMap<string, number> {
  const { data: summary } = useSummary(item);
  const isAny = (summary?.stock?.inTransit ?? 0) > 0;
  const { data = [] } = useQuery({
    ...askAll('listTransfersInTransit', { query: { itemEntityId: item ?? '' } }),
    enabled: isAny,
  });
  const sums = new Map<string, number>();
  for (const { toLocationEntityId: location, inTransitQty } of isAny ? data : []) {
    const before = toMillionths(sums.get(location) ?? 0);
    sums.set(location, fromMillionths(before + toMillionths(inTransitQty)));
  }
  return sums;
}
