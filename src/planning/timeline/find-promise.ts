/**
 * Finds by when a quantity of an item can be promised: from stock and order lines that exist (available to promise), and with new orders for it and
 * its components (capable to promise). The quantity is added to the plan as a demand, at the first day on which nothing else suffers by it.
 */
import { dateOf, today } from '../../calendar/days.ts';
import { calendarOf } from '../../calendar/working-calendar.ts';
import type { Config } from '../../config.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { Slices } from '../../fairness/slices.ts';
import { numberOfMicroDouble } from '../../quantity.ts';
import { amountAboveZero } from '../../stock/entries/given-quantity.ts';
import { findItem, refuseArchived } from '../../stock/movements/find-stock-entities.ts';
import { everything } from '../input/input-choice.ts';
import { netInSlices } from '../netting/net-items.ts';
import { Pegs } from '../netting/pegs.ts';
import { bitOf, exceptionsOf, type PlanAction, type PlanActions } from '../netting/plan-actions.ts';
import { type PlanningInput, placesOf, ways } from '../netting/planning-input.ts';
import { type PlanningOptions, standardOptions } from '../options/planning-options.schema.ts';
import { workingDaysOf } from '../runs/check-options.ts';
import { findNewestPlan, optionsOf, storedIn } from '../runs/find-run.ts';
import { findBelow } from './find-ancestors.ts';
import { PROMISE_DAYS_MAX, PROMISE_ITEMS_MAX, PROMISE_ORDERS_MAX, type Promised } from './promise.schema.ts';
import { readAround } from './read-around.ts';
import { selectNumbers } from './timeline.sql.ts';

/** Throws `entity_not_found`, `not_an_item`, `entity_archived`, `quantity_out_of_range`, `tree_too_large`. */
export async function findPromise(
  tx: Tx,
  { id: ref, quantity }: { id: string; quantity: number },
  config: Pick<Config, 'PLANNING_ANCESTORS_MAX'>,
): Promise<Promised> {
  const found = await findItem(tx, ref);
  if (found.isArchived) throw refuseArchived(found);
  const amount = amountAboveZero(quantity, null);
  const day = today();
  const slices = new Slices(tx.gone);
  const max = config.PLANNING_ANCESTORS_MAX;
  const { input, target, planningRun } = await readItem(tx, { day, id: found.id, max }, slices);
  const wanted = { target, quantity: Number(amount) };
  const existing = await Search.begin(input, wanted, slices);
  const availableAt = await existing.firstDay((plan) => plan.isFromExisting);
  // New orders fill the gap until a line comes by its date.
  const ordering = await Search.begin({ ...input, keepsDates: true }, wanted, slices);
  const capableAt = ordering.canOrder ? await ordering.firstDay((plan) => plan.isInTime) : null;
  const on = (at: number | null) => (at === null ? null : dateOf(day, at));
  const all =
    capableAt === null || (availableAt !== null && availableAt <= capableAt)
      ? []
      : await ordering.ordersFor(capableAt);
  const orders = all.slice(0, PROMISE_ORDERS_MAX);
  const withoutLeadTime = all.filter(({ exceptions }) => (exceptions & bitOf('noLeadTime')) !== 0);
  const uncertain = [...new Set(withoutLeadTime.map(({ item }) => item))];
  const shown = uncertain.slice(0, PROMISE_ITEMS_MAX);
  const idOf = (item: number) => input.items.ids.at(item) as string;
  const ids = [...new Set([...orders.map(({ item }) => item), ...shown])].map(idOf);
  const rows = await tx.query<{ id: string; number: string | null }>(selectNumbers, [tx.workspaceId, ids]);
  const numbers = new Map(rows.map(({ id, number }) => [id, number]));
  return {
    itemEntityId: found.id,
    itemNumber: found.number,
    itemName: found.name,
    quantity,
    day,
    planningRun,
    availableOn: on(availableAt),
    capableOn: on(earlier(availableAt, capableAt)),
    orders: orders.map(({ item, action, quantity: ordered, start, day: at, exceptions }) => {
      const itemEntityId = idOf(item);
      return {
        itemEntityId,
        itemNumber: numbers.get(itemEntityId) ?? null,
        action: action === 'make' ? 'make' : 'order',
        quantity: numberOfMicroDouble(ordered),
        startsOn: dateOf(day, start),
        neededOn: dateOf(day, at),
        exceptions: exceptionsOf(exceptions),
      };
    }),
    withoutLeadTimeCount: uncertain.length,
    withoutLeadTime: shown.map((item) => {
      const itemEntityId = idOf(item);
      return { itemEntityId, itemNumber: numbers.get(itemEntityId) ?? null };
    }),
  };
}

