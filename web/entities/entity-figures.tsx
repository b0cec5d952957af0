/** What is known of an entity at one look: stock, what needs it, what is on order. Nothing where it has none of these. */
import { useQuery } from '@tanstack/react-query';
import { ask } from '../client/ask.ts';
import type { Category, Entity, EntitySummary } from '../client/operations.ts';
import { type Figure, Figures } from '../components/charts/figures.tsx';
import { countText, dayText, quantityText } from '../components/words.tsx';
import { paths } from '../navigation/paths.ts';
import { isItem, isLocation } from './configuration.ts';

/** What the service counts up to. */
export const COUNTED_MAX = 1000;

/** `id` null: of nothing. */
export function useSummary(id: string | null) {
  return useQuery({ ...ask('getEntitySummary', { id: id ?? '' }), enabled: id !== null });
}

export function EntityFigures({ entity, category }: { entity: Entity; category: Category | undefined }) {
  const { data } = useSummary(entity.id);
  const figures = figuresOf(entity, category, data);
  return figures.length === 0 ? null : <Figures figures={figures} />;
}

function figuresOf(entity: Entity, category: Category | undefined, summary?: EntitySummary): Figure[] {
  if (isItem(category)) return itemFigures(entity.id, summary);
  if (category?.role === 'project') return [needed(entity.id, summary)];
  if (isLocation(category)) {
    return [keptItems(entity.id, summary)];
  }
  return [];
}

/** What the list of its stock shows first; of what was there, or is to come, the number stands beside it. */
function keptItems(id: string, summary: EntitySummary | undefined): Figure {
  const kept = summary?.stockedItems ?? 0;
  const others = (summary?.items ?? 0) - kept;
  const isCountedUp = (summary?.items ?? 0) >= COUNTED_MAX;
  return {
    label: 'Items kept here',
    value: summary === undefined ? null : `${quantityText(kept)}${kept >= COUNTED_MAX ? '+' : ''}`,
    href: paths.entity(id, 'stock'),
    note: others > 0 && !isCountedUp ? `and ${quantityText(others)} with none here` : undefined,
  };
}

function itemFigures(id: string, summary: EntitySummary | undefined): Figure[] {
  const stock = summary?.stock;
  const orders = summary?.orders;
  const figure = (value: number | undefined) => (value === undefined ? null : quantityText(value));
  const short = stock != null && stock.available < 0;
  return [
    {
      label: 'On hand',
      value: figure(stock?.onHand),
      href: paths.entity(id, 'stock'),
      note: (stock?.stockedLocations ?? 0) > 1 ? `at ${stock?.stockedLocations} locations` : undefined,
    },
    { label: 'Available', value: figure(stock?.available), tone: short ? 'bad' : undefined },
    {
      label: 'On order',
      value: figure(orders?.comingQty),
      href: paths.entity(id, 'demand'),
      note: orders?.comingBy == null ? undefined : `by ${dayText(orders.comingBy)}`,
    },
    ...inTransit(id, stock?.inTransit ?? 0),
    ...onSalesOrders(id, orders?.goingQty ?? 0),
    needed(id, summary),
  ];
}

/** Returns the quantity that was sent from one location to another and has not arrived; an empty list if there is none. */
function inTransit(id: string, quantity: number): Figure[] {
  if (quantity <= 0) return [];
  return [{ label: 'In transit', value: quantityText(quantity), href: paths.entity(id, 'stock') }];
}

/** Returns the quantity that customers have ordered and that was not shipped; an empty list if there is none. */
function onSalesOrders(id: string, quantity: number): Figure[] {
  if (quantity <= 0) return [];
  return [{ label: 'On sales orders', value: quantityText(quantity), href: paths.entity(id, 'demand') }];
}

function needed(id: string, summary: EntitySummary | undefined): Figure {
  const demand = summary?.demand;
  const open = demand?.openQty ?? 0;
  const isShort = open > 0 && open > coverOf(summary);
  return {
    label: 'Open requirements',
    value: demand == null ? null : quantityText(open),
    tone: isShort ? 'warn' : undefined,
    href: paths.entity(id, 'demand'),
    note:
      demand == null || demand.openRequirements === 0
        ? undefined
        : demand.requiredBy === null
          ? countText(demand.openRequirements, 'requirement')
          : `by ${dayText(demand.requiredBy)}`,
  };
}

/** The stock and supply that can go to requirements; none is known for a project. */
function coverOf({ stock, orders }: Partial<EntitySummary> = {}): number {
  if (stock == null) return 0;
  const coming = (orders?.comingQty ?? 0) + stock.inTransit;
  return stock.available + stock.reserved + coming - (orders?.goingQty ?? 0);
}
