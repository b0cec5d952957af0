/** The links that a chunk asks for and that are not stored as it asks: parallel arrays, kept with its plan. */

import { writeUuid } from '../../db/wire/array-parameter.ts';
import type { MicroDouble } from '../../quantity.ts';
import { GUID_BYTES, GuidList, guidAt } from '../graph/guid-bytes.ts';

export interface PlannedLinks {
  count: number;
  /** GUIDs, 16 bytes each. */
  children: Uint8Array;
  parents: Uint8Array;
  /** In millionths, summed over the elements of the link. */
  quantities: Float64Array;
  /** The stored quantity of the link or pending link; NaN where there is none. */
  stored: Float64Array;
  /** Place in the payload of the first element that names this parent. */
  firstIndexes: Uint32Array;
  /** Places of further elements of a link, by the link's place. */
  furtherIndexes: Map<number, number[]>;
  /** See `linkFlags`. */
  flags: Uint8Array;
  /** Fields of links beside the quantity, by the link's place; absent where there are none. */
  lines?: Map<number, PlannedLine>;
  /** The ids of the children of a written chunk, 16 bytes each. Entities are never deleted. */
  childIds?: Uint8Array;
}

export interface PlannedLine {
  /** JSON of a `SaidLine`. */
  said: string;
  /** JSON of what is stored, link or pending link. */
  stored: string | null;
  /** JSON of what is to be stored. Plans of earlier releases have none. */
  after?: string | null;
}

export const linkFlags = {
  childStored: 1,
  parentStored: 2,
  parentReleased: 4,
  /** The fields beside the quantity differ from what is stored. */
  lineDiffers: 8,
  /** The link is new, and one of its ends is outside of structures. */
  outside: 16,
} as const;

export interface AskedLink {
  childGuid: string;
  parentGuid: string;
  quantityMicros: MicroDouble;
  /** At least one. */
  indexes: readonly number[];
}

/** How a link of the batch compares to the stored one. */
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
      quantities: new Float64Array(this.#quantities),
      stored: new Float64Array(this.#stored),
      firstIndexes: new Uint32Array(this.#firstIndexes),
      furtherIndexes: this.#furtherIndexes,
      flags: new Uint8Array(this.#flags),
      // Plans without are as they were: a dry run of an earlier release can still be committed.
      ...(this.#lines.size === 0 ? {} : { lines: this.#lines }),
    };
  }
}

/** A created entity: its GUID and its id. */
export interface CreatedChild {
  guid: string | null;
  entityId?: string;
}

/** With the ids of the children, where these are all among what was created, which stands in the order of the links. */
export function withChildIds(links: PlannedLinks, created: readonly CreatedChild[]): PlannedLinks {
  const ids = Buffer.alloc(links.count * GUID_BYTES);
  const guid = Buffer.alloc(GUID_BYTES);
  let at = -1;
  for (let place = 0; place < links.count; place++) {
    const from = place * GUID_BYTES;
    while (at < 0 || guid.compare(links.children, from, from + GUID_BYTES) !== 0) {
      if (++at === created.length) return links;
      writeUuid(created[at]?.guid ?? NOBODY, guid, 0);
    }
    const id = created[at]?.entityId;
    if (id === undefined) return links;
    writeUuid(id, ids, from);
  }
  return { ...links, childIds: ids };
}

const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Places in the payload of all elements of a link. */
function indexesOfLink(
  links: Pick<PlannedLinks, 'firstIndexes' | 'furtherIndexes'>,
  place: number,
): number[] {
  return [links.firstIndexes[place] as number, ...(links.furtherIndexes.get(place) ?? [])];
}

/** A link to be made. It is decoded from its plan at its first use, because a GUID takes less memory as bytes than as text. */
export class WantedLink {
  readonly parentGuid: string;
  readonly #links: PlannedLinks;
  readonly #place: number;

  constructor(links: PlannedLinks, place: number, parentGuid = guidAt(links.parents, place)) {
    this.parentGuid = parentGuid;
    this.#links = links;
    this.#place = place;
  }

  get childGuid(): string {
    return guidAt(this.#links.children, this.#place);
  }

  /** Writes 16 bytes: the child's id where it is known, and its GUID where it is not. */
  writeChild(target: Uint8Array, at: number): void {
    const list = this.#links.childIds ?? this.#links.children;
    const from = this.#place * GUID_BYTES;
    for (let byte = 0; byte < GUID_BYTES; byte++) target[at + byte] = list[from + byte] as number;
  }

  /** Whether the id of the child is known. */
  get isById(): boolean {
    return this.#links.childIds !== undefined;
  }

  /** When it was planned neither a link nor a pending link was stored. */
  get isNew(): boolean {
    return Number.isNaN(this.#links.stored[this.#place]);
  }

  get quantityMicros(): MicroDouble {
    return this.#links.quantities[this.#place] as number;
  }

  /** Places in the payload of the elements that ask for it. */
  get indexes(): readonly number[] {
    return indexesOfLink(this.#links, this.#place);
  }

  /** JSON of a `SaidLine`; null where nothing is said beside the quantity. */
  get line(): string | null {
    return this.#links.lines?.get(this.#place)?.said ?? null;
  }
}

/** The links at these places, to be made. */
export function wantedLinks(links: PlannedLinks, places: readonly number[]): WantedLink[] {
  return places.map((place) => new WantedLink(links, place));
}
