/**
 * Requests looks at the reorder points of items that a transaction has changed, where somebody listens to them. A worker takes the looks
 * after the commit (watch-reorder-points.ts): transactions at different locations do not see each other's figures.
 */
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import { causeOf } from '../../events/cause.ts';
import { insertLooks } from './changes.sql.ts';

export interface ChangedItems {
  items: readonly string[];
  /** Ids of lines and requirements, whose items have changed. */
  procured: readonly string[];
}

/** Items without planning are left out. */
export async function requestLooks(tx: Tx, { items, procured }: ChangedItems): Promise<void> {
  const cause = causeOf(tx);
  const by = [cause?.depth ?? 0, cause?.runId ?? null, cause?.rootId ?? null];
  await tx.queryPrepared(insertLooks, [tx.workspaceId, items, procured, newId(), ...by]);
}
