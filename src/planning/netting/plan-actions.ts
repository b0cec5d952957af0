/** Actions and exceptions of a plan, in columns. */
import { MICRO_DOUBLE_MAX } from '../../quantity.ts';
import { Column } from './column.ts';
import { compareIds, type Ids, type PlanSupply } from './planning-input.ts';

/** `none` stands for an exception that proposes nothing; `useSubstitute` changes no order. */
export const actionNames = [
  'none',
  'order',
  'make',
  'expedite',
  'defer',
  'increase',
  'decrease',
  'cancel',
  'useSubstitute',
] as const;
export type ActionName = (typeof actionNames)[number];

/** Bits of the exceptions of an action, in the order of `exceptionNames`. */
export const exceptionNames = [
  'late',
  'noSupplier',
  'noLeadTime',
  'noStructure',
  'archivedItem',
  'demandWithoutDate',
  'overdueSupply',
  'leadTimeTooLong',
  'quantityOutOfRange',
  'cycle',
] as const;
export type ExceptionName = (typeof exceptionNames)[number];

export function bitOf(name: ExceptionName): number {
  return 2 ** exceptionNames.indexOf(name);
}

export function exceptionsOf(bits: number): ExceptionName[] {
  return exceptionNames.filter((_, at) => (bits & (2 ** at)) !== 0);
}

export interface PlanAction {
  readonly action: ActionName;
  readonly item: number;
  /** Index of the supply that it changes; -1: none. */
  readonly supply: number;
  /** The day on which it is needed, or to which a supply is moved. */
  readonly day: number;
  /** The day on which to order or to begin; of a line that is expedited the day to which it moves, of another action the day on which it comes. */
  readonly start: number;
  /** The quantity to order or make, or that the supply is to have. */
  readonly quantity: number;
  /** Days by which it comes after its need. */
  readonly lateDays: number;
  readonly exceptions: number;
  /** The item that is used instead, and how much of it. */
  readonly substitute?: { readonly item: number; readonly quantity: number } | undefined;
}

/** Returns an exception that proposes nothing. A quantity out of range is cut. */
export function exceptionOf(item: number, quantity: number, name: ExceptionName): PlanAction {
  return {
    action: 'none',
    item,
    supply: -1,
    day: 0,
    start: 0,
    quantity: Math.min(quantity, MICRO_DOUBLE_MAX),
    lateDays: 0,
    exceptions: bitOf(name),
  };
}

export class PlanActions {
  readonly #action = new Column(new Uint8Array());
  readonly #item = new Column(new Uint32Array());
  readonly #supply = new Column(new Int32Array());
  readonly #day = new Column(new Int32Array());
  readonly #start = new Column(new Int32Array());
  readonly #quantity = new Column(new Float64Array());
  readonly #lateDays = new Column(new Int32Array());
  readonly #exceptions = new Column(new Uint16Array());
  readonly #substitutes = new Map<number, NonNullable<PlanAction['substitute']>>();
  /** Indexes in the actions of which these are some. */
  #origins: Column<Uint32Array> | null = null;

  get length(): number {
    return this.#item.length;
  }

  push({ action, item, supply, day, start, quantity, lateDays, exceptions, substitute }: PlanAction): void {
    if (substitute !== undefined) this.#substitutes.set(this.length, substitute);
    this.#action.push(actionNames.indexOf(action));
    this.#item.push(item);
    this.#supply.push(supply);
    this.#day.push(day);
    this.#start.push(start);
    this.#quantity.push(quantity);
    this.#lateDays.push(lateDays);
    this.#exceptions.push(exceptions);
  }

  at(index: number): PlanAction {
    return {
      action: actionNames[this.#action.at(index)] as ActionName,
      item: this.#item.at(index),
      supply: this.#supply.at(index),
      day: this.#day.at(index),
      start: this.#start.at(index),
      quantity: this.#quantity.at(index),
      lateDays: this.#lateDays.at(index),
      exceptions: this.#exceptions.at(index),
      substitute: this.#substitutes.get(index),
    };
  }

  /** Returns how many there are of each action, and with each exception. */
  counts(): {
    actions: Partial<Record<ActionName, number>>;
    exceptions: Partial<Record<ExceptionName, number>>;
  } {
    const byAction = new Uint32Array(actionNames.length);
    for (const action of this.#action.values()) byAction[action] = (byAction[action] as number) + 1;
    const byBits = new Map<number, number>();
    for (const bits of this.#exceptions.values()) byBits.set(bits, (byBits.get(bits) ?? 0) + 1);
    const withBit = (bit: number) =>
      [...byBits].reduce((sum, [bits, count]) => ((bits & bit) === 0 ? sum : sum + count), 0);
    const above0 = <Name extends string>(names: readonly Name[], countOf: (at: number) => number) =>
      Object.fromEntries(
        names.map((name, at) => [name, countOf(at)] as const).filter(([, count]) => count > 0),
      ) as Partial<Record<Name, number>>;
    return {
      actions: above0(actionNames, (at) => byAction[at] as number),
      exceptions: above0(exceptionNames, (at) => withBit(2 ** at)),
    };
  }

  /** Returns the actions of some items: those that have 1, and of those that have 2 only the exceptions; null: all. */
  within(items: Uint8Array | null): PlanActions {
    if (items === null) return this;
    const some = new PlanActions();
    const origins = new Column(new Uint32Array());
    for (const [at, item] of this.#item.values().entries())
      if (items[item] === 1 || (items[item] === 2 && this.#exceptions.at(at) !== 0)) {
        some.push(items[item] === 1 ? this.at(at) : { ...this.at(at), action: 'none' });
        origins.push(at);
      }
    some.#origins = origins;
    return some;
  }

  /** Returns the index that an action had before `within`. */
  originOf(index: number): number {
    return this.#origins?.at(index) ?? index;
  }

  /**
   * Returns indexes of the first actions in the order of days, items, actions, supplies and their days: the same whatever the order of the input. Actions
   * of days that are beyond the first are not compared: a plan may have twenty times as many as are stored.
   */
  sorted(
    itemIds: Ids,
    { ids: supplyIds, day: supplyDays }: Pick<PlanSupply, 'ids' | 'day'>,
    max = this.length,
  ): Uint32Array {
    const last = this.#lastDayOf(max);
    // An action of no supply comes first.
    const bySupply = (a: number, b: number) =>
      a < 0 || b < 0
        ? a - b
        : compareIds(supplyIds, a, b) || (supplyDays[a] as number) - (supplyDays[b] as number);
    const some: number[] = [];
    for (let at = 0; at < this.length; at++) if (this.#start.at(at) <= last) some.push(at);
    return new Uint32Array(some)
      .sort(
        (a, b) =>
          this.#start.at(a) - this.#start.at(b) ||
          compareIds(itemIds, this.#item.at(a), this.#item.at(b)) ||
          this.#action.at(a) - this.#action.at(b) ||
          bySupply(this.#supply.at(a), this.#supply.at(b)) ||
          this.#day.at(a) - this.#day.at(b) ||
          this.#exceptions.at(a) - this.#exceptions.at(b),
      )
      .subarray(0, max);
  }

  /** Returns the day by which so many actions start. */
  #lastDayOf(max: number): number {
    if (max >= this.length) return Number.POSITIVE_INFINITY;
    const counts = new Map<number, number>();
    for (const day of this.#start.values()) counts.set(day, (counts.get(day) ?? 0) + 1);
    let sum = 0;
    for (const [day, count] of [...counts].sort(([a], [b]) => a - b)) {
      sum += count;
      if (sum >= max) return day;
    }
    return Number.POSITIVE_INFINITY;
  }
}
