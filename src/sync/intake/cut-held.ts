/** Cuts held and sorted elements (gather-held.ts) into chunks and segments. */
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

/** Returns where a segment of a chunk ends: when its bytes are full. */
export function endOfSegment(held: readonly Held[], start: number): number {
  let bytes = 0;
  for (let at = start; at < held.length; at++) {
    bytes += (held[at] as Held).bytes.length;
    if (at > start && bytes > HELD_SEGMENT_BYTES) return at;
  }
  return held.length;
}

/** Returns where the chunk ends: when it is full by count or bytes, but never between two elements of one GUID. */
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
