/** The links of a chunk as the structure pass keeps them for a whole batch: in typed arrays, outside the heap. */
import { IntList } from '../graph/int-list.ts';
import type { ChunkPlan } from './chunk-plan.ts';
import { linkFlags, type PlannedLinks } from './planned-links.ts';

/** A chunk as far as the structure needs it: what a plan holds besides would be kept for the whole batch. */
export interface PlacedChunk extends Pick<ChunkPlan, 'heldGuids' | 'heldIndexes'> {
  chunk: number;
  /** Its links: nodes of the graph, see `placedFlags`, and places in the payload. */
  children: Int32Array;
  parents: Int32Array;
  flags: Uint8Array;
  firstIndexes: Uint32Array;
  /** Places of further elements: those of link i lie between `furtherEnds` of the one before it and its own. */
  further: Uint32Array;
  furtherEnds: Uint32Array;
}

export const placedFlags = {
  ...linkFlags,
  /** Closes a cycle. */
  cyclic: 32,
  /** Nothing is stored of it, neither link nor pending link. */
  unstored: 64,
  /** Stored with the quantity that the batch has. */
  asStored: 128,
} as const;

/** A chunk's further elements as two typed arrays: a list for each link would be too much of a heap. */
export function furtherOf({
  count,
  furtherIndexes,
}: PlannedLinks): Pick<PlacedChunk, 'further' | 'furtherEnds'> {
  const further = new IntList();
  const furtherEnds = new Uint32Array(furtherIndexes.size === 0 ? 0 : count);
  for (let place = 0; place < furtherEnds.length; place++) {
    for (const index of furtherIndexes.get(place) ?? []) further.push(index);
    furtherEnds[place] = further.length;
  }
  return { further: Uint32Array.from(further.values), furtherEnds };
}

function furtherBetween({ furtherEnds }: PlacedChunk, place: number): [start: number, end: number] {
  return [furtherEnds[place - 1] ?? 0, furtherEnds[place] ?? 0];
}

/** How many elements ask for the link. */
export function elementsOf(placed: PlacedChunk, place: number): number {
  const [start, end] = furtherBetween(placed, place);
  return 1 + end - start;
}

/** Adds the places of all elements that ask for the link. */
export function addIndexes(list: number[], placed: PlacedChunk, place: number): void {
  const [start, end] = furtherBetween(placed, place);
  list.push(placed.firstIndexes[place] as number);
  for (let at = start; at < end; at++) list.push(placed.further[at] as number);
}
