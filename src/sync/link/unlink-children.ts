/** Takes out what an exact batch does not name: links of parents that stand in the chunk, and links that waited for them. */
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { uuidArray } from '../../db/wire/array-parameter.ts';
import { guidAt } from '../graph/guid-bytes.ts';
import { deleteLinks, deletePendingLinks } from '../structure/exact-structure.sql.ts';
import type { PlannedRemovals } from '../structure/exact-structure.ts';
import { lockParents, touchParents } from './link-chunk.sql.ts';
import { type LockedParent, reviseReleasedParents } from './link-chunk.ts';

/** Links of one statement: one parent may have had a million. */
const LINKS_AT_ONCE = 10_000;

/**
 * Only what the plan has seen: a link that somebody made meanwhile stays. Parents that are released (somebody released
 * them since they were written, or their own elements are refused) get a new revision first; the tag of each changes. The
 * caller holds the structure lock and has written the parents. `but`: places of elements whose entities were not written.
 */
export async function unlinkChildren(
  tx: Tx,
  actorId: string,
  removals: PlannedRemovals,
  but: ReadonlySet<number>,
  configuration: WorkspaceConfiguration,
): Promise<void> {
  const places = [...removals.indexes.keys()].filter((place) => !but.has(removals.indexes[place] as number));
  if (places.length === 0) return;
  const guids = new Map(places.map((place) => [place, guidAt(removals.parents, place)]));
  const sorted = [...new Set(guids.values())].sort();
  const parents = await tx.query<LockedParent>(lockParents, [tx.workspaceId, uuidArray(sorted)]);
  await reviseReleasedParents(tx, actorId, parents, configuration);
  const ids = new Map(parents.map(({ id, guid }) => [guid, id]));
  const changed = new Set<string>();
  for (let from = 0; from < places.length; from += LINKS_AT_ONCE) {
    const some = places.slice(from, from + LINKS_AT_ONCE).map((place) => {
      const guid = guids.get(place) as string;
      return { id: ids.get(guid), guid, childId: guidAt(removals.childIds, place) };
    });
    // A parent that is not there, since its elements are refused for a cycle, has nothing but links that wait for it.
    const there = some.filter(({ id }) => id !== undefined);
    const gone = await tx.query<{ parent_id: string }>(deleteLinks, [
      tx.workspaceId,
      uuidArray(there.map(({ id }) => id as string)),
      uuidArray(there.map(({ childId }) => childId)),
    ]);
    for (const { parent_id: id } of gone) changed.add(id);
    await tx.query(deletePendingLinks, [
      tx.workspaceId,
      uuidArray(some.map(({ guid }) => guid)),
      uuidArray(some.map(({ childId }) => childId)),
    ]);
  }
  if (changed.size > 0) tx.withCommit(tx.query(touchParents, [tx.workspaceId, uuidArray([...changed])]));
}
