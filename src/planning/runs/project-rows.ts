/** Collects what projects need while the input of a plan is read. */
import type { ProjectNeeds } from '../netting/planning-input.ts';

interface Requirement {
  /** -1: no item that is planned. */
  item: number;
  demand: number;
  held: number;
  followsStructure: boolean;
}

class Rows implements ProjectNeeds {
  root = -1;
  quantity = 0;
  readonly items: number[] = [];
  readonly demands: number[] = [];
  readonly held: number[] = [];
  readonly followStructure: boolean[] = [];
}

export class ProjectRows {
  readonly #byId = new Map<string, Rows>();

  /** The whole structure of a project is needed. `root` is the item that stands for it. */
  plan(id: string, root: number, quantity: number): void {
    const rows = this.#of(id);
    rows.root = root;
    rows.quantity = quantity;
  }

  add(id: string, { item, demand, held, followsStructure }: Requirement): void {
    if (item < 0) return;
    const rows = this.#of(id);
    rows.items.push(item);
    rows.demands.push(demand);
    rows.held.push(held);
    rows.followStructure.push(followsStructure);
  }

  needs(): readonly ProjectNeeds[] {
    return [...this.#byId.values()].filter(
      ({ root, followStructure }) => root >= 0 || followStructure.includes(true),
    );
  }

  /** Returns the items that stand for projects. */
  roots(): readonly number[] {
    return [...this.#byId.values()].flatMap(({ root }) => (root < 0 ? [] : [root]));
  }

  /** Returns those of some projects. */
  rootsOf(ids: ReadonlySet<string>): number[] {
    return [...this.#byId].flatMap(([id, { root }]) => (root >= 0 && ids.has(id) ? [root] : []));
  }

  #of(id: string): Rows {
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    const rows = new Rows();
    this.#byId.set(id, rows);
    return rows;
  }
}
