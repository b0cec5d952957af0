/**
 * Finds BOM lines whose quantity counts as if it were in the base unit: the child does not know their unit, or has too many base units in
 * them.
 */
import type { Tx } from '../../db/transaction.ts';
import { showValue } from '../../json/show-value.ts';
import { findUnit, PIECE } from '../../units/unit.ts';
import { type LinkContent, linesOf } from '../links/link-line.ts';
import { selectConverted, selectConvertedById } from '../units/item-units.sql.ts';
import { readItemUnits, readUnitsByGuid } from '../units/item-units.ts';

/** A line of a link with a unit. */
export interface MeasuredLine {
  /** The child: its GUID, or its id. */
  item: string;
  /** The lines of one link have the same text here. */
  link: string;
  unit: string;
  quantity: number;
}

export interface UnitFault {
  code: 'unit_unknown' | 'quantity_out_of_range';
  /** The field of the line. */
  property: 'unit' | 'quantity';
  message: string;
}

/** Base units of a link from which on its quantity counts as it was entered (`keep_base_quantity`). */
const TOO_MANY = 1_000_000_000;

const sources = {
  guid: { read: readUnitsByGuid, select: selectConverted },
  id: { read: readItemUnits, select: selectConvertedById },
} as const;

/** Returns the fault of each line, or null, in their order. `by` says how lines name the child. Reads nothing without lines. */
export async function findUnitFaults(
  tx: Tx,
  lines: readonly MeasuredLine[],
  by: keyof typeof sources,
): Promise<(UnitFault | null)[]> {
  if (lines.length === 0) return [];
  const { read, select } = sources[by];
  const items = lines.map(({ item }) => item);
  const known = await read(tx, items);
  const rows = await tx.queryPrepared<{ place: number; amount: number }>(select, [
    tx.workspaceId,
    items,
    lines.map(({ unit }) => unit),
    lines.map(({ quantity }) => quantity),
  ]);
  const converted = new Map(rows.map(({ place, amount }) => [place - 1, amount]));
  const sums = new Map<string, number>();
  return lines.map(({ item, link, unit }, place) => {
    const baseUnit = known.get(item)?.baseUnit ?? null;
    const amount = converted.get(place);
    if (amount !== undefined) {
      const sum = (sums.get(link) ?? 0) + amount;
      sums.set(link, sum);
      if (sum < TOO_MANY) return null;
      const message = `The line is ${TOO_MANY} or more ${showValue(baseUnit)}, which cannot be stored. The quantity counts as it is. Correct the quantity or the unit.`;
      return { code: 'quantity_out_of_range', property: 'quantity', message };
    }
    // An item without a base unit is counted in pieces.
    if (baseUnit === null && findUnit(unit) === PIECE) return null;
    const base = baseUnit === null ? 'it has no base unit' : `its base unit is ${baseUnit}`;
    const message = `The item does not know the unit ${showValue(unit)}: ${base}. The quantity counts as it is. Define the unit of the item.`;
    return { code: 'unit_unknown', property: 'unit', message };
  });
}

/** Returns the faults of a stored link to a child, each once. */
export async function unitFaultsOf(tx: Tx, childId: string, link: LinkContent): Promise<UnitFault[]> {
  const lines = linesOf(link).flatMap(({ unit, quantity }) =>
    unit === undefined ? [] : [{ item: childId, link: '', unit, quantity }],
  );
  const faults = (await findUnitFaults(tx, lines, 'id')).filter((fault) => fault !== null);
  return [...new Map(faults.map((fault) => [fault.message, fault])).values()];
}
