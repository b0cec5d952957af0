/**
 * Finds which projects each action of a plan serves: those whose needs it covers, directly or through what is made of it. It follows needs as
 * `Pegs` does, without quantities, and only of items that projects need.
 */
import { Column } from './column.ts';
import type { Coming, NeedSource, PlanRecorder } from './covering.ts';
import { itemsBelow } from './items-below.ts';
import { PartList, PartLists } from './part-lists.ts';
import type { PlanActions } from './plan-actions.ts';
import { NO_DAY, type PlanDemand, type PlanLinks, type PlanSupply } from './planning-input.ts';

/** Demands of a project, by their indexes. */
export interface ProjectDemands {
  readonly id: string;
  readonly demands: readonly number[];
}

/** Demands that are components of a supply, side by side. */
export interface ComponentDemands {
  readonly demand: Uint32Array;
  readonly supply: Uint32Array;
}

interface Served {
  readonly available: Float64Array;
  readonly links: PlanLinks;
  readonly demand: PlanDemand;
  readonly supply: Pick<PlanSupply, 'item'>;
  readonly projects: readonly ProjectDemands[];
  readonly components: ComponentDemands;
}

/** Needs and covers that are held at once, uses that are remembered, and steps from projects to what serves them. */
const HELD_MAX = 3_000_000;
const STEPS_MAX = 50_000_000;

interface OfItem {
  /** Quantities with the nodes that need them, and with those that cover them. */
  readonly needs: PartList;
  readonly covers: PartList;
  /** Leftovers that went into stock, in the order of use, and the first that is not used up. */
  readonly lots: { quantity: number; readonly node: number }[];
  nextLot: number;
  opening: number;
}

/** Needs that serve no project. */
const NOBODY = 0;
/** Covers that serve no need: they fill the minimum up. */
const FLOOR = -1;

/**
 * Uses are links between nodes. Numbers of nodes: 0, then projects, items (for exceptions that concern no line), supplies and actions.
 */
export class ServedProjects implements PlanRecorder {
  readonly #given: Served;
  readonly #isFollowed: Uint8Array;
  /** The node that each demand is for. */
  readonly #sourceOf: Uint32Array;
  readonly #ofItem = new Map<number, OfItem>();
  #parts = new PartLists();
  readonly #firstItem: number;
  readonly #firstSupply: number;
  readonly #firstAction: number;
  /** `#by` is used for `#for`. */
  readonly #by = new Column(new Uint32Array());
  readonly #for = new Column(new Uint32Array());
  #held = 0;
  #netted = -1;
  #isTooLarge = false;

