/** The total of a list of orders or requirements, which are entities: the service counts entities by category and state. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ask } from '../client/ask.ts';
import type { Category } from '../client/operations.ts';
import { useAddress } from '../navigation/address.ts';
import { useCategories } from './configuration.ts';

export interface TotalOf {
  behaviours: readonly Category['behaviour'][];
  /** Only those in this state. */
  state?: string | undefined;
  /** Parameters of the address that narrow the list in other ways: then it is not counted. */
  others: readonly string[];
}

/** Undefined while it is not known, or where the service counted no further. */
export function useTotal({ behaviours, state, others }: TotalOf): number | undefined {
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
  if (!isCounted || data === undefined || data.items.some(({ isAtLeast }) => isAtLeast)) return undefined;
  return data.items.reduce((sum, { count }) => sum + count, 0);
}
