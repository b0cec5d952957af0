/** The links that a chunk asks for and that are not stored as it asks: parallel arrays, kept with its plan. */
import { GuidList } from '../graph/guid-bytes.ts';

export interface PlannedLinks {
  count: number;
  /** GUIDs, 16 bytes each. */
  children: Uint8Array;
  parents: Uint8Array;
  /** In millionths, summed over the elements of the link. */
  quantities: Float64Array;
  /** What is stored, link or pending link; NaN for nothing. */
  stored: Float64Array;
  /** Place in the payload of the first element that names this parent. */
  firstIndexes: Uint32Array;
  /** Places of further elements of a link, by the link's place. */
  furtherIndexes: Map<number, number[]>;
  /** See `linkFlags`. */
  flags: Uint8Array;
}

export const linkFlags = {
  childStored: 1,
  parentStored: 2,
  parentReleased: 4,
} as const;

export interface NewPlannedLink {
  childGuid: string;
  parentGuid: string;
  quantityMicros: number;
  storedMicros: number | null;
  /** At least one. */
  indexes: readonly number[];
  flags: number;
}

export function packLinks(links: readonly NewPlannedLink[]): PlannedLinks {
  const children = new GuidList(links.length);
  const parents = new GuidList(links.length);
  const furtherIndexes = new Map<number, number[]>();
  for (const [place, link] of links.entries()) {
    children.push(link.childGuid);
    parents.push(link.parentGuid);
    if (link.indexes.length > 1) furtherIndexes.set(place, link.indexes.slice(1));
  }
  return {
    count: links.length,
    children: children.bytes,
    parents: parents.bytes,
    quantities: Float64Array.from(links, (link) => link.quantityMicros),
    stored: Float64Array.from(links, (link) => link.storedMicros ?? Number.NaN),
    firstIndexes: Uint32Array.from(links, (link) => link.indexes[0] as number),
    furtherIndexes,
    flags: Uint8Array.from(links, (link) => link.flags),
  };
}

/** Places in the payload of all elements of a link. */
export function indexesOfLink(
  links: Pick<PlannedLinks, 'firstIndexes' | 'furtherIndexes'>,
  place: number,
): number[] {
  return [links.firstIndexes[place] as number, ...(links.furtherIndexes.get(place) ?? [])];
}
