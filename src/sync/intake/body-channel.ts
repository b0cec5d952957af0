/**
 * Hands a body to the intake thread piece by piece. The thread tells what it has consumed; what is under
 * way is bounded, so a slow database slows the sender down instead of filling memory.
 */
import type { MessagePort } from 'node:worker_threads';

/** Bytes handed over and not consumed yet, at most. */
const WINDOW_BYTES = 4 * 1024 * 1024;

type Piece = { bytes: ArrayBuffer } | { end: true } | { broken: string };

/** Sends all pieces, then the end; when reading fails, tells the thread so and throws. */
export async function sendBody(port: MessagePort, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  let underWay = 0;
  let closed = false;
  const bell = new Bell();
  port.on('message', (consumed: number) => {
    underWay -= consumed;
    bell.ring();
  });
  port.once('close', () => {
    closed = true;
    bell.ring();
  });
  try {
    for await (const piece of pieces) {
      // The thread has given up (a limit, a fault): the answer will say why.
      if (closed) return;
      const bytes = piece.buffer.slice(piece.byteOffset, piece.byteOffset + piece.byteLength) as ArrayBuffer;
      underWay += bytes.byteLength;
      port.postMessage({ bytes } satisfies Piece, [bytes]);
      while (underWay > WINDOW_BYTES && !closed) await bell.rung();
    }
    port.postMessage({ end: true } satisfies Piece);
  } catch (error) {
    port.postMessage({ broken: error instanceof Error ? error.message : String(error) } satisfies Piece);
    throw error;
  }
}

/** The body ended before its end; whoever sent it gets no answer any more. */
export class BrokenBodyError extends Error {
  override readonly name = 'BrokenBodyError';
}

/** The thread's side: the pieces as they arrive. */
export async function* receiveBody(port: MessagePort): AsyncGenerator<Uint8Array> {
  const arrived: Piece[] = [];
  const bell = new Bell();
  port.on('message', (piece: Piece) => {
    arrived.push(piece);
    bell.ring();
  });
  port.once('close', () => {
    arrived.push({ broken: 'the web process closed the channel' });
    bell.ring();
  });
  for (;;) {
    const piece = arrived.shift();
    if (piece === undefined) {
      await bell.rung();
    } else if ('bytes' in piece) {
      yield new Uint8Array(piece.bytes);
      port.postMessage(piece.bytes.byteLength);
    } else if ('end' in piece) {
      return;
    } else {
      throw new BrokenBodyError(piece.broken);
    }
  }
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
