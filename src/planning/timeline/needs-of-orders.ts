/**
 * Finds what the orders of a stored plan need of some items: proposals to make what they are in, and manufacturing lines as the plan leaves them. So an
 * item that is in very many others has a timeline and a promise although they are not planned anew.
 */
import { dateOf, daysBetween } from '../../calendar/days.ts';
import { LEAD_DAYS_MAX, type WorkingCalendar } from '../../calendar/working-calendar.ts';
import type { Tx } from '../../db/transaction.ts';
import { explode } from '../../entities/explosion/explode.ts';
import { orderItems } from '../../entities/explosion/order-items.ts';
import type { Slices } from '../../fairness/slices.ts';
import { microDoubleOfDecimal } from '../../quantity.ts';
import type { InputChoice } from '../input/input-choice.ts';
import type { DemandOrigin } from '../input/input-columns.ts';
import type { ReadInput } from '../input/read-input.ts';
import { MicroNeeds } from '../netting/micro-needs.ts';
import { placesOf, ways } from '../netting/planning-input.ts';
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
  /** The items, and those that take them and are made. */
  readonly around: Ancestors;
  readonly orders: readonly OrderRow[];
}

/** The series that stores the actions of a run, and the generation of the run in it. */
export type StoredOrders = readonly [series: string, generation: number];

export interface StoredPlan {
  stored: StoredOrders;
  choice: InputChoice;
  max: number;
}

/** Throws `tree_too_large`. */
export async function findOrders(
  tx: Tx,
  items: readonly string[],
  { stored, choice, max }: StoredPlan,
): Promise<OrdersAbove> {
  const takers = await findTakers(tx, items, max, choice);
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
  const all = new Set([...items, ...phantoms, ...made]);
  const links = takers.links.filter(({ parent_id: parent }) => all.has(parent));
  return { around: { items: [...all].sort(), links, rowsMax }, orders };
}

interface Orders {
  /** The items that are planned anew, by their places. */
  planned: ReadonlySet<number>;
  orders: OrdersAbove['orders'];
  day: string;
  calendar: WorkingCalendar;
  max: number;
}

/**
 * Returns the input in which only some items are planned, and need what they need themselves and what the orders for others take of them. Throws
 * `tree_too_large`.
 */
export async function withNeedsOfOrders(input: ReadInput, given: Orders, slices: Slices): Promise<ReadInput> {
  const { demand, origins, items } = input;
  const { planned } = given;
  const own = demand.quantity.map((quantity, at) => (planned.has(demand.item[at] as number) ? quantity : 0));
  const needs = await needsOfOrders(input, given, slices);
  return {
    ...input,
    items: { ...items, way: items.way.map((way, item) => (planned.has(item) ? way : ways.notPlanned)) },
    projects: [],
    demand: {
      item: Uint32Array.from([...demand.item, ...needs.map(({ item }) => item)]),
      day: Int32Array.from([...demand.day, ...needs.map((need) => need.day)]),
      quantity: Float64Array.from([...own, ...needs.map((need) => need.quantity)]),
    },
    origins: {
      length: origins.length + needs.length,
      at: (index) => needs[index - origins.length]?.origin ?? origins.at(index),
    },
  };
}

interface NeedOfOrder {
  item: number;
  day: number;
  quantity: number;
  origin: DemandOrigin;
}

async function needsOfOrders(
  { items, links, supply }: ReadInput,
  { planned, orders, day, calendar, max }: Orders,
  slices: Slices,
): Promise<NeedOfOrder[]> {
  const needs: NeedOfOrder[] = [];
  const { place } = orderItems(items.ids.length, links);
  const structure = { links, place, arithmetic: new MicroNeeds(links) };
  const make = (made: { item: number; day: number; quantity: number }, origin: DemandOrigin) => {
    const take = (item: number, on: number, quantity: number) => {
      if (planned.has(item) && quantity > 0) needs.push({ item, day: on, quantity, origin });
    };
    explode(structure, { add: take }, made);
    if (needs.length > max * ROWS_OF_ITEM) throw tooLarge(max);
  };
  const places = placesOf(items.ids);
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
    if (supply.explodes[at] === 0 || planned.has(madeItem)) continue;
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
