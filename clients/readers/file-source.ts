/** A source of bytes: a file on disk, a file in a browser, or bytes in memory. Readers open it as often as they need. */

export interface FileSource {
  /** As a person would find it again. */
  name: string;
  size: number;
  /** The bytes from `start` (inclusive) to `end` (exclusive), in pieces; all of them without both. */
  read(start?: number, end?: number): AsyncIterable<Uint8Array>;
}

/** A file that somebody chose or dropped in a browser. */
export function blobSource(blob: Blob, name: string): FileSource {
  return {
    name,
    size: blob.size,
    read: (start = 0, end = blob.size) => streamed(blob.slice(start, end)),
  };
}

export function bytesSource(bytes: Uint8Array, name: string): FileSource {
  return {
    name,
    size: bytes.byteLength,
    read: async function* (start = 0, end = bytes.byteLength) {
      if (end > start) yield bytes.subarray(start, end);
    },
  };
}

/** A range as one piece; for what is known to be small. */
export async function readRange(source: FileSource, start: number, end: number): Promise<Uint8Array> {
  const whole = new Uint8Array(end - start);
  let at = 0;
  for await (const piece of source.read(start, end)) {
    whole.set(piece.subarray(0, whole.length - at), at);
    at += piece.length;
  }
  return whole.subarray(0, Math.min(at, whole.length));
}

/** By a reader, because not every browser can iterate a stream. */
async function* streamed(blob: Blob): AsyncIterable<Uint8Array> {
  const reader = blob.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}