function earlier(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

interface Around {
  input: PlanningInput;
  target: number;
  /** The run whose orders stand for what the items are part of; null: that is planned anew. */
  planningRun: Promised['planningRun'];
}

/** Reads the item with all below it, and all that these are part of. */
async function readItem(
  tx: Tx,
  { day, id, max }: { day: string; id: string; max: number },
  slices: Slices,
): Promise<Around> {
  // Needs are not gathered: one that waits for another day would make the quantity wait, too.
  const options: PlanningOptions = {
    ...standardOptions,
    ...(await workingDaysOf(tx, {})),
    horizonDays: PROMISE_DAYS_MAX,
    periodDays: 1,
  };
  const calendar = calendarOf(options, day, options.horizonDays);
  const items = await findBelow(tx, id, max);
  let planningRun: Around['planningRun'] = null;
  const stored = async () => {
    const run = await findNewestPlan(tx);
    if (run === null)
      throw new AppError('tree_too_large', {
        detail: `The item and its components are part of more than ${max} others. Start a planning run of the whole workspace: then its orders stand for these.`,
        extensions: { limit: max },
      });
    const ranOn = run.day as string;
    planningRun = { id: run.id, day: ranOn, horizonEndsOn: dateOf(ranOn, optionsOf(run).horizonDays) };
    return storedIn(run);
  };
  const reading = { day, options, calendar, choice: everything, max, stored };
  const { input } = await readAround(tx, items, reading, slices);
  const target = placesOf(input.items.ids).get(id) ?? -1;
  return { input: { ...options, ...input, calendar }, target, planningRun };
}

interface Plan {
  /** Whether stock and lines that exist cover the quantity, and nothing is ordered for others in its place. */
  readonly isFromExisting: boolean;
  /** Whether it is covered, and nothing comes later or must come earlier by it. */
  readonly isInTime: boolean;
  readonly totals: Totals;
}

interface Wanted {
  readonly target: number;
  readonly quantity: number;
}

class Search {
  readonly canOrder: boolean;
  readonly #input: PlanningInput;
  readonly #wanted: Wanted;
  readonly #without: Totals;
  readonly #slices: Slices;

  private constructor(
    input: PlanningInput,
    wanted: Wanted,
    { canOrder, without, slices }: { canOrder: boolean; without: Totals; slices: Slices },
  ) {
    this.canOrder = canOrder;
    this.#input = input;
    this.#wanted = wanted;
    this.#without = without;
    this.#slices = slices;
  }

  static async begin(given: PlanningInput, wanted: Wanted, slices: Slices): Promise<Search> {
    const { target } = wanted;
    const canOrder = given.items.way[target] !== ways.notPlanned;
    // Stock of an item that is not planned can be promised as well.
    const way = given.items.way.slice();
    if (!canOrder) way[target] = ways.buy;
    const input = { ...given, items: { ...given.items, way } };
    const without = await totalsOf(await netInSlices(input, null, slices), input, target, slices);
    return new Search(input, wanted, { canOrder, without, slices });
  }

  /** Returns the first day that fits; null: none within the days that are looked at. A later day fits if an earlier one does. */
  async firstDay(fits: (plan: Plan) => boolean): Promise<number | null> {
    let [from, to] = [0, this.#input.horizonDays + 1];
    while (from < to) {
      const middle = Math.floor((from + to) / 2);
      if (fits(await this.#plan(middle))) to = middle;
      else from = middle + 1;
    }
    return from > this.#input.horizonDays ? null : from;
  }

  /** Returns orders beyond those of the plan without the quantity, by date. */
  async ordersFor(day: number): Promise<PlanAction[]> {
    return moreThan((await this.#plan(day)).totals.orders, this.#without.orders);
  }

  /** Plans with the quantity on a day. */
  async #plan(day: number): Promise<Plan> {
    const { demand, items } = this.#input;
    const { target, quantity } = this.#wanted;
    const own = demand.item.length;
    const withIt = {
      item: longer(new Uint32Array(own + 1), demand.item, target),
      day: longer(new Int32Array(own + 1), demand.day, day),
      quantity: longer(new Float64Array(own + 1), demand.quantity, quantity),
    };
    const pegs = new Pegs(items.available);
    const actions = await netInSlices({ ...this.#input, demand: withIt }, pegs, this.#slices);
    const totals = await totalsOf(actions, this.#input, target, this.#slices);
    const need = pegs
      .needsOf(target)
      .find(({ source }) => typeof source !== 'string' && 'demand' in source && source.demand === own);
    const covers = need?.coveredBy ?? [];
    const covered = covers.reduce((sum, cover) => sum + cover.quantity, 0);
    const { late, pulled, added } = this.#without;
    const isInTime =
      covered === quantity && totals.late <= late && totals.pulled <= pulled && totals.added <= added;
    return {
      isInTime,
      isFromExisting:
        isInTime &&
        totals.ordered <= this.#without.ordered &&
        covers.every(({ by }) => by === 'stock' || 'supply' in by),
      totals,
    };
  }
}

/** Returns a column with one value more. */
function longer<Values extends Uint32Array | Int32Array | Float64Array>(
  column: Values,
  before: Values,
  value: number,
): Values {
  column.set(before);
  column[before.length] = value;
  return column;
}

interface Totals {
  /** Quantities by the days that they are late. */
  late: number;
  /** Quantities of lines by the days that they must come earlier. */
  pulled: number;
  /** Quantities that lines must have. */
  added: number;
  /** The quantity that is ordered of the item itself. */
  ordered: number;
  orders: PlanAction[];
}

async function totalsOf(
  actions: PlanActions,
  { supply }: PlanningInput,
  target: number,
  slices: Slices,
): Promise<Totals> {
  const totals: Totals = { late: 0, pulled: 0, added: 0, ordered: 0, orders: [] };
  for (let at = 0; at < actions.length; at++) {
    if (slices.areDue) await slices.next();
    const one = actions.at(at);
    if (one.action === 'expedite')
      totals.pulled += one.quantity * (Math.max(0, supply.day[one.supply] as number) - one.day);
    else if (one.action === 'increase') totals.added += one.quantity;
    else if (one.action === 'order' || one.action === 'make') {
      totals.orders.push(one);
      totals.late += one.quantity * one.lateDays;
      if (one.item === target) totals.ordered += one.quantity;
    }
  }
  return totals;
}

/** Returns orders that the plan without the quantity does not have, or not as large. */
function moreThan(orders: readonly PlanAction[], before: readonly PlanAction[]): PlanAction[] {
  const keyOf = ({ item, action, day }: PlanAction) => `${item} ${action} ${day}`;
  const known = new Map<string, number>();
  for (const one of before) known.set(keyOf(one), (known.get(keyOf(one)) ?? 0) + one.quantity);
  return orders
    .flatMap((one) => {
      const quantity = one.quantity - (known.get(keyOf(one)) ?? 0);
      known.delete(keyOf(one));
      return quantity > 0 ? [{ ...one, quantity }] : [];
    })
    .sort((a, b) => a.start - b.start || a.item - b.item);
}
