/** Files on disk, for readers that run in Node. */
import { createReadStream, type Stats, statSync } from 'node:fs';
import type { FileSource } from './file-source.ts';

const PIECE_BYTES = 256 * 1024;

export function fileSource(path: string, { size }: Pick<Stats, 'size'> = statSync(path)): FileSource {
  return {
    name: path,
    size,
    read: (start = 0, end = size) =>
      end > start ? createReadStream(path, { start, end: end - 1, highWaterMark: PIECE_BYTES }) : nothing(),
  };
}

async function* nothing(): AsyncIterable<Uint8Array> {}
