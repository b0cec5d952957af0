/** Finds the supplier part of each item that a plan orders. */
import type { BinaryRows } from '../../db/wire/binary-rows.ts';
import { MICRO_DOUBLE_MAX } from '../../quantity.ts';
import { type IdIndex, PackedIds } from './packed-ids.ts';

/** An offer of an item in base units of the item; 0: it has no such lot size. */
export class Offers {
  /** Supplier parts and their suppliers by item. */
  readonly parts: PackedIds;
  readonly suppliers: PackedIds;
  readonly packMinimum: Float64Array;
  readonly packMultiple: Float64Array;
  /** -1: none is known. */
  readonly leadDays: Int32Array;
  /** The place among the offers of its item; the lowest is taken. */
  readonly #place: Float64Array;

  constructor(items: number) {
    this.parts = new PackedIds(items);
    this.suppliers = new PackedIds(items);
    this.packMinimum = new Float64Array(items);
    this.packMultiple = new Float64Array(items);
    this.leadDays = new Int32Array(items).fill(-1);
    this.#place = new Float64Array(items).fill(Number.POSITIVE_INFINITY);
  }

  has(item: number): boolean {
    return this.#place[item] !== Number.POSITIVE_INFINITY;
  }

  /** Takes the offer of a row if no other comes before it. Of equal rank, the lowest id comes first and stays. */
  take(item: number, rows: BinaryRows, place: number): void {
    if (place >= (this.#place[item] as number)) return;
    this.#place[item] = place;
    this.parts.set(item, rows.view, rows.from(columns.id));
    this.suppliers.set(item, rows.view, rows.from(columns.supplier));
    const multiple = rows.isNull(columns.multiple) ? columns.packQuantity : columns.multiple;
    this.packMinimum[item] = inBaseUnits(rows, columns.minimum);
    this.packMultiple[item] = inBaseUnits(rows, multiple);
    this.leadDays[item] = rows.isNull(columns.leadDays) ? -1 : rows.int(columns.leadDays);
  }
}

/** The columns of the statement. */
const columns = {
  id: 0,
  item: 1,
  supplier: 2,
  isActive: 3,
  rank: 4,
  leadDays: 5,
  packQuantity: 6,
  minimum: 7,
  multiple: 8,
  numerator: 9,
  denominator: 10,
} as const;

/** The offer of an item is the one that its planning names (`preferred`) while it is active, or the first by rank. */
export async function readOffers(
  portions: AsyncIterable<BinaryRows>,
  index: IdIndex,
  preferred: PackedIds,
): Promise<Offers> {
  const offers = new Offers(preferred.length);
  for await (const rows of portions)
    while (rows.next()) {
      const item = index.at(rows.view, rows.from(columns.item));
      if (item < 0 || !rows.isTrue(columns.isActive) || rows.isNull(columns.numerator)) continue;
      const isPreferred = preferred.equals(item, rows.view, rows.from(columns.id));
      offers.take(item, rows, isPreferred ? 0 : rows.int(columns.rank));
    }
  return offers;
}

/** Rounded up to whole millionths of the base unit. */
function inBaseUnits(rows: BinaryRows, column: number): number {
  if (rows.isNull(column)) return 0;
  const micros = rows.micro(column);
  const [numerator, denominator] = [rows.text(columns.numerator), rows.text(columns.denominator)];
  if (numerator === denominator) return micros;
  const divisor = BigInt(denominator);
  const exact = (BigInt(micros) * BigInt(numerator) + divisor - 1n) / divisor;
  return Math.min(MICRO_DOUBLE_MAX, Number(exact));
}
