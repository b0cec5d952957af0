/** The figures of items over all their locations, as events show them. */
import type { Tx } from '../../db/transaction.ts';
import { selectItemTotals } from './changes.sql.ts';

export interface ItemTotals {
  entityId: string;
  entityNumber: string | null;
  categoryKey: string;
  onHand: number;
  reserved: number;
  available: number;
  onOrder: number;
}

/** Returns the figures as the transaction sees them, in the order of the ids. */
export function readItemTotals(tx: Tx, itemIds: readonly string[]): Promise<ItemTotals[]> {
  return tx.queryPrepared<ItemTotals>(selectItemTotals, [tx.workspaceId, itemIds]);
}
