/** A stock count: many adjustments, all of them or none. */
import type { Actor } from '../../actor.ts';
import { shareConfiguration } from '../../configuration/lock-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { Slices } from '../../fairness/slices.ts';
import { showEntry, showPositionAfter } from '../entries/show-stock.ts';
import type { StockAdjustment, StockLedgerEntry, StockPosition } from '../entries/stock.schema.ts';
import { positionKey } from '../movements/decide-movements.ts';
import { findStockEntities } from '../movements/find-stock-entities.ts';
import { recordMovements } from '../movements/record-movements.ts';
import { checkAdjustments, readToCheck } from './check-adjustments.ts';

/** The entries in order of the adjustments, and each position that changed. Throws what makes any of them impossible. */
export async function adjustBatch(
  tx: Tx,
  actor: Actor,
  adjustments: readonly StockAdjustment[],
): Promise<{ entries: StockLedgerEntry[]; positions: StockPosition[] }> {
  const refs = adjustments.flatMap(({ itemEntityId, locationEntityId }) => [itemEntityId, locationEntityId]);
  const [, found] = await Promise.all([shareConfiguration(tx), findStockEntities(tx, refs)]);
  const slices = new Slices(tx.gone);
  await slices.next();
  const known = await readToCheck(tx, adjustments, found);
  const checked = checkAdjustments(adjustments, known, (index) => `/adjustments/${index}`);
  const movements = checked.map(({ movement }) => movement);
  if (slices.areDue) await slices.next();
  const positions = new Map<string, StockPosition>();
  const entries: StockLedgerEntry[] = [];
  for (const [index, entry] of (await recordMovements(tx, actor, movements)).entries()) {
    if (slices.areDue) await slices.next();
    const { item, location } = checked[index] as (typeof checked)[number];
    positions.set(positionKey(entry), showPositionAfter(item, location, entry));
    entries.push(showEntry(entry, item.number, location.number, actor));
  }
  return { entries, positions: [...positions.values()] };
}
