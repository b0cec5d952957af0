/**
 * Decompressing what arrives: nothing reads ahead of whoever takes it, nothing is dropped silently, and what all
 * decompressors of a process hold is bounded and shared by workspace, since their size is the sender's choice.
 */
import type { Duplex } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';
import { AppError } from '../../errors.ts';
import type { FairShare } from '../../fairness/fair-share.ts';

const KiB = 1024;
const MiB = 1024 * KiB;

/** RFC 9659: what a sender of `zstd` may count on, and no more is held for it. Its default levels use 2 MiB. */
const ZSTD_WINDOW_BYTES_MAX = 8 * MiB;
const ZSTD_WINDOW_LOG_MAX = 23;
/** Each frame is a decompressor of its own; parallel compressors write one for some megabytes. */
const FRAMES_MAX = 10_000;

interface Encoding {
  make(): Duplex & { bytesWritten: number };
  /**
   * Memory of one decompressor at its limit (measured: RSS of forty that had read 30 MB), by the beginning of the
   * body.
   */
  bytesHeld(start: Buffer): number;
  /** Whether another frame may follow one that has ended, and Node leaves it to us to begin with it. */
  hasFrames: boolean;
}

/**
 * Size of a piece. The event loop handles each piece twice and its reader once, so zlib's 16 KiB would be too many
 * pieces.
 */
const chunkSize = 64 * KiB;

const gzip: Encoding = {
  make: () => createGunzip({ chunkSize }),
  bytesHeld: () => 256 * KiB,
  hasFrames: false,
};

const encodings: Readonly<Record<string, Encoding>> = {
  gzip,
  'x-gzip': gzip,
  deflate: { ...gzip, make: () => createInflate({ chunkSize }) },
  br: { make: () => createBrotliDecompress({ chunkSize }), bytesHeld: brotliBytes, hasFrames: false },
  zstd: {
    make: () =>
      createZstdDecompress({ chunkSize, params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG_MAX } }),
    // By its limit: a later frame may have another window than the first. 10.0 MB were measured.
    bytesHeld: () => ZSTD_WINDOW_BYTES_MAX + 2 * MiB,
    hasFrames: true,
  },
};

/** The window that the first byte announces (RFC 7932 §9.1), of 16 KiB to 16 MiB; 17.9 MB were measured for the largest. */
function brotliBytes(start: Buffer): number {
  const bits = start[0] ?? 0;
  const low = (bits >> 1) & 7;
  const high = (bits >> 4) & 7;
  const log = (bits & 1) === 0 ? 16 : low !== 0 ? 17 + low : high === 0 ? 17 : 8 + high;
  return 2 ** log + MiB;
}

/** Throws `unsupported_media_type` for a coding that is none of ours. */
export function requireEncoding(name: string): void {
  if (Object.hasOwn(encodings, name)) return;
  throw new AppError('unsupported_media_type', {
    detail: 'The Content-Encoding is not one of gzip, br, zstd, deflate.',
    headers: { 'Accept-Encoding': 'gzip, br, zstd, deflate' },
  });
}

export interface Decompression {
  encoding: string;
  /** Bytes that all decompressors of the process may use; this one counts for the party. */
  memory: FairShare;
  party: string;
  /** Aborted when nobody wants the body any more, or its sender has gone. */
  ended: AbortSignal;
}

/**
 * The bytes behind `compressed`, which yields what has arrived and ends with the body. Throws `invalid_encoding`,
 * whatever `compressed` throws, and a `ShareError`. Ends early when `ended` is aborted.
 */
export async function* decompressed(
  compressed: AsyncGenerator<Buffer, void, void>,
  { encoding: name, memory, party, ended }: Decompression,
): AsyncGenerator<Buffer> {
  const encoding = encodings[name] as Encoding;
  const input = new Input(compressed);
  const start = await input.take();
  if (ended.aborted) return;
  if (start === null) throw invalid(name, 'it is empty');
  // Not before something has arrived: a sender who only announces a body holds nothing.
  const release = await memory.acquire(party, encoding.bytesHeld(start), ended);
  try {
    input.putBack(start);
    for (let frames = 1; ; frames++) {
      if (frames > FRAMES_MAX) throw invalid(name, `it has more than ${FRAMES_MAX} frames`);
      yield* oneFrame(encoding.make(), input, name, ended);
      if (ended.aborted) return;
      const next = await input.take();
      if (next === null || ended.aborted) return;
      if (!encoding.hasFrames) throw invalid(name, 'something follows its end');
      input.putBack(next);
    }
  } finally {
    release();
  }
}

/** Received bytes; bytes that a decompressor leaves are returned again. */
class Input {
  readonly #chunks: AsyncGenerator<Buffer, void, void>;
  #left: Buffer | null = null;

  constructor(chunks: AsyncGenerator<Buffer, void, void>) {
    this.#chunks = chunks;
  }

  /** Returns null at the end. */
  async take(): Promise<Buffer | null> {
    const left = this.#left;
    this.#left = null;
    if (left !== null) return left;
    const next = await this.#chunks.next();
    return next.done === true ? null : next.value;
  }

  putBack(chunk: Buffer): void {
    this.#left = chunk;
  }
}

/** Up to the end of what `engine` reads as one; what it leaves is put back. */
async function* oneFrame(
  engine: ReturnType<Encoding['make']>,
  input: Input,
  name: string,
  ended: AbortSignal,
): AsyncGenerator<Buffer> {
  const onEnded = () => engine.destroy(new Error('ended'));
  ended.addEventListener('abort', onEnded);
  const fed = feed(engine, input, ended).catch((error: Error) => void engine.destroy(error));
  try {
    for await (const chunk of engine) yield chunk as Buffer;
    await fed;
  } catch (error) {
    if (error instanceof AppError || ended.aborted) {
      if (error instanceof AppError) throw error;
      return;
    }
    throw refusalOf(name, error);
  } finally {
    ended.removeEventListener('abort', onEnded);
    engine.destroy();
  }
}

/** Feeds one chunk at a time, so that it is known how far the engine has read if it ends before the body. */
async function feed(engine: ReturnType<Encoding['make']>, input: Input, ended: AbortSignal): Promise<void> {
  for (;;) {
    const chunk = await input.take();
    if (engine.destroyed || ended.aborted) return;
    if (chunk === null) {
      engine.end();
      return;
    }
    const before = engine.bytesWritten;
    await new Promise<void>((resolve) => {
      engine.once('close', resolve);
      engine.write(chunk, () => {
        // One for each piece of a large body would stay otherwise.
        engine.off('close', resolve);
        resolve();
      });
    });
    const read = engine.bytesWritten - before;
    if (engine.destroyed) return;
    if (read < chunk.length) {
      input.putBack(chunk.subarray(read));
      return;
    }
  }
}

function refusalOf(name: string, error: unknown): AppError {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ZSTD_error_frameParameter_windowTooLarge') return invalid(name, null, error);
  return new AppError('invalid_encoding', {
    detail:
      `A frame of the body has a window of more than ${ZSTD_WINDOW_BYTES_MAX} bytes, which is the limit of ` +
      '"zstd" (RFC 9659). Compress it with a window of at most 8 MiB (without "--long" and "--ultra").',
    extensions: { limit: ZSTD_WINDOW_BYTES_MAX },
    cause: error,
  });
}

function invalid(name: string, why: string | null, cause?: unknown): AppError {
  return new AppError('invalid_encoding', {
    detail: why === null ? `The body is not valid ${name}.` : `The body is not valid ${name}: ${why}.`,
    ...(cause === undefined ? {} : { cause }),
  });
}
