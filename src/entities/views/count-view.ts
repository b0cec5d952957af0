/** Counts the entities of a saved view. */
import type { Tx } from '../../db/transaction.ts';
import { countWhere } from '../lists/count-where.ts';
import { viewOfEntities } from './apply-view.ts';

export interface ViewCount {
  name: string;
  count: number;
  /** Whether there may be more, because not all candidates were checked. */
  isAtLeast: boolean;
}

/** Throws `view_not_found`, `invalid_condition`, `validation_failed`. */
export async function countView(tx: Tx, id: string): Promise<ViewCount> {
  const { name, query } = await viewOfEntities(tx, null, id);
  const { items, isCut } = await countWhere(tx, query, []);
  return { name, count: items.reduce((sum, item) => sum + item.count, 0), isAtLeast: isCut };
}
