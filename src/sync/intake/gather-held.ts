/**
 * How elements that are held are parted and put in order. Those of one GUID come together, in the order in which their GUIDs first come:
 * what stands together in a payload (the children of one parent, numbers that begin alike) stays together in a chunk, and is cheaper to
 * compare, to index and to report for it. Nothing else is done while a body is cut, so each of these goes through its elements once.
 */
import type { GuidHash } from '../graph/guid-hash.ts';
import { GuidTable } from '../graph/guid-table.ts';
import { noGuid } from './cut-held.ts';
import type { Held } from './spill-bucket.ts';

/** In place of an element that comes with the first one of its GUID. */
const FOLLOWS = -1;

/** All of them, gathered. */
export function gatherByGuid(held: readonly Held[], hash: GuidHash): readonly Held[] {
  if (held.length < 2) return held;
  const groups = new Groups(held, hash);
  if (!groups.repeats) return held;
  const gathered: Held[] = [];
  for (let at = 0; at < held.length; at++) groups.pushGroup(at, gathered);
  return gathered;
}

/** Gathered: elements of entities that some element names as its parent, refused ones among them, and those of all others. */
export function partParents(held: readonly Held[], hash: GuidHash): [parents: Held[], leaves: Held[]] {
  const groups = new Groups(held, hash);
  const named = groups.named(held);
  const [parents, leaves]: [Held[], Held[]] = [[], []];
  for (let at = 0; at < held.length; at++) groups.pushGroup(at, named[at] === 1 ? parents : leaves);
  return [parents, leaves];
}

/** Which elements have one GUID. Places are those in the list that it is made of. */
class Groups {
  readonly #held: readonly Held[];
  readonly #table: GuidTable;
  /** The place of the first element, by id of the table. */
  readonly #first: Int32Array;
  /**
   * The last element of its GUID at the place of the first one, `FOLLOWS` at the others, and 0 for a single
   * element. Made when a GUID comes again.
   */
  #last: Int32Array | null = null;
  /** The place of the next element of the same GUID, or 0. */
  #next = new Int32Array(0);

  constructor(held: readonly Held[], hash: GuidHash) {
    this.#held = held;
    this.#table = new GuidTable(held.length, hash);
    this.#first = new Int32Array(held.length);
    for (let at = 0; at < held.length; at++) {
      const { guid } = held[at] as Held;
      if (guid === noGuid) continue;
      const known = this.#table.size;
      const id = this.#table.idOf(guid, true);
      if (id === known) this.#first[id] = at;
      else this.#follow(this.#first[id] as number, at);
    }
  }

  get repeats(): boolean {
    return this.#last !== null;
  }

  #follow(first: number, at: number): void {
    if (this.#last === null) {
      this.#last = new Int32Array(this.#held.length);
      this.#next = new Int32Array(this.#held.length);
    }
    const last = this.#last[first] as number;
    this.#next[last === 0 ? first : last] = at;
    this.#last[first] = at;
    this.#last[at] = FOLLOWS;
  }

  /** The element at a place and all that follow it, where it is the first of its GUID or has none. */
  pushGroup(place: number, group: Held[]): void {
    if (this.#last === null) {
      group.push(this.#held[place] as Held);
      return;
    }
    if (this.#last[place] === FOLLOWS) return;
    for (let at = place; ; ) {
      group.push(this.#held[at] as Held);
      at = this.#next[at] as number;
      if (at === 0) return;
    }
  }

  /** Returns 1 at the place of the first element of each GUID that one of these elements names as its parent. */
  named(naming: readonly Held[]): Uint8Array {
    const named = new Uint8Array(this.#held.length);
    let last = noGuid;
    for (let i = 0; i < naming.length; i++) {
      const { parentGuid } = naming[i] as Held;
      // Most name the same as the one before them.
      if (parentGuid === last) continue;
      last = parentGuid;
      if (parentGuid === noGuid) continue;
      const id = this.#table.idOf(parentGuid, false);
      if (id !== -1) named[this.#first[id] as number] = 1;
    }
    return named;
  }
}

/** With more elements a number cannot hold both a place and the beginning of a GUID. */
const PLACES = 2 ** 20;
const BEGINNING_CHARS = 8;

/** Sorts by GUID, and elements of one GUID by index. Sorting numbers takes a quarter of the time of comparing GUIDs. */
export function sortByGuid(held: readonly Held[]): Held[] {
  if (held.length < 2 || held.length > PLACES) return held.toSorted(byGuidThenIndex);
  const keys = new Float64Array(held.length);
  for (let at = 0; at < keys.length; at++) keys[at] = beginningOf((held[at] as Held).guid) * PLACES + at;
  keys.sort();
  const sorted: Held[] = [];
  for (let start = 0; start < keys.length; ) {
    const end = endOfRun(keys, start);
    const alike: Held[] = [];
    for (let at = start; at < end; at++) alike.push(held[(keys[at] as number) % PLACES] as Held);
    // Those that were made within a minute may begin alike.
    if (alike.length > 1) alike.sort(byGuidThenIndex);
    for (const element of alike) sorted.push(element);
    start = end;
  }
  return sorted;
}

/** Returns where the run of keys with the same beginning ends. */
function endOfRun(keys: Float64Array, start: number): number {
  const next = (Math.floor((keys[start] as number) / PLACES) + 1) * PLACES;
  let end = start + 1;
  while (end < keys.length && (keys[end] as number) < next) end++;
  return end;
}

/** The first digits of a GUID as a number; 0 where there is none. */
function beginningOf(guid: string): number {
  let beginning = 0;
  if (guid === noGuid) return beginning;
  for (let at = 0; at < BEGINNING_CHARS; at++) {
    const code = guid.charCodeAt(at);
    beginning = 16 * beginning + (code & 15) + 9 * (code >> 6);
  }
  return beginning;
}

function byGuidThenIndex(a: Held, b: Held): number {
  if (a.guid < b.guid) return -1;
  if (a.guid > b.guid) return 1;
  return a.index - b.index;
}
