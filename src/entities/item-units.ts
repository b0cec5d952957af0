/** Reads the units of items. */
import type { Tx } from '../db/transaction.ts';
import { type ItemUnits, unitKey } from '../units/item-units.ts';
import { rational } from '../units/rational.ts';
import { selectItemUnits } from './item-units.sql.ts';

interface Row {
  item_id: string;
  base_unit: string;
  unit: string | null;
  numerator: string | null;
  denominator: string | null;
}

/** Returns the units of items by id; an item without a base unit is absent. Reads nothing where no item is named. */
export async function readItemUnits(
  tx: Tx,
  itemIds: Iterable<string>,
): Promise<Map<string, ItemUnits & { readonly names: readonly string[] }>> {
  const ids = [...new Set(itemIds)];
  if (ids.length === 0) return new Map();
  const rows = await tx.queryPrepared<Row>(selectItemUnits, [tx.workspaceId, ids]);
  const byItem = Map.groupBy(rows, ({ item_id }) => item_id);
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
