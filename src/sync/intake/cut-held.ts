/** How elements that are held are parted, put in order and cut into chunks and segments. */
import type { Held } from './spill-bucket.ts';

/**
 * A chunk's bytes, whatever the number of its elements, so that no step takes long or holds much. Above it are only
 * elements that cannot be parted: one large one, or those of one GUID.
 */
export const CHUNK_BYTES_MAX = 4 * 1024 * 1024;
/** A segment of a body that is held whole: a worker unpacks one at a time. */
const HELD_SEGMENT_BYTES = 1024 * 1024;

/** In place of a GUID that cannot be read. */
export const noGuid = '';

/** Elements of entities that some element names as its parent, refused ones among them, and those of all others. */
export function partParents(held: readonly Held[]): [parents: Held[], leaves: Held[]] {
  const named = new Set<string>();
  let last = noGuid;
  for (const { parentGuid } of held) {
    if (parentGuid !== last) named.add(parentGuid);
    last = parentGuid;
  }
  const [parents, leaves]: [Held[], Held[]] = [[], []];
  for (const element of held)
    (element.guid !== noGuid && named.has(element.guid) ? parents : leaves).push(element);
  return [parents, leaves];
}

/** Where a segment of a chunk ends: full by bytes. */
export function endOfSegment(held: readonly Held[], start: number): number {
  let bytes = 0;
  for (let at = start; at < held.length; at++) {
    bytes += (held[at] as Held).bytes.length;
    if (at > start && bytes > HELD_SEGMENT_BYTES) return at;
  }
  return held.length;
}

/** Where the chunk ends: full by count or bytes, but never between two elements of one GUID. */
export function endOfChunk(held: readonly Held[], start: number, wanted: number): number {
  let bytes = 0;
  for (let at = start; at < held.length; at++) {
    const { guid, bytes: own } = held[at] as Held;
    const full = at - start >= wanted || bytes + own.length > CHUNK_BYTES_MAX;
    if (at > start && full && (guid === noGuid || guid !== (held[at - 1] as Held).guid)) return at;
    bytes += own.length;
  }
  return held.length;
}

export function byGuidThenIndex(a: Held, b: Held): number {
  if (a.guid < b.guid) return -1;
  if (a.guid > b.guid) return 1;
  return a.index - b.index;
}

/**
 * In the order in which their GUIDs first come, those of one GUID together: what stands together in a payload (the children of one
 * parent, numbers that begin alike) stays together in a chunk, and is cheaper to compare, to index and to report for it.
 */
export function gatherByGuid(held: Held[]): Held[] {
  const byGuid = new Map<string, Held | Held[]>();
  let repeated = 0;
  for (const element of held) {
    const { guid } = element;
    if (guid === noGuid) continue;
    const known = byGuid.get(guid);
    if (known === undefined) byGuid.set(guid, element);
    else {
      repeated++;
      if (Array.isArray(known)) known.push(element);
      else byGuid.set(guid, [known, element]);
    }
  }
  if (repeated === 0) return held;
  const gathered: Held[] = [];
  for (const element of held) {
    const group = element.guid === noGuid ? element : byGuid.get(element.guid);
    if (group === element) gathered.push(element);
    else if (Array.isArray(group) && group[0] === element) for (const one of group) gathered.push(one);
  }
  return gathered;
}
