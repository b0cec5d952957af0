/** The door to the ledger for everything that moves stock as part of something larger: lines, requirements, features. */
import type { Actor } from '../../actor.ts';
import type { Tx } from '../../db/transaction.ts';
import type { LedgerEntry } from '../entries/ledger-entry.ts';
import type { Movement } from '../entries/movement.ts';
import { findStockEntities } from './find-stock-entities.ts';
import { recordRequests } from './record-requests.ts';
import { namedIn, refuseMovements } from './refuse-movements.ts';

/**
 * Makes all of the movements, in their order, and returns their entries in the same order; the balances
 * after each movement, and so the positions, stand in them. Throws `insufficient_stock` (or
 * `quantity_out_of_range` where a balance would not fit) with the figures, and then makes none.
 */
export async function recordMovements(
  tx: Tx,
  actor: Actor,
  movements: readonly Movement[],
  effectiveOn: string | null = null,
): Promise<LedgerEntry[]> {
  if (movements.length === 0) return [];
  const [outcome] = await recordRequests(tx, [{ actor, movements, effectiveOn }]);
  if (outcome === undefined) throw new Error('A request without an outcome');
  if (outcome.refusals !== null) {
    const { refusals } = outcome;
    throw refuseMovements(refusals, await findStockEntities(tx, new Set(namedIn(refusals))));
  }
  return outcome.entries;
}
