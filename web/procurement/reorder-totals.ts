/** The reorder list to its end, and what it costs in one currency by the exchange rates of the workspace. */
import { queryOptions } from '@tanstack/react-query';
import { amountText } from '../../clients/typescript/amount-text.ts';
import type { ReorderProposal, ReorderTotal } from '../client/operations.ts';
import { call } from '../client/request.ts';

export interface ReorderList {
  proposals: ReorderProposal[];
  totals: ReorderTotal[];
}

const PAGE_ITEMS = 1000;
const ITEMS_MAX = 5000;

export function askReorder(currency: string) {
  return queryOptions({
    queryKey: ['listReorder', { currency }, 'all'],
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<ReorderList> => {
      const list: ReorderList = { proposals: [], totals: [] };
      let cursor: string | undefined;
      do {
        const into = currency === '' ? {} : { currency };
        const next = await call('listReorder', { query: { limit: PAGE_ITEMS, cursor, ...into } }, { signal });
        list.proposals.push(...next.items);
        list.totals.push(...next.totals);
        cursor = next.nextCursor ?? undefined;
      } while (cursor !== undefined && list.proposals.length < ITEMS_MAX);
      return list;
    },
  });
}

/** In words; empty where all amounts are in the currency already, or there are none. */
export function convertedText(totals: readonly ReorderTotal[]): string {
  const [{ currency = '' } = {}] = totals.flatMap(({ converted }) => converted ?? []);
  const used = new Set(totals.flatMap(({ amounts }) => amounts.map((one) => one.currency)));
  if (currency === '' || used.size === 0 || (used.size === 1 && used.has(currency))) return '';
  const missing = [...new Set(totals.flatMap(({ converted }) => converted?.missing ?? []))];
  const sum = totals.reduce((all, { converted }) => all + microOf(converted?.amount ?? '0'), 0n);
  const lacks =
    missing.length === 0
      ? ''
      : `, without ${missing.join(', ')}, which ${missing.length === 1 ? 'has' : 'have'} no exchange rate`;
  return missing.length === used.size
    ? `no exchange rate to ${currency}`
    : `${moneyText(sum, currency)} at the rates of today${lacks}`;
}

/** Reads an exact decimal with at most 6 fractional digits, in millionths. */
export function microOf(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(6, '0'));
}

/** Such as `24.00 USD`. */
export function moneyText(micro: bigint, currency: string): string {
  const digits = String(micro).padStart(7, '0');
  const exact = `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
  return amountText(exact, currency);
}
