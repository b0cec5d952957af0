/** Lots of the components of a build. */
import type { Tx } from '../../db/transaction.ts';
import type { ComponentLotsGiven } from '../../stock/entries/lot.schema.ts';
import { findStockEntities } from '../../stock/movements/find-stock-entities.ts';
import { dividingByExpiry, dividingByName, type LotDivider } from '../../stock/movements/lot-shares.ts';
import type { LockedPositions } from '../../stock/movements/record-requests.ts';
import { refuseItem } from '../records/refusals.ts';

/** Returns what divides issues by lots; null if no lots are named. The positions are locked. Throws `entity_not_found`. */
export async function lotsOfComponents(
  tx: Tx,
  given: ComponentLotsGiven,
  { positions }: LockedPositions,
): Promise<LotDivider | null> {
  if (given === undefined) return null;
  if (given === 'firstExpired')
    return dividingByExpiry(
      tx,
      [...positions.values()].filter(({ inLots }) => inLots !== null && inLots > 0n),
    );
  const found = await findStockEntities(
    tx,
    given.map(({ itemEntityId }) => itemEntityId),
  );
  const named = new Map(
    given.map(({ itemEntityId, lot }) => {
      const itemId = found.get(itemEntityId)?.id;
      if (itemId === undefined) throw refuseItem(itemEntityId, undefined);
      return [itemId + lot, { itemId, lot }] as const;
    }),
  );
  return dividingByName(tx, [...named.values()]);
}
