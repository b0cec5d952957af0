/** Reads the units of items. */
import type { Tx } from '../../db/transaction.ts';
import { type ItemUnits, unitKey } from '../../units/item-units.ts';
import { rational } from '../../units/rational.ts';
import { selectBaseUnits, selectItemUnits, selectUnitsByGuid } from './item-units.sql.ts';

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
