/** The outcome of the plan pass over a chunk, stored with the chunk for the later passes. */
import type { PlannedLinks } from './planned-links.ts';
import type { PlannedNaming } from './planned-naming.ts';
import type { PlannedNumbers } from './planned-numbers.ts';

export interface ChunkPlan {
  /** GUIDs that are not stored yet, 16 bytes each, and beside them how many elements could carry each. */
  newGuids: Uint8Array;
  newCarriers: Uint32Array;
  /** The GUIDs of entities outside of structures; absent if there are none. */
  outsideGuids?: Uint8Array;
  /**
   * Released entities whose data do not change, and beside them their carriers' places in the payload: they
   * get a revision when their structure changes.
   */
  heldGuids: Uint8Array;
  heldIndexes: Uint32Array;
  links: PlannedLinks;
  /** Places in the payload of the elements that are still to be written. */
  pending: Uint32Array;
  /** Places of elements that share a GUID, for each GUID that stands in the payload more than once. */
  groups: number[][];
  /** The chunk was written where it was planned: only links are left of it, and all its results are known. */
  isWritten?: boolean;
  /** Links that the chunk names; only in exact batches. */
  naming?: PlannedNaming;
  /** Numbers that its entities get; only in dry runs and their commits. */
  numbers?: PlannedNumbers;
}
