/** Sums up the facts on which actions of an item rest, as a short text: a commit compares it with what is there then. */
import type { Tx } from '../../db/transaction.ts';
import { decimalOf } from '../../quantity.ts';
import { daysBetween } from '../options/calendar.ts';
import type { Facts } from './input-columns.ts';
import { type ForecastRow, selectPlanForecastsOfItems } from './plan-forecasts.sql.ts';
import {
  type LineRow,
  type RequirementRow,
  type StockRow,
  selectPlanningVersions,
  selectStockOfItems,
  sumPlanLinesOfItems,
  sumPlanRequirementsOfItems,
} from './planning-input.sql.ts';

/** The date from which the days of the calendar count. */
const FIRST_DATE = '1970-01-01';

type SumRow = Pick<LineRow, 'item_id' | 'quantity' | 'is_supply' | 'day'>;

/**
 * Sums, so that the order of rows does not matter. Dates are weighed by their quantities, as days of the calendar: what an item rests on stays
 * the same overnight.
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
    this.#weight += micros * this.#dateOf(day) * (isSupply ? 1n : 3n);
  }

  addNeed({ quantity, day }: Pick<RequirementRow | ForecastRow, 'quantity' | 'day'>): void {
    const micros = microsOf(quantity ?? '0');
    if (micros <= 0n) return;
    this.#needs += micros;
    this.#weight += micros * this.#dateOf(day) * 3n;
  }

  text(): string {
    return [this.#version, this.#stock, this.#lines, this.#needs, this.#weight].join(' ');
  }

  #dateOf(day: number | null): bigint {
    return day === null ? 0n : BigInt(this.#firstDay + day);
  }
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

/** Returns what items rest on now, at these locations or, where null, at all. `day` is the day of the run. */
export async function readBases(
  tx: Tx,
  items: readonly string[],
  { day, locations }: { day: string; locations: readonly string[] | null },
): Promise<Map<string, string>> {
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
  return new Map([...bases].map(([id, basis]) => [id, basis.text()]));
}
