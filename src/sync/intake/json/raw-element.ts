/**
 * An element of a sync body as the splitters pass it on: unparsed bytes, and the two GUIDs by which the batch is
 * cut.
 */

/**
 * An object that is reused for all elements. `source` is either the caller's piece or a buffer that the next
 * element overwrites, so everything but the strings is valid only during `onElement`. Copy what you need to keep.
 */
export interface RawElement {
  /** Holds the element's bytes at [start, end): exactly one valid JSON value in valid UTF-8. */
  source: Buffer;
  start: number;
  end: number;
  /** Counts from 0 in payload order. */
  ordinal: number;
  /** The GUID as given, not normalised; undefined when the element has no such member or its value is not a string. */
  guid: string | undefined;
  parentGuid: string | undefined;
}

export interface SplitLimits {
  elementBytesMax: number;
  elementsMax: number;
}

export function emptyElement(): RawElement {
  return { source: Buffer.alloc(0), start: 0, end: 0, ordinal: 0, guid: undefined, parentGuid: undefined };
}
