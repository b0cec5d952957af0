/** Keeps movements of an item from a transaction that changes how they are decided. */
import type { Tx } from '../../db/transaction.ts';
import { lockPositionsOfItem, lockTracking } from './lots.sql.ts';

/**
 * Movements decide under the locks of positions, or under a shared lock where they find none, so none of them sees a change in part.
 * Positions are locked first, as writers do, and again for those that appeared meanwhile.
 */
export async function lockItem(tx: Tx, itemId: string): Promise<void> {
  await tx.query(lockPositionsOfItem, [tx.workspaceId, itemId]);
  await tx.query(lockTracking, [tx.workspaceId]);
  await tx.query(lockPositionsOfItem, [tx.workspaceId, itemId]);
}
