/**
 * Structure named by a chunk of an exact batch, stored with its plan. The children of a parent are known when all
 * chunks are planned, because each chunk has all elements of a child, and the children of a parent are in many.
 */

import type { NamedLinks } from '../elements/named-links.ts';
import type { PreparedEntity } from '../elements/prepare-elements.ts';
import { GuidList } from '../graph/guid-bytes.ts';

/** GUIDs are 16 bytes each. */
export interface PlannedNaming {
  /** Links that are stored as the batch has them; the others are the plan's links. */
  keptChildren: Uint8Array;
  keptParents: Uint8Array;
  /** Links that only refused elements ask for. */
  refusedChildren: Uint8Array;
  refusedParents: Uint8Array;
  /** See `NamedLinks`. */
  openParents: Uint8Array;
  emptied: Uint8Array;
  unreadable: number;
  /** Entities that stand in the chunk, and beside them the places of the elements that carry them. */
  standing: Uint8Array;
  standingIndexes: Uint32Array;
}

/** Links of which nothing differs. */
export class KeptLinks {
  readonly children = new GuidList();
  readonly parents = new GuidList();

  push(childGuid: string, parentGuid: string): void {
    this.children.push(childGuid);
    this.parents.push(parentGuid);
  }
}

/** `overfull`: entities that are refused because they have no room for what is sent. */
export function packNaming(
  named: NamedLinks,
  kept: KeptLinks,
  entities: readonly PreparedEntity[],
  overfull: readonly PreparedEntity[],
): PlannedNaming {
  const refused = new KeptLinks();
  for (const [childGuid, parentGuid] of named.refused) refused.push(childGuid, parentGuid);
  for (const { guid, carrier, others } of overfull) {
    for (const { parentGuid } of [carrier.element, ...others])
      if (parentGuid !== null) refused.push(guid, parentGuid);
  }
  return {
    keptChildren: kept.children.bytes,
    keptParents: kept.parents.bytes,
    refusedChildren: refused.children.bytes,
    refusedParents: refused.parents.bytes,
    openParents: listOf([...named.open].sort()),
    emptied: listOf([...named.emptied].sort()),
    unreadable: named.unreadable,
    standing: listOf(entities.map(({ guid }) => guid)),
    standingIndexes: Uint32Array.from(entities, ({ carrier }) => carrier.element.index),
  };
}

function listOf(guids: readonly string[]): Uint8Array {
  const list = new GuidList(Math.max(1, guids.length));
  for (const guid of guids) list.push(guid);
  return list.bytes;
}
