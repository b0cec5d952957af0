/** Reads the units of items, and warns of BOM lines whose quantity counts as if it were in the base unit. */
import type { Tx } from '../db/transaction.ts';
import { type ItemUnits, unitKey } from '../units/item-units.ts';
import { rational } from '../units/rational.ts';
import { findUnit, PIECE } from '../units/unit.ts';
import { selectBaseUnits, selectConverted, selectItemUnits, selectUnitsByGuid } from './item-units.sql.ts';

interface Row {
  /** The id or GUID of the item. */
  item: string;
  base_unit: string;
  unit: string | null;
  numerator: string | null;
  denominator: string | null;
}

type UnitsByItem = Map<string, ItemUnits & { readonly names: readonly string[] }>;

/** Returns the units of items by id; an item without a base unit is absent. Reads nothing where no item is named. */
export function readItemUnits(tx: Tx, ids: Iterable<string>): Promise<UnitsByItem> {
  return read(tx, selectItemUnits, ids);
}

/** Returns the same by GUID. */
export function readUnitsByGuid(tx: Tx, guids: Iterable<string>): Promise<UnitsByItem> {
  return read(tx, selectUnitsByGuid, guids);
}

/** Returns the base units of items by id; an item without one is absent. */
export async function readBaseUnits(tx: Tx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<{ id: string; unit: string }>(selectBaseUnits, [tx.workspaceId, ids]);
  return new Map(rows.map(({ id, unit }) => [id, unit]));
}

async function read(tx: Tx, statement: string, wanted: Iterable<string>): Promise<UnitsByItem> {
  const named = [...new Set(wanted)];
  if (named.length === 0) return new Map();
  const rows = await tx.queryPrepared<Row>(statement, [tx.workspaceId, named]);
  const byItem = Map.groupBy(rows, ({ item }) => item);
  return new Map(
    [...byItem].map(([id, own]) => {
      const named = own.filter(({ unit }) => unit !== null);
      const factors = new Map(
        named.map(({ unit, numerator, denominator }) => [
          unitKey(unit as string),
          rational(BigInt(numerator as string), BigInt(denominator as string)),
        ]),
      );
      const names = named.map(({ unit }) => unit as string);
      return [id, { baseUnit: own[0]?.base_unit as string, factors, names }];
    }),
  );
}

export interface UnitWarning {
  code: 'unit_unknown' | 'quantity_out_of_range';
  property: 'unit' | 'quantity';
  message: string;
}

/** A line of a link with a unit. */
export interface MeasuredLine {
  /** Lines of one link share it. */
  link: string;
  /** The child, by id or GUID. */
  item: string;
  unit: string;
  quantity: number;
}

/** Base units of a link from which on its quantity counts as it was entered (`keep_base_quantity`). */
const TOO_MANY = 1_000_000_000;

/**
 * Returns the warning of each line, in order, by one rule for imports and for edits by hand: the child does not know the unit, or there are too many base units in the link. Reads nothing
 * where there are no lines.
 */
export async function unitWarnings(
  tx: Tx,
  by: 'id' | 'guid',
  lines: readonly MeasuredLine[],
): Promise<(UnitWarning | null)[]> {
  if (lines.length === 0) return [];
  const items = lines.map(({ item }) => item);
  const known = await (by === 'id' ? readItemUnits(tx, items) : readUnitsByGuid(tx, items));
  const rows = await tx.queryPrepared<{ place: number; amount: number }>(selectConverted(by), [
    tx.workspaceId,
    items,
    lines.map(({ unit }) => unit),
    lines.map(({ quantity }) => quantity),
  ]);
  const converted = new Map(rows.map(({ place, amount }) => [place - 1, amount]));
  const sums = new Map<string, number>();
  return lines.map(({ link, item, unit }, place): UnitWarning | null => {
    const baseUnit = known.get(item)?.baseUnit ?? null;
    const amount = converted.get(place);
    if (amount !== undefined) {
      const sum = (sums.get(link) ?? 0) + amount;
      sums.set(link, sum);
      if (sum < TOO_MANY) return null;
      const message = `The line is ${TOO_MANY} or more ${JSON.stringify(baseUnit)}, which cannot be stored. The quantity counts as it is. Correct the quantity or the unit.`;
      return { code: 'quantity_out_of_range', property: 'quantity', message };
    }
    // Of an item without a base unit, pieces are understood.
    if (baseUnit === null && findUnit(unit) === PIECE) return null;
    const base = baseUnit === null ? 'it has no base unit' : `its base unit is ${baseUnit}`;
    const message = `The item does not know the unit ${JSON.stringify(unit)}: ${base}. The quantity counts as it is. Define the unit of the item.`;
    return { code: 'unit_unknown', property: 'unit', message };
  });
}
