/** Orders, their lines and requirements are entities too, and are worked on at a page of their own: whoever finds one by its number is led there. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { askAll } from '../client/ask.ts';
import type { Category } from '../client/operations.ts';
import { paths } from './paths.ts';

type Behaviour = Category['behaviour'] | undefined;

const orders: ReadonlySet<Behaviour> = new Set(['purchaseOrder', 'salesOrder', 'manufacturingOrder']);

export function isOrder(behaviour: Behaviour): boolean {
  return orders.has(behaviour);
}

/** Where an entity that was found is opened; `inStock`: by somebody who looks for stock. */
export function useOpenedAt(): (entity: { id: string; category?: string }, inStock?: boolean) => string {
  const asked = askAll('listCategories', {});
  useQuery(asked);
  const client = useQueryClient();
  return ({ id, category: key }, inStock = false) => {
    // Those that are there when it is opened: whoever looked a number up has waited for them since the page was drawn.
    const category = client.getQueryData(asked.queryKey)?.find((one) => one.key === key);
    if (isOrder(category?.behaviour)) return paths.order(id);
    if (category?.behaviour === 'materialRequirement') return paths.requirement(id);
    // Before the categories are there it is most likely what is looked for.
    const { role = 'item' } = category ?? {};
    const isStock = role === 'item' || role === 'location' || role === 'itemAndLocation';
    return paths.entity(id, inStock && isStock ? 'stock' : undefined);
  };
}
