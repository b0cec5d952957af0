/**
 * Finds what the orders of a stored plan need of one item: proposals to make what it is in, and manufacturing lines as the plan leaves them. So an item
 * that is in very many others has a timeline although they are not planned anew.
 */
import type { Tx } from '../../db/transaction.ts';
import { explode } from '../../entities/explosion/explode.ts';
import { orderItems } from '../../entities/explosion/order-items.ts';
import type { Slices } from '../../fairness/slices.ts';
import { microDoubleOfDecimal } from '../../quantity.ts';
import type { InputChoice } from '../input/input-choice.ts';
import type { DemandOrigin } from '../input/input-columns.ts';
import type { ReadInput } from '../input/read-input.ts';
import { MicroNeeds } from '../netting/micro-needs.ts';
import { LEAD_DAYS_MAX } from '../netting/planning-input.ts';
import type { WorkingCalendar } from '../netting/working-calendar.ts';
import { dateOf, daysBetween } from '../options/calendar.ts';
import { type Ancestors, ROWS_OF_ITEM, tooLarge } from './find-ancestors.ts';
import { findTakers } from './find-takers.ts';
import { selectMadeItems, selectMadeOfItems } from './timeline.sql.ts';

const ITEMS_AT_ONCE = 200;
const kinds = ['make', 'expedite', 'defer', 'increase', 'decrease', 'cancel'];

/** An action of the stored plan that makes an item, or changes a line that does. */
interface OrderRow {
  item_id: string;
  action: string;
  line_id: string | null;
  part_on: string | null;
  needed_on: string;
  starts_on: string;
  quantity: string;
}

export interface OrdersAbove {
  /** The item, and those that take it and are made. */
  readonly around: Ancestors;
  readonly orders: readonly OrderRow[];
}

interface StoredPlan {
  /** The series that stores the actions of the run, and the generation of the run in it. */
  stored: readonly [series: string, generation: number];
  choice: InputChoice;
  max: number;
}

/** Throws `tree_too_large`. */
export async function findOrders(
  tx: Tx,
  item: string,
  { stored, choice, max }: StoredPlan,
): Promise<OrdersAbove> {
  const takers = await findTakers(tx, item, max, choice);
  const made: string[] = [];
  for (let from = 0; from < takers.items.length; from += ITEMS_AT_ONCE) {
    const some = takers.items.slice(from, from + ITEMS_AT_ONCE);
    const rows = await tx.query<{ id: string }>(selectMadeItems, [tx.workspaceId, ...stored, some, kinds]);
    for (const { id } of rows) made.push(id);
    if (made.length > max) throw tooLarge(max);
  }
  const rowsMax = max * ROWS_OF_ITEM;
  const orders: OrderRow[] = [];
  for (let from = 0; from < made.length; from += ITEMS_AT_ONCE) {
    const some = made.slice(from, from + ITEMS_AT_ONCE);
    const params = [tx.workspaceId, ...stored, some, kinds, rowsMax - orders.length + 1];
    for (const row of await tx.query<OrderRow>(selectMadeOfItems, params)) orders.push(row);
    if (orders.length > rowsMax) throw tooLarge(max);
  }
  const phantoms = takers.links.map(({ child_id: id }) => id);
  const items = new Set([item, ...phantoms, ...made]);
  const links = takers.links.filter(({ parent_id: parent }) => items.has(parent));
  return { around: { items: [...items].sort(), links, rowsMax }, orders };
}

/**
 * Returns the input with the needs of one item alone, by its place: its own, and those of the orders. No component gets needs by a structure any more.
 */
export async function onlyNeedsOf(
  input: ReadInput,
  { item, orders, day, calendar }: { item: number; orders: OrdersAbove['orders'] } & Days,
  slices: Slices,
): Promise<ReadInput> {
  const { demand, origins, links } = input;
  const own = demand.quantity.map((quantity, at) => (demand.item[at] === item ? quantity : 0));
  const needs = await needsOfOrders(input, { item, orders, day, calendar }, slices);
  return {
    ...input,
    links: { ...links, from: new Uint32Array(links.from.length), child: new Uint32Array() },
    projects: [],
    demand: {
      item: Uint32Array.from([...demand.item, ...needs.map(() => item)]),
      day: Int32Array.from([...demand.day, ...needs.map((need) => need.day)]),
      quantity: Float64Array.from([...own, ...needs.map((need) => need.quantity)]),
    },
    origins: {
      length: origins.length + needs.length,
      at: (index) => needs[index - origins.length]?.origin ?? origins.at(index),
    },
  };
}

interface Days {
  day: string;
  calendar: WorkingCalendar;
}

async function needsOfOrders(
  { items, links, supply }: ReadInput,
  { item, orders, day, calendar }: { item: number; orders: OrdersAbove['orders'] } & Days,
  slices: Slices,
): Promise<{ day: number; quantity: number; origin: DemandOrigin }[]> {
  const needs: { day: number; quantity: number; origin: DemandOrigin }[] = [];
  const { place } = orderItems(items.ids.length, links);
  const structure = { links, place, arithmetic: new MicroNeeds(links) };
  const make = (made: { item: number; day: number; quantity: number }, origin: DemandOrigin) => {
    const take = (of: number, on: number, quantity: number) => {
      if (of === item && quantity > 0) needs.push({ day: on, quantity, origin });
    };
    explode(structure, { add: take }, made);
  };
  const places = new Map(
    Array.from({ length: items.ids.length }, (_, at) => [items.ids.at(at) as string, at]),
  );
  const changes = Map.groupBy(orders, ({ line_id: line, part_on: part }) => `${line} ${part}`);
  for (const order of orders) {
    if (slices.areDue) await slices.next();
    if (order.action !== 'make') continue;
    const madeItem = places.get(order.item_id) as number;
    const starts = Math.max(0, daysBetween(day, order.starts_on));
    make(
      { item: madeItem, day: starts, quantity: microDoubleOfDecimal(order.quantity) },
      { kind: 'plannedOrder', id: null, lineId: null, madeItem },
    );
  }
  for (const [at, madeItem] of supply.item.entries()) {
    if (slices.areDue) await slices.next();
    if (supply.explodes[at] === 0 || madeItem === item) continue;
    const lineId = supply.ids.at(at) as string;
    const given = supply.day[at] as number;
    const part = supply.isPart[at] === 1 ? dateOf(day, given) : null;
    let [comesOn, quantity] = [Math.max(0, given), supply.quantity[at] as number];
    for (const change of changes.get(`${lineId} ${part}`) ?? []) {
      if (change.action === 'expedite' || change.action === 'defer')
        comesOn = daysBetween(day, change.needed_on);
      else quantity = microDoubleOfDecimal(change.quantity);
    }
    const leadDays = Math.max(0, Math.min(items.leadDays[madeItem] as number, LEAD_DAYS_MAX));
    const starts = calendar.startFor(comesOn, leadDays) ?? 0;
    if (quantity > 0)
      make({ item: madeItem, day: starts, quantity }, { kind: 'manufacturingLine', id: lineId, lineId });
  }
  return needs;
}
