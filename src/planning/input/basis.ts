/** Sums up the facts on which actions of an item rest, as a short text: a commit compares it with what is there then. */
import { daysBetween } from '../../calendar/days.ts';
import type { Tx } from '../../db/transaction.ts';
import { decimalOf } from '../../quantity.ts';
import type { Facts } from './input-columns.ts';
import { type ForecastRow, selectPlanForecastsOfItems } from './plan-forecasts.sql.ts';
import {
  type LineRow,
  type RequirementRow,
  type StockRow,
  selectPlanningVersions,
  selectStockOfItems,
  sumPlanLinesOfItems,
  sumPlanLinesOfLines,
  sumPlanRequirementsOfItems,
  sumPlanRequirementsOfLines,
} from './planning-input.sql.ts';

/** The date from which the days of the calendar count. */
const FIRST_DATE = '1970-01-01';

type SumRow = Pick<LineRow, 'item_id' | 'quantity' | 'is_supply' | 'day'>;

/** Bits of the weight in the text. */
const WEIGHT_BITS = 64;

/**
 * Sums, so that the order of rows does not matter. Quantities are weighed by hashes of their dates: two dates that change in opposite directions
 * do not cancel each other out. The dates are those of the calendar: what an item rests on stays the same overnight.
 */
export class Basis {
  readonly #version: number;
  readonly #firstDay: number;
  #stock = 0n;
  #lines = 0n;
  #needs = 0n;
  #weight = 0n;

  /** Days of rows count from `day`. */
  constructor(version: number, day: string) {
    this.#version = version;
    this.#firstDay = daysBetween(FIRST_DATE, day);
  }

  addStock(available: string): void {
    this.#stock += microsOf(available);
  }

  addLine({ quantity, is_supply: isSupply, day }: Pick<LineRow, 'quantity' | 'is_supply' | 'day'>): void {
    const micros = microsOf(quantity ?? '0');
    if (micros <= 0n) return;
    if (isSupply) this.#lines += micros;
    else this.#needs += micros;
    this.#weight += micros * this.#hashOf(day) * (isSupply ? 1n : 3n);
  }

  addNeed({ quantity, day }: Pick<RequirementRow | ForecastRow, 'quantity' | 'day'>): void {
    const micros = microsOf(quantity ?? '0');
    if (micros <= 0n) return;
    this.#needs += micros;
    this.#weight += micros * this.#hashOf(day) * 3n;
  }

  /** Puts lines and needs in place of others; undefined: there are none. */
  replace(old: Basis | undefined, by: Basis | undefined): void {
    if (old !== undefined) this.#add(old, -1n);
    if (by !== undefined) this.#add(by, 1n);
  }

  text(): string {
    const weight = BigInt.asUintN(WEIGHT_BITS, this.#weight);
    return [this.#version, this.#stock, this.#lines, this.#needs, weight].join(' ');
  }

  #add(other: Basis, sign: bigint): void {
    this.#lines += sign * other.#lines;
    this.#needs += sign * other.#needs;
    this.#weight += sign * other.#weight;
  }

  #hashOf(day: number | null): bigint {
    return day === null ? 0n : BigInt(mixed(this.#firstDay + day));
  }
}

/** Returns 32 bits in which every bit of the number changes about half (the finalizer of MurmurHash3). */
function mixed(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** Sums up what the items of a plan rest on, when the texts of some of them are asked for. */
export class Bases {
  readonly #version: Int32Array;
  readonly #stock: Float64Array;
  readonly #facts: Facts;
  readonly #day: string;

  constructor(
    { version, stock, facts }: { version: Int32Array; stock: Float64Array; facts: Facts },
    day: string,
  ) {
    this.#version = version;
    this.#stock = stock;
    this.#facts = facts;
    this.#day = day;
  }

  textOf(item: number): string {
    const basis = new Basis(this.#version[item] as number, this.#day);
    basis.addStock(decimalOf(this.#stock[item] as number));
    this.#facts.visit(item, this.#version.length, ({ day, quantity, isSupply }) =>
      basis.addLine({ quantity: decimalOf(quantity), is_supply: isSupply, day }),
    );
    return basis.text();
  }
}

function microsOf(text: string): bigint {
  return BigInt(text.replace('.', ''));
}

/** Facts count at these locations or, where null, at all. */
export interface BasisScope {
  /** The day of the run. */
  readonly day: string;
  readonly locations: readonly string[] | null;
}

/** Returns what items rest on now. */
export async function readBases(
  tx: Tx,
  items: readonly string[],
  { day, locations }: BasisScope,
): Promise<Map<string, Basis>> {
  const versions = await tx.query<{ item_id: string; version: number }>(selectPlanningVersions, [
    tx.workspaceId,
    items,
  ]);
  const versionOf = new Map(versions.map((row) => [row.item_id, row.version]));
  const bases = new Map(items.map((id) => [id, new Basis(versionOf.get(id) ?? 0, day)]));
  const stock = await tx.query<StockRow>(selectStockOfItems, [tx.workspaceId, locations, items]);
  for (const row of stock) bases.get(row.item_id)?.addStock(row.available);
  const ofItems = [tx.workspaceId, locations, day, items];
  const lines = await tx.query<SumRow>(sumPlanLinesOfItems, ofItems);
  for (const row of lines) bases.get(row.item_id)?.addLine(row);
  const requirements = await tx.query<SumRow>(sumPlanRequirementsOfItems, ofItems);
  for (const row of requirements) bases.get(row.item_id)?.addNeed(row);
  const forecasts = await tx.query<ForecastRow>(selectPlanForecastsOfItems, [
    tx.workspaceId,
    day,
    items,
    null,
  ]);
  for (const row of forecasts) bases.get(row.item_id)?.addNeed(row);
  return bases;
}

/** Returns what items rest on by these order lines and their requirements alone. */
export async function readBasesByLines(
  tx: Tx,
  lines: readonly string[],
  { day, locations }: BasisScope,
): Promise<Map<string, Basis>> {
  const bases = new Map<string, Basis>();
  const of = ({ item_id: item }: SumRow): Basis => {
    const basis = bases.get(item) ?? new Basis(0, day);
    bases.set(item, basis);
    return basis;
  };
  const ofLines = [tx.workspaceId, locations, day, lines];
  for (const row of await tx.query<SumRow>(sumPlanLinesOfLines, ofLines)) of(row).addLine(row);
  for (const row of await tx.query<SumRow>(sumPlanRequirementsOfLines, ofLines)) of(row).addNeed(row);
  return bases;
}
