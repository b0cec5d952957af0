/** Which categories follow a lifecycle. */
import type { Tx } from '../../db/transaction.ts';
import { CategoryRow } from '../categories/category.entity.ts';
import { workspaceOf } from '../workspace-of.ts';

/** Their keys, in order. */
export async function categoriesOfLifecycle(tx: Tx, lifecycle: string): Promise<string[]> {
  const rows = await tx.em.find(
    CategoryRow,
    { workspaceId: workspaceOf(tx), lifecycle },
    { orderBy: { key: 'asc' } },
  );
  return rows.map((row) => row.key);
}
