/** Reads the needs and supplies of a plan into columns: those that the options name, order lines, requirements and forecasts. */
import { daysBetween } from '../../calendar/days.ts';
import type { BinaryRows } from '../../db/wire/binary-rows.ts';
import { NO_DAY, type PlanSupply } from '../netting/planning-input.ts';
import type { PlanningOptions } from '../options/planning-options.schema.ts';
import { type Amount, ComponentColumns, DemandColumns, type Facts, SupplyColumns } from './input-columns.ts';
import { IdIndex, type PackedIds } from './packed-ids.ts';
import { Projects } from './project-rows.ts';
import type { ReadItems } from './read-items.ts';
import type { SubstituteLists } from './substitute-lists.ts';

export interface NeedsOf {
  day: string;
  options: PlanningOptions;
  items: Pick<ReadItems, 'ids' | 'index'>;
  /** Facts on which the actions of each item rest. */
  facts: Facts;
  /** Substitutes of single requirements. */
  lists: SubstituteLists;
}

type Rows = AsyncIterable<BinaryRows>;

export class NeedsReader {
  readonly #given: NeedsOf;
  /** Days that a what-if run gives to lines and requirements, by their ids. */
  readonly #otherDays: ReadonlyMap<string, number>;
  readonly demand = new DemandColumns();
  readonly supply = new SupplyColumns();
  /** Demands for the lines of which they are components. */
  readonly components = new ComponentColumns();
  readonly projects = new Projects();
  /** Items that open requirements of the projects of the scope name. */
  readonly ofProjects: number[];

  constructor(given: NeedsOf) {
    this.#given = given;
    const { day, options } = given;
    this.#otherDays = new Map(options.dates.map(({ id, requiredBy }) => [id, daysBetween(day, requiredBy)]));
    this.#addDemandOfOptions();
    this.#addProjectsOfOptions();
    this.ofProjects = this.projects.rootsOf(new Set(options.scope?.projects ?? []));
  }

  #addDemandOfOptions(): void {
    const { day, options, items } = this.#given;
    for (const { itemEntityId, quantity, requiredBy } of options.demand) {
      const item = items.index.ofText(itemEntityId);
      if (item < 0) continue;
      const amount = { item, day: daysBetween(day, requiredBy), quantity: Math.round(quantity * 1e6) };
      this.demand.push(amount, { kind: 'whatIf', id: null, line: null });
    }
  }

  #addProjectsOfOptions(): void {
    const { day, options, items } = this.#given;
    for (const { projectId, quantity, requiredBy } of options.projects) {
      const root = items.index.ofText(projectId);
      if (root < 0) continue;
      const needed = { item: root, day: daysBetween(day, requiredBy), quantity: Math.round(quantity * 1e6) };
      const id = { view: items.ids.view, from: items.ids.offsetOf(root) };
      this.projects.at(id).needWhole(root, needed.quantity, this.demand.length);
      this.demand.push(needed, { kind: 'project', id, line: null });
    }
  }

  async readLines(portions: Rows): Promise<void> {
    for await (const rows of portions)
      while (rows.next()) {
        const amount = this.#amountOf(rows, { item: 1, day: 3, quantity: 4 });
        if (amount === null) continue;
        const isSupply = rows.isTrue(2);
        this.#given.facts.push(amount, isSupply);
        const planned = { ...amount, day: this.#otherDay(rows) ?? amount.day };
        const id = placeOf(rows, 0);
        if (isSupply) this.supply.push(planned, id, rows.isTrue(5));
        else this.demand.push(planned, { kind: 'salesLine', id, line: null });
      }
  }

  /** Lines are read before. `startOf` returns the day on which the line of a supply begins. */
  async readRequirements(
    portions: Rows,
    supply: PlanSupply,
    startOf: (supply: number) => number,
  ): Promise<void> {
    const { options, items, facts, lists } = this.#given;
    const supplyOf = suppliesOf(supply, this.supply.ids);
    const inScope = new Set(options.scope?.projects ?? []);
    for await (const rows of portions)
      while (rows.next()) {
        const amount = this.#amountOf(rows, { item: 1, day: 4, quantity: 5 });
        const project = rows.isNull(3) ? null : this.projects.at(placeOf(rows, 3));
        if (project !== null && !rows.isNull(7))
          project.add({
            item: items.index.at(rows.view, rows.from(1)),
            demand: amount === null ? -1 : this.demand.length,
            held: rows.micro(7),
            issued: rows.micro(8),
            followsStructure: rows.isTrue(9),
          });
        if (amount === null) continue;
        if (project !== null && inScope.has(project.id)) this.ofProjects.push(amount.item);
        facts.push(amount, false);
        const line = rows.isNull(2) ? null : placeOf(rows, 2);
        const madeBy = line === null ? -1 : supplyOf(line.view, line.from);
        if (madeBy >= 0) this.components.push(this.demand.length, madeBy);
        // Components are needed when the line begins, and not when it ends.
        const start = madeBy < 0 ? undefined : startOf(madeBy);
        const needed = { ...amount, day: start ?? this.#otherDay(rows) ?? amount.day };
        if (!rows.isNull(6)) lists.addDemand(this.demand.length, JSON.parse(rows.text(6)));
        this.demand.push(needed, { kind: 'requirement', id: placeOf(rows, 0), line });
      }
  }

  async readForecasts(portions: Rows): Promise<void> {
    for await (const rows of portions)
      while (rows.next()) {
        const amount = this.#amountOf(rows, { item: 0, day: 2, quantity: 3 });
        if (amount === null) continue;
        this.#given.facts.push(amount, false);
        // The first day of a span that has begun may have passed, and its need has not.
        const due = { ...amount, day: Math.max(0, amount.day) };
        this.demand.push(due, { kind: 'forecast', id: null, line: null });
      }
  }

  /** Returns the amount of a row; null if nothing of it is planned. */
  #amountOf(rows: BinaryRows, at: { item: number; day: number; quantity: number }): Amount | null {
    const item = this.#given.items.index.at(rows.view, rows.from(at.item));
    if (item < 0 || rows.isNull(at.quantity)) return null;
    const quantity = rows.micro(at.quantity);
    return quantity > 0 ? { item, day: rows.isNull(at.day) ? NO_DAY : rows.int(at.day), quantity } : null;
  }

  /** Ids become texts only where there are other days. */
  #otherDay(rows: BinaryRows): number | undefined {
    return this.#otherDays.size === 0 ? undefined : this.#otherDays.get(rows.id(0));
  }
}

function placeOf(rows: BinaryRows, column: number) {
  return { view: rows.view, from: rows.from(column) };
}

/**
 * Returns a function that finds the supply of a line, by its id; -1: none is. Components of a line whose parts come on several days are needed for
 * its last part.
 */
function suppliesOf({ isPart }: PlanSupply, ids: PackedIds): (view: DataView, from: number) => number {
  const index = new IdIndex(ids);
  return (view, from) => {
    let supply = index.at(view, from);
    while (supply >= 0 && isPart[supply + 1] === 1 && ids.equals(supply + 1, view, from)) supply++;
    return supply;
  };
}
