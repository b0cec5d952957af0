/** The words of orders and their lines. */
import type { Order } from '../../client/operations.ts';
import type { Filter } from '../../components/lists/filter-bar.tsx';
import { StatusWord, type Tone } from '../../components/words.tsx';
import { useCategories, useStatesOf } from '../../entities/configuration.ts';
import { useAddress } from '../../navigation/address.ts';

export const orderTypes: readonly { value: Order['type']; label: string }[] = [
  { value: 'purchaseOrder', label: 'Purchase order' },
  { value: 'salesOrder', label: 'Sales order' },
  { value: 'manufacturingOrder', label: 'Manufacturing order' },
];

/** The behaviour of the lines of each type of order; an order's behaviour is its type. */
export const lineBehaviours = {
  purchaseOrder: 'purchaseOrderLine',
  salesOrder: 'salesOrderLine',
  manufacturingOrder: 'manufacturingOrderLine',
} as const satisfies Record<Order['type'], string>;

/** By what a list of orders, or of their lines, is narrowed to a state: one that those of the chosen type can be in. */
export function useStateFilter(of: 'orders' | 'lines'): Filter {
  const type = useAddress().get('type');
  const types = orderTypes.map(({ value }) => value).filter((value) => type === undefined || value === type);
  const states = useStatesOf(of === 'orders' ? types : types.map((value) => lineBehaviours[value]));
  return { key: 'state', label: 'State', options: states.map((value) => ({ value, label: value })) };
}

/** In these nothing of an order is to come or to go. */
const endStates: ReadonlySet<string> = new Set(['Closed', 'Cancelled']);

/** The one state in which something is still to come or to go; of orders none where their lifecycles have several. */
export function useOpenState(of: 'orders' | 'lines'): string | undefined {
  const type = useAddress().get('type');
  const open = (useStateFilter('orders').options ?? []).filter(({ value }) => !endStates.has(value));
  if (of === 'lines') return type === 'salesOrder' ? 'Reserved' : 'Ordered';
  return open.length === 1 ? open[0]?.value : undefined;
}

const tones: Readonly<Record<string, Tone>> = {
  Draft: 'quiet',
  Ordered: 'live',
  Reserved: 'live',
  Received: 'good',
  Shipped: 'good',
  Closed: 'good',
  Cancelled: 'quiet',
};

export function orderTypeText(type: Order['type']): string {
  return orderTypes.find(({ value }) => value === type)?.label ?? type;
}

/** What somebody has called it; null of an order that nobody has named, which is called as its category is. */
export function useOrderName(): (order: Pick<Order, 'type' | 'name'>) => string | null {
  const categories = useCategories();
  return ({ type, name }) => {
    const isUnnamed =
      name === orderTypeText(type) ||
      categories.some((category) => category.behaviour === type && category.name === name);
    return isUnnamed ? null : name;
  };
}

export function OrderState({ state }: { state: string }) {
  return <StatusWord tone={tones[state] ?? 'quiet'}>{state}</StatusWord>;
}
