/**
 * Hands a body to the intake thread piece by piece. The thread says how much more it takes; what is under way is
 * bounded, so a slow database slows the sender down instead of filling memory.
 */
import type { MessagePort } from 'node:worker_threads';

/** Bytes of one body handed over and not consumed yet. Many bodies are under way at once: a few pieces are enough. */
const WINDOW_BYTES = 256 * 1024;
/** Said together: each time wakes the event loop, which costs as much as reading a few elements. The window is larger, so nobody waits for it. */
const TOLD_BYTES = WINDOW_BYTES / 2;

type Piece = { bytes: ArrayBuffer } | { end: true; digest: Uint8Array | null } | { broken: string };

/** A body as it is read. */
export interface BodySource {
  /** The pieces; they end early when `ended` is aborted. */
  read(ended: AbortSignal): AsyncIterable<Uint8Array>;
  /** Aborted when whoever sends the body has gone, also while nobody reads. */
  cut: AbortSignal;
  /** All of it, where it has arrived. */
  whole?: Uint8Array;
  /** All of it, where it has arrived before anybody asked, as nearly every small one has; then it is read no more. */
  arrived?: (() => Uint8Array | null) | undefined;
  /** The SHA-256 of what was sent, where the pieces were made from it; known when all of it has been read. */
  digest?: (() => Buffer) | undefined;
}

/**
 * Sends all pieces, which are spent by it, then the end. Reads nothing before the thread asks for it, and stops when the thread closes the
 * channel: its answer says why. When reading fails, tells the thread so and throws.
 */
export async function sendBody(port: MessagePort, { read, cut, digest }: BodySource): Promise<void> {
  let room = 0;
  const bell = new Bell();
  const ended = new AbortController();
  port.on('message', (bytes: number) => {
    room += bytes;
    bell.ring();
  });
  port.once('close', () => {
    ended.abort();
    bell.ring();
  });
  const breakOff = (why: string) => port.postMessage({ broken: why } satisfies Piece);
  const onCut = () => breakOff('the sender has gone');
  cut.addEventListener('abort', onCut);
  try {
    while (room === 0 && !ended.signal.aborted) await bell.rung();
    for await (const piece of read(ended.signal)) {
      if (ended.signal.aborted) return;
      const bytes = wholeBuffer(piece);
      room -= bytes.byteLength;
      port.postMessage({ bytes } satisfies Piece, [bytes]);
      while (room <= 0 && !ended.signal.aborted) await bell.rung();
    }
    if (!ended.signal.aborted) port.postMessage({ end: true, digest: digest?.() ?? null } satisfies Piece);
  } catch (error) {
    breakOff(error instanceof Error ? error.message : String(error));
    throw error;
  } finally {
    cut.removeEventListener('abort', onCut);
  }
}

/** The piece's own memory where it has one, which moves without a copy and leaves nothing to be collected here. */
function wholeBuffer({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer {
  const own = byteLength === buffer.byteLength;
  return (own ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)) as ArrayBuffer;
}

/** The body ended before its end; whoever sent it gets no answer any more. */
export class BrokenBodyError extends Error {
  override readonly name = 'BrokenBodyError';
}

/** A body as it arrives in the thread. */
export interface ArrivingBody {
  /** Yields pieces, each valid until the next one is requested. Throws a `BrokenBodyError` if no more will come. */
  pieces: AsyncIterable<Uint8Array>;
  /** The SHA-256 of what was sent, behind the pieces; null where that is the pieces themselves. */
  digest(): Uint8Array | null;
}

/** A body that has arrived. `digest` is that of what was sent, where the bytes were made from it. */
export function wholeBody(bytes: Uint8Array, digest: Uint8Array | null): ArrivingBody {
  async function* pieces() {
    if (bytes.length > 0) yield bytes;
  }
  return { pieces: pieces(), digest: () => digest };
}

/** Receives in the thread what `sendBody` sends. */
export function receiveBody(port: MessagePort): ArrivingBody {
  const arrived: (Uint8Array | null)[] = [];
  let digest: Uint8Array | null = null;
  const bell = new Bell();
  let broken: BrokenBodyError | null = null;
  const breakOff = (why: string) => {
    broken ??= new BrokenBodyError(why);
    bell.ring();
  };
  port.on('message', (piece: Piece) => {
    if ('broken' in piece) return breakOff(piece.broken);
    if ('end' in piece) digest = piece.digest;
    arrived.push('bytes' in piece ? new Uint8Array(piece.bytes) : null);
    bell.ring();
  });
  port.once('close', () => breakOff('the web process closed the channel'));
  async function* pieces(): AsyncGenerator<Uint8Array> {
    port.postMessage(WINDOW_BYTES);
    let consumed = 0;
    for (;;) {
      if (broken !== null) throw broken;
      const piece = arrived.shift();
      if (piece === null) return;
      if (piece === undefined) {
        await bell.rung();
        continue;
      }
      const { byteLength } = piece;
      yield piece;
      // Frees the memory now: the collector would let a hundred megabytes of pieces gather first.
      (piece.buffer as ArrayBuffer).transfer(0);
      consumed += byteLength;
      if (consumed < TOLD_BYTES) continue;
      port.postMessage(consumed);
      consumed = 0;
    }
  }
  return { pieces: pieces(), digest: () => digest };
}

/** Lets one waiter sleep until something has happened. */
class Bell {
  #wake: (() => void) | null = null;

  ring(): void {
    this.#wake?.();
    this.#wake = null;
  }

  rung(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
