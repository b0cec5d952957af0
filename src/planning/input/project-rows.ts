/** Collects what projects need while the input of a plan is read. */
import { idAt } from '../../db/wire/binary-rows.ts';
import type { ProjectNeeds } from '../netting/planning-input.ts';
import type { ProjectDemands } from '../netting/served-projects.ts';
import type { IdPlace } from './input-columns.ts';

interface Requirement {
  /** -1: no item that is planned. */
  item: number;
  demand: number;
  held: number;
  issued: number;
  followsStructure: boolean;
}

type Place = NonNullable<IdPlace>;

class ProjectRows implements ProjectNeeds {
  readonly id: string;
  root = -1;
  quantity = 0;
  /** The demand of the whole structure. */
  #rootDemand = -1;
  readonly items: number[] = [];
  readonly demands: number[] = [];
  readonly held: number[] = [];
  readonly issued: number[] = [];
  readonly followStructure: boolean[] = [];
  readonly #words: readonly number[];

  constructor(place: Place) {
    const { buffer, byteOffset, byteLength } = place.view;
    this.id = idAt(Buffer.from(buffer, byteOffset, byteLength), place.from);
    this.#words = wordsOf(place);
  }

  isAt({ view, from }: Place): boolean {
    return this.#words.every((word, at) => view.getUint32(from + 4 * at) === word);
  }

  /** The whole structure is needed. `root` is the item that stands for the project. */
  needWhole(root: number, quantity: number, demand: number): void {
    this.root = root;
    this.quantity = quantity;
    this.#rootDemand = demand;
  }

  /** Returns the demands of what is open. */
  openDemands(): number[] {
    return [this.#rootDemand, ...this.demands].filter((demand) => demand >= 0);
  }

  add({ item, demand, held, issued, followsStructure }: Requirement): void {
    if (item < 0) return;
    this.items.push(item);
    this.demands.push(demand);
    this.held.push(held);
    this.issued.push(issued);
    this.followStructure.push(followsStructure);
  }
}

/** Finds projects by the bytes of their ids, because making a text of the id of each requirement would take longer than the rest. */
export class Projects {
  readonly #byLastWord = new Map<number, ProjectRows[]>();

  /** Returns the project with the id at this place. */
  at(place: Place): ProjectRows {
    const key = place.view.getUint32(place.from + 12);
    const known = this.#byLastWord.get(key);
    const found = known?.find((one) => one.isAt(place));
    if (found !== undefined) return found;
    const rows = new ProjectRows(place);
    if (known === undefined) this.#byLastWord.set(key, [rows]);
    else known.push(rows);
    return rows;
  }

  needs(): readonly ProjectNeeds[] {
    return this.#all().filter(({ root, followStructure }) => root >= 0 || followStructure.includes(true));
  }

  /** Returns the open demands of each project that has some, in the order of their ids. */
  demands(): ProjectDemands[] {
    return this.#all()
      .map((one) => ({ id: one.id, demands: one.openDemands() }))
      .filter(({ demands }) => demands.length > 0)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Returns the items that stand for projects. */
  roots(): number[] {
    return this.#all().flatMap(({ root }) => (root < 0 ? [] : [root]));
  }

  /** Returns the items that stand for the projects with these ids. */
  rootsOf(ids: ReadonlySet<string>): number[] {
    return this.#all().flatMap(({ id, root }) => (root >= 0 && ids.has(id) ? [root] : []));
  }

  #all(): ProjectRows[] {
    return [...this.#byLastWord.values()].flat();
  }
}

function wordsOf({ view, from }: Place): number[] {
  return [0, 4, 8, 12].map((at) => view.getUint32(from + at));
}
