/** The total of a list of orders or requirements, which are entities: the service counts entities by category and state. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ask } from '../../client/ask.ts';
import type { Category } from '../../client/operations.ts';
import type { Total } from '../../components/lists/list-page.tsx';
import { useAddress } from '../../navigation/address.ts';
import { useCategories } from '../configuration.ts';

export interface TotalOf {
  behaviours: readonly Category['behaviour'][];
  /** Only those in this state. */
  state?: string | undefined;
  /** Parameters of the address that narrow the list in other ways: then it is not counted. */
  others: readonly string[];
}

/** Returns undefined while the total is unknown, and if the list is narrowed in a way that is not counted. */
export function useTotal({ behaviours, state, others }: TotalOf): Total | undefined {
  const address = useAddress();
  const category = useCategories().flatMap(({ key, behaviour }) =>
    behaviours.includes(behaviour) ? [key] : [],
  );
  const isCounted = category.length > 0 && others.every((key) => address.get(key) === undefined);
  const { data } = useQuery({
    ...ask('countEntities', { query: { category, ...(state === undefined ? {} : { state }) } }),
    placeholderData: keepPreviousData,
    enabled: isCounted,
  });
  return isCounted && data !== undefined ? totalOf(data.items) : undefined;
}

/** Sums counts; the sum is a lower bound if one of them is. */
export function totalOf(counts: readonly Total[]): Total {
  return {
    count: counts.reduce((sum, { count }) => sum + count, 0),
    isAtLeast: counts.some(({ isAtLeast }) => isAtLeast),
  };
}
