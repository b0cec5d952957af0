/** The totals of positions and of the ledger: of the workspace, of an item or of a location. */
import { useQuery } from '@tanstack/react-query';
import { ask } from '../client/ask.ts';
import type { Total } from '../components/lists/list-page.tsx';
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