  constructor(given: Served) {
    this.#given = given;
    const { projects, demand, supply, components, available } = given;
    this.#firstItem = projects.length + 1;
    this.#firstSupply = this.#firstItem + available.length;
    this.#firstAction = this.#firstSupply + supply.item.length;
    const sourceOf = new Uint32Array(demand.item.length).fill(NOBODY);
    for (const [at, one] of projects.entries()) for (const index of one.demands) sourceOf[index] = at + 1;
    this.#isFollowed = itemsBelow(
      projects.flatMap((one) => one.demands.map((at) => demand.item[at] as number)),
      given.links,
      componentsByMaker(given),
    );
    for (const [row, index] of components.demand.entries()) {
      const node = this.#firstSupply + (components.supply[row] as number);
      const project = sourceOf[index] as number;
      // A component of a line serves what the line serves, and the project that its requirement names.
      this.#link(node, project);
      sourceOf[index] = node;
    }
    this.#sourceOf = sourceOf;
    for (const [at, one] of projects.entries())
      for (const index of one.demands)
        if (demand.day[index] === NO_DAY)
          this.#link(this.#firstItem + (demand.item[index] as number), at + 1);
  }

  need(item: number, day: number, quantity: number, source: NeedSource): void {
    if (this.#isFollowed[item] !== 1 || this.#isTooLarge) return;
    const node = 'demand' in source ? (this.#sourceOf[source.demand] ?? NOBODY) : this.#nodeOf(source.madeBy);
    this.#add(this.#of(item).needs, day, quantity, node);
  }

  cover(
    item: number,
    { day, isFloor }: { day: number; isFloor: boolean },
    quantity: number,
    by: Coming | 'stock',
  ) {
    if (this.#isFollowed[item] !== 1 || this.#isTooLarge) return;
    if (this.#netted !== item) {
      this.#finish(this.#netted);
      this.#netted = item;
    }
    const own = this.#of(item);
    const of = isFloor ? FLOOR : day;
    if (by !== 'stock') return this.#add(own.covers, of, quantity, this.#nodeOf(by));
    // Stock that was there is used first, then leftovers in their order.
    const opening = Math.min(quantity, own.opening);
    own.opening -= opening;
    if (opening > 0) this.#add(own.covers, of, opening, NOBODY);
    for (let open = quantity - opening; open > 0; ) {
      const lot = own.lots[own.nextLot];
      if (lot === undefined) return;
      const taken = Math.min(open, lot.quantity);
      this.#add(own.covers, of, taken, lot.node);
      lot.quantity -= taken;
      if (lot.quantity === 0) own.nextLot += 1;
      open -= taken;
    }
  }

  left(item: number, quantity: number, by: Coming): void {
    if (this.#isFollowed[item] !== 1 || this.#isTooLarge) return;
    this.#of(item).lots.push({ quantity, node: this.#nodeOf(by) });
  }

  /**
   * Returns the projects that some actions serve, by their places in the list of projects and in order; null: there are too many needs or pairs
   * to find them. `pairsMax` bounds the sum of all lists.
   */
  servedBy(
    actions: PlanActions,
    indexes: Uint32Array,
    pairsMax: number,
  ): readonly (readonly number[])[] | null {
    for (const item of [...this.#ofItem.keys()]) this.#finish(item);
    if (this.#isTooLarge) return null;
    const served: number[][] = Array.from(indexes, () => []);
    const rowsOf = new Map<number, number[]>();
    for (const [row, index] of indexes.entries()) {
      const node = this.#nodeOfAction(actions, index);
      const rows = rowsOf.get(node);
      if (rows === undefined) rowsOf.set(node, [row]);
      else rows.push(row);
    }
    const { from, by } = this.#usesByNode();
    const seenFor = new Uint32Array(from.length - 1);
    let [steps, pairs] = [0, 0];
    for (let project = 1; project < this.#firstItem; project++)
      for (const ahead = [project]; ahead.length > 0; ) {
        const node = ahead.pop() as number;
        for (const row of rowsOf.get(node) ?? []) {
          served[row]?.push(project - 1);
          pairs += 1;
        }
        steps += 1 + (from[node + 1] as number) - (from[node] as number);
        if (pairs > pairsMax || steps > STEPS_MAX) return null;
        for (let use = from[node] as number; use < (from[node + 1] as number); use++) {
          const next = by[use] as number;
          if (seenFor[next] === project) continue;
          seenFor[next] = project;
          ahead.push(next);
        }
      }
    return served;
  }

  #nodeOf(by: Coming): number {
    return 'supply' in by ? this.#firstSupply + by.supply : this.#firstAction + by.action;
  }

  #nodeOfAction(actions: PlanActions, index: number): number {
    const { supply, action, item } = actions.at(index);
    if (supply >= 0) return this.#firstSupply + supply;
    return action === 'none' ? this.#firstItem + item : this.#firstAction + actions.originOf(index);
  }

  #of(item: number): OfItem {
    const known = this.#ofItem.get(item);
    if (known !== undefined) return known;
    const opening = Math.max(0, this.#given.available[item] as number);
    const made: OfItem = { needs: new PartList(), covers: new PartList(), lots: [], nextLot: 0, opening };
    this.#ofItem.set(item, made);
    return made;
  }

  #add(list: PartList, day: number, quantity: number, node: number): void {
    if (!this.#parts.add(list, day, quantity, node)) return;
    this.#held += 1;
    if (this.#held + this.#by.length > HELD_MAX) this.#giveUp();
  }

  #link(by: number, to: number): void {
    if (to === NOBODY || by === to) return;
    this.#by.push(by);
    this.#for.push(to);
  }

  #giveUp(): void {
    this.#isTooLarge = true;
    this.#ofItem.clear();
    this.#parts = new PartLists();
  }

  /** Says what each cover of an item is used for, and forgets its needs. Needs that nothing covers are those of the item. */
  #finish(item: number): void {
    const own = this.#ofItem.get(item);
    if (own === undefined || this.#isTooLarge) return;
    this.#ofItem.delete(item);
    this.#held -= own.needs.length + own.covers.length;
    const parts = this.#parts;
    const covers = parts.byDay(own.covers);
    // One cover can cover the needs of several days, one after the other.
    const lastBy = new Map<number, number>();
    const link = (by: number, to: number) => {
      if (lastBy.get(to) === by) return;
      lastBy.set(to, by);
      this.#link(by, to);
    };
    let at = 0;
    const cover = (day: number, quantity: number, node: number) => {
      let open = quantity;
      for (; open > 0; ) {
        while (at < covers.length && isPassed(covers[at] as number, day)) at++;
        const by = covers[at];
        if (by === undefined || parts.dayOf(by) > day) break;
        const taken = Math.min(open, parts.quantityOf(by));
        parts.take(by, taken);
        open -= taken;
        if (parts.nodeOf(by) !== NOBODY) link(parts.nodeOf(by), node);
      }
      if (open > 0) link(this.#firstItem + item, node);
    };
    // Covers of the floor come before all days.
    const isPassed = (by: number, day: number) => parts.dayOf(by) < day || parts.quantityOf(by) === 0;
    const owed = -(this.#given.available[item] as number);
    if (owed > 0) cover(0, owed, NOBODY);
    for (const need of parts.byDay(own.needs))
      cover(parts.dayOf(need), parts.quantityOf(need), parts.nodeOf(need));
    parts.remove(own.needs);
    parts.remove(own.covers);
  }

  /** Returns what is used for each node: that of node `n` stands from `from[n]` up to `from[n + 1]`. */
  #usesByNode(): { from: Uint32Array; by: Uint32Array } {
    const [bys, fors] = [this.#by.values(), this.#for.values()];
    let nodes = this.#firstAction;
    for (const node of bys) nodes = Math.max(nodes, node + 1);
    for (const node of fors) nodes = Math.max(nodes, node + 1);
    const from = new Uint32Array(nodes + 2);
    for (const node of fors) from[node + 1] = (from[node + 1] as number) + 1;
    for (let node = 1; node < from.length; node++)
      from[node] = (from[node] as number) + (from[node - 1] as number);
    const next = from.slice();
    const by = new Uint32Array(bys.length);
    for (const [use, node] of fors.entries()) {
      const at = next[node] as number;
      next[node] = at + 1;
      by[at] = bys[use] as number;
    }
    return { from, by };
  }
}

/** Returns what finds the components of the lines that make an item: a line can need what is no part of its item. */
function componentsByMaker({ demand, supply, components }: Served): (item: number) => readonly number[] {
  const byMaker = new Map<number, number[]>();
  for (const [row, index] of components.demand.entries()) {
    const maker = supply.item[components.supply[row] as number] as number;
    const item = demand.item[index] as number;
    const known = byMaker.get(maker);
    if (known === undefined) byMaker.set(maker, [item]);
    else known.push(item);
  }
  const none: readonly number[] = [];
  return (item) => byMaker.get(item) ?? none;
}
