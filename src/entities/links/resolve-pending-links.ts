/** Links that waited for an entity by its GUID become links when it is there. */
import type { Tx } from '../../db/transaction.ts';
import { resolvePortion } from './entity-links.sql.ts';

const ROWS_AT_ONCE = 10_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

interface Portion {
  parents: string[];
  taken: number;
  parent_guid: string;
  child_id: string;
}

/**
 * For these GUIDs; gives the ids of the parents that have got links. Some at a time, because a million may wait for one: no
 * statement says nothing for so long that its connection counts as lost. The structure lock is held.
 */
export async function resolvePendingLinks(tx: Tx, guids: readonly string[]): Promise<Set<string>> {
  const parents = new Set<string>();
  let [guid, child] = [FIRST, FIRST];
  for (;;) {
    const [portion] = await tx.query<Portion>(resolvePortion, [
      tx.workspaceId,
      guids,
      guid,
      child,
      ROWS_AT_ONCE,
    ]);
    if (portion === undefined) return parents;
    for (const parent of portion.parents) parents.add(parent);
    if (portion.taken < ROWS_AT_ONCE) return parents;
    ({ parent_guid: guid, child_id: child } = portion);
  }
}
