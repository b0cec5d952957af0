/** The links that a chunk asks for and that are not stored as it asks: parallel arrays, kept with its plan. */
import type { MicroDouble } from '../../quantity.ts';
import { GuidList, guidAt } from '../graph/guid-bytes.ts';

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
  /** What is said of links beside the quantity, by the link's place; absent where nothing is. */
  lines?: Map<number, PlannedLine>;
}

export interface PlannedLine {
  /** JSON of a `SaidLine`. */
  said: string;
  /** JSON of what is stored, link or pending link. */
  stored: string | null;
}

export const linkFlags = {
  childStored: 1,
  parentStored: 2,
  parentReleased: 4,
  /** What is said of it beside the quantity is not what is stored. */
  lineDiffers: 8,
} as const;

export interface AskedLink {
  childGuid: string;
  parentGuid: string;
  quantityMicros: MicroDouble;
  /** At least one. */
  indexes: readonly number[];
}

/** How a link that is asked for stands to what is stored. */
export interface LinkStanding {
  storedMicros: MicroDouble | null;
  flags: number;
  line: PlannedLine | null;
}

/** Collects links one by one. */
export class LinkList {
  readonly #children = new GuidList();
  readonly #parents = new GuidList();
  readonly #quantities: number[] = [];
  readonly #stored: number[] = [];
  readonly #firstIndexes: number[] = [];
  readonly #furtherIndexes = new Map<number, number[]>();
  readonly #flags: number[] = [];
  readonly #lines = new Map<number, PlannedLine>();

  add(
    { childGuid, parentGuid, quantityMicros, indexes }: AskedLink,
    { storedMicros, flags, line }: LinkStanding,
  ): void {
    if (line !== null) this.#lines.set(this.#flags.length, line);
    if (indexes.length > 1) this.#furtherIndexes.set(this.#flags.length, indexes.slice(1));
    this.#children.push(childGuid);
    this.#parents.push(parentGuid);
    this.#quantities.push(quantityMicros);
    this.#stored.push(storedMicros ?? Number.NaN);
    this.#firstIndexes.push(indexes[0] as number);
    this.#flags.push(flags);
  }

  pack(): PlannedLinks {
    return {
      count: this.#flags.length,
      children: this.#children.bytes,
      parents: this.#parents.bytes,
      quantities: Float64Array.from(this.#quantities),
      stored: Float64Array.from(this.#stored),
      firstIndexes: Uint32Array.from(this.#firstIndexes),
      furtherIndexes: this.#furtherIndexes,
      flags: Uint8Array.from(this.#flags),
      // Plans without are as they were: a dry run of an earlier release can still be committed.
      ...(this.#lines.size === 0 ? {} : { lines: this.#lines }),
    };
  }
}

/** Places in the payload of all elements of a link. */
export function indexesOfLink(
  links: Pick<PlannedLinks, 'firstIndexes' | 'furtherIndexes'>,
  place: number,
): number[] {
  return [links.firstIndexes[place] as number, ...(links.furtherIndexes.get(place) ?? [])];
}

export interface WantedLink {
  childGuid: string;
  parentGuid: string;
  quantityMicros: MicroDouble;
  /** Places in the payload of the elements that ask for it. */
  indexes: readonly number[];
  /** JSON of a `SaidLine`; null where nothing is said beside the quantity. */
  line: string | null;
}

/** The links at these places, to be made. */
export function wantedLinks(links: PlannedLinks, places: readonly number[]): WantedLink[] {
  return places.map((place) => ({
    childGuid: guidAt(links.children, place),
    parentGuid: guidAt(links.parents, place),
    quantityMicros: links.quantities[place] as number,
    indexes: indexesOfLink(links, place),
    line: links.lines?.get(place)?.said ?? null,
  }));
}
