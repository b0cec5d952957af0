/**
 * The input of a planning run in columns: one array for each field, and the index of an item in place of its id. Quantities are whole
 * millionths in doubles. Days count from the day of the run, which is day 0.
 */
import type { WorkingCalendar } from '../../calendar/working-calendar.ts';
import type { LinkGraph } from '../../entities/explosion/explode.ts';
import type { MicroDouble } from '../../quantity.ts';

/** How an item is supplied. An item that is not planned gets no proposals, and its components no needs. */
export const ways = { notPlanned: 0, make: 1, buy: 2 } as const;

/** The day of a demand or supply that has no date. */
export const NO_DAY = -(2 ** 31);

/** The lead time of an item for which none is known. */
export const NO_LEAD_TIME = -1;

/** Ids by their places: texts, or bytes that become texts when they are asked for. */
export interface Ids {
  readonly length: number;
  at(index: number): string | undefined;
  /** Returns the order of two of them, where that costs less than their texts. */
  compare?(a: number, b: number): number;
}

export interface PlanItems {
  readonly ids: Ids;
  readonly isArchived: Uint8Array;
  readonly way: Uint8Array;
  /** On hand and in transit, and not reserved. */
  readonly available: Float64Array;
  /** Quantity that is to be left: the safety stock and the reorder point. */
  readonly floor: Float64Array;
  /** How much more than the need is ordered: from the reorder point up to the maximum. */
  readonly fill: Float64Array;
  /** Lot sizes of the item and of its supplier part; 0: none. */
  readonly minimum: Float64Array;
  readonly multiple: Float64Array;
  readonly packMinimum: Float64Array;
  readonly packMultiple: Float64Array;
  readonly leadDays: Int32Array;
  readonly hasSupplier: Uint8Array;
  readonly hasComponents: Uint8Array;
}

export interface PlanLinks extends LinkGraph {
  /** The quantity, with its loss in percent, is `numerator` / 10^`scale`. */
  readonly numerator: Float64Array;
  readonly scale: Uint8Array;
  /** Numerators that a double cannot hold, by the index of the link. */
  readonly wideNumerators: ReadonlyMap<number, bigint>;
  /** Quantity that is lost for each order, whatever its size. */
  readonly fixed: Float64Array;
}

export interface PlanDemand {
  readonly item: Uint32Array;
  readonly day: Int32Array;
  readonly quantity: Float64Array;
}

export interface PlanSupply {
  readonly ids: Ids;
  readonly item: Uint32Array;
  readonly day: Int32Array;
  readonly quantity: Float64Array;
  /** Whether its components are not required yet, so that the plan needs them. */
  readonly explodes: Uint8Array;
  /** Whether it is a part of a line whose other parts, with the same id, come on other days. */
  readonly isPart: Uint8Array;
}

/** An item that may be used instead; `ratio` millionths of it replace one. */
export interface PlanSubstitute {
  readonly item: number;
  readonly ratio: number;
}

export interface PlanSubstitutes {
  /** Distinct lists, the first by rank first. */
  readonly groups: readonly (readonly PlanSubstitute[])[];
  /** The list of each link and of each demand that has one, by its index. */
  readonly ofLink: ReadonlyMap<number, number>;
  readonly ofDemand: ReadonlyMap<number, number>;
}

/** The requirements of a project, in columns side by side. */
export interface ProjectNeeds {
  /** The item that stands for the project, if its whole structure is needed; -1: only its requirements are. */
  readonly root: number;
  /** How many of the project are needed. */
  readonly quantity: number;
  readonly items: readonly number[];
  /** The demand of what is open; -1: nothing is open. */
  readonly demands: readonly number[];
  /** Reserved or issued. */
  readonly held: readonly number[];
  /** The issued part of it: it can be in an assembly already. */
  readonly issued: readonly number[];
  /** Whether it was raised for the structure, and is no need of its own. */
  readonly followStructure: readonly boolean[];
}

/** A quantity of a substitute that covers a part of the need of an item on a day. */
export interface SubstituteUse {
  readonly item: number;
  readonly day: number;
  readonly substitute: number;
  readonly covered: number;
  readonly taken: number;
  /** The list that allows it; null: the plan does not look it up. */
  readonly group: number | null;
  readonly ratio: number;
}

export interface PlanningInput {
  readonly horizonDays: number;
  /** Needs of so many days are covered by one proposal. */
  readonly periodDays: number;
  /** Supply is deferred only when it comes more than so many days before its need. */
  readonly toleranceDays: number;
  /** Whether no supply comes earlier than it does: a need before it gets a proposal. */
  readonly keepsDates?: boolean;
  readonly calendar: WorkingCalendar;
  readonly items: PlanItems;
  readonly links: PlanLinks;
  readonly demand: PlanDemand;
  readonly supply: PlanSupply;
  /** The needs of projects, each of which counts once. Absent: no project needs anything. */
  readonly projects?: readonly ProjectNeeds[] | undefined;
  /** Absent: nothing is used instead of anything else. */
  readonly substitutes?: PlanSubstitutes | undefined;
  /** Uses that were found before: no others are looked for. */
  readonly substituteUses?: readonly SubstituteUse[] | undefined;
}

export function compareIds(ids: Ids, a: number, b: number): number {
  if (a === b) return 0;
  if (ids.compare !== undefined) return ids.compare(a, b);
  const [one, other] = [ids.at(a) ?? '', ids.at(b) ?? ''];
  return one === other ? 0 : one < other ? -1 : 1;
}

/** Returns the place of each id. */
export function placesOf(ids: Ids): Map<string, number> {
  return new Map(Array.from({ length: ids.length }, (_, at) => [ids.at(at) as string, at]));
}

export type Quantity = MicroDouble;
