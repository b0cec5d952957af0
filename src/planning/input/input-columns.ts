/** Demand and supply of a plan in columns that grow. */
import { Column } from '../netting/column.ts';
import { NO_DAY, type PlanDemand, type PlanSupply } from '../netting/planning-input.ts';
import type { ComponentDemands } from '../netting/served-projects.ts';
import { PackedIds } from './packed-ids.ts';

/** The origin of a demand. */
export interface DemandOrigin {
  kind: DemandKind | 'plannedOrder' | 'manufacturingLine';
  /** The line, requirement or project. */
  id: string | null;
  /** The manufacturing line that it is a component of. */
  lineId: string | null;
  /** The item whose order that is not followed further it is a component of, by its place. */
  madeItem?: number;
}

const demandKinds = ['salesLine', 'requirement', 'forecast', 'project', 'whatIf'] as const;
export type DemandKind = (typeof demandKinds)[number];

/** A need, or something that comes, without its origin. */
export interface Amount {
  item: number;
  /** `NO_DAY`: it has no date. */
  day: number;
  quantity: number;
}

/** The position of the bytes of an id; null: there is no id. */
export type IdPlace = { view: DataView; from: number } | null;

class Amounts {
  readonly #item = new Column(new Uint32Array());
  readonly #day = new Column(new Int32Array());
  readonly #quantity = new Column(new Float64Array());

  /** Adds to the last amount if that is of the same day. */
  addToLast({ day, quantity }: Amount): boolean {
    if (this.#day.last !== day) return false;
    this.#quantity.last = (this.#quantity.last as number) + quantity;
    return true;
  }

  push({ item, day, quantity }: Amount): void {
    this.#item.push(item);
    this.#day.push(day);
    this.#quantity.push(quantity);
  }

  columns(): PlanDemand {
    return { item: this.#item.values(), day: this.#day.values(), quantity: this.#quantity.values() };
  }
}

export class DemandColumns {
  readonly #amounts = new Amounts();
  readonly #kinds = new Column(new Uint8Array());
  readonly #ids = new PackedIds();
  readonly #lineIds = new PackedIds();

  get length(): number {
    return this.#ids.length;
  }

  push(amount: Amount, { kind, id, line }: { kind: DemandKind; id: IdPlace; line: IdPlace }): void {
    this.#amounts.push(amount);
    this.#kinds.push(demandKinds.indexOf(kind));
    pushId(this.#ids, id);
    pushId(this.#lineIds, line);
  }

  columns(): PlanDemand {
    return this.#amounts.columns();
  }

  origins(): Origins {
    return new Origins(this.#kinds.values(), this.#ids, this.#lineIds);
  }
}

/** Demands for components, and the supplies that they are components of, side by side. */
export class ComponentColumns {
  readonly #demand = new Column(new Uint32Array());
  readonly #supply = new Column(new Uint32Array());

  push(demand: number, supply: number): void {
    this.#demand.push(demand);
    this.#supply.push(supply);
  }

  columns(): ComponentDemands {
    return { demand: this.#demand.values(), supply: this.#supply.values() };
  }
}

/** Origins of demands by their places. */
export class Origins {
  readonly #kinds: Uint8Array;
  readonly #ids: PackedIds;
  readonly #lineIds: PackedIds;

  constructor(ofKinds: Uint8Array, ids: PackedIds, lineIds: PackedIds) {
    this.#kinds = ofKinds;
    this.#ids = ids;
    this.#lineIds = lineIds;
  }

  get length(): number {
    return this.#kinds.length;
  }

  at(index: number): DemandOrigin {
    const kind = demandKinds[this.#kinds[index] as number] as DemandKind;
    return { kind, id: this.#ids.at(index) ?? null, lineId: this.#lineIds.at(index) ?? null };
  }
}

export class SupplyColumns {
  readonly ids = new PackedIds();
  readonly #amounts = new Amounts();
  readonly #explodes = new Column(new Uint8Array());
  readonly #isPart = new Column(new Uint8Array());

  /** Adds what comes of a line. Its parts follow one another in the order of their days; those of one day are one supply. */
  push(amount: Amount, { view, from }: NonNullable<IdPlace>, explodes: boolean): void {
    const isPart = this.ids.length > 0 && this.ids.equals(this.ids.length - 1, view, from);
    if (isPart && this.#amounts.addToLast(amount)) return;
    if (isPart) this.#isPart.last = 1;
    this.ids.push(view, from);
    this.#amounts.push(amount);
    this.#explodes.push(Number(explodes));
    this.#isPart.push(Number(isPart));
  }

  columns(): PlanSupply {
    const [explodes, isPart] = [this.#explodes.values(), this.#isPart.values()];
    return { ...this.#amounts.columns(), ids: this.ids, explodes, isPart };
  }
}

function pushId(ids: PackedIds, place: IdPlace): void {
  if (place === null) ids.pushNone();
  else ids.push(place.view, place.from);
}

/** Lines and needs of each item as they are stored, from which `Basis` sums up what the actions of an item rest on. */
export class Facts {
  readonly #item = new Column(new Uint32Array());
  readonly #day = new Column(new Int32Array());
  readonly #quantity = new Column(new Float64Array());
  readonly #isSupply = new Column(new Uint8Array());
  /** The position in `#order` at which the facts of each item begin. */
  #from: Uint32Array | null = null;
  #order = new Uint32Array();

  push({ item, day, quantity }: Amount, isSupply: boolean): void {
    this.#item.push(item);
    this.#day.push(day);
    this.#quantity.push(quantity);
    this.#isSupply.push(Number(isSupply));
  }

  /** Visits the facts of one of so many items. After the first call, none is added. */
  visit(
    item: number,
    items: number,
    visit: (fact: { day: number | null; quantity: number; isSupply: boolean }) => void,
  ): void {
    const from = this.#from ?? this.#sort(items);
    for (let at = from[item] as number; at < (from[item + 1] as number); at++) {
      const fact = this.#order[at] as number;
      const day = this.#day.values()[fact] as number;
      visit({
        day: day === NO_DAY ? null : day,
        quantity: this.#quantity.values()[fact] as number,
        isSupply: this.#isSupply.values()[fact] === 1,
      });
    }
  }

  #sort(items: number): Uint32Array {
    const owners = this.#item.values();
    const from = new Uint32Array(items + 1);
    for (const item of owners) from[item + 1] = (from[item + 1] as number) + 1;
    for (let item = 1; item <= items; item++)
      from[item] = (from[item] as number) + (from[item - 1] as number);
    const next = from.slice();
    this.#order = new Uint32Array(owners.length);
    for (const [fact, item] of owners.entries()) {
      const at = next[item] as number;
      next[item] = at + 1;
      this.#order[at] = fact;
    }
    this.#from = from;
    return from;
  }
}
