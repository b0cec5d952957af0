/** A body as it arrives, read no further than it is taken, and judged by how fast its sender brings it. */
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../errors.ts';

/** Minimum rate at which a sender must send while the service waits: a body that trickles occupies resources that others could use. */
export interface ArrivalRate {
  bytesPerSecond: number;
  /** Waited for as a whole before it is judged, again and again. */
  windowMs: number;
}

/** Throws `incomplete_body` and `request_timeout`; ends early when `ended` is aborted, also while it waits. */
export async function* rawChunks(
  req: IncomingMessage,
  rate: ArrivalRate,
  ended?: AbortSignal,
): AsyncGenerator<Buffer, void, void> {
  const arrived: Buffer[] = [];
  const arrival = new Arrival(rate);
  let wake = () => {};
  const onEvent = () => wake();
  // Chunk by chunk as they came: read() would join all that wait, and leave them to be collected.
  const onData = (chunk: Buffer) => {
    req.pause();
    arrived.push(chunk);
    arrival.count(chunk.length);
    wake();
  };
  req.on('data', onData);
  for (const event of endings) req.on(event, onEvent);
  ended?.addEventListener('abort', onEvent);
  try {
    while (ended?.aborted !== true) {
      const chunk = arrived.shift();
      if (chunk !== undefined) {
        yield chunk;
        continue;
      }
      if (req.readableEnded) return;
      if (req.destroyed) throw incompleteBody(req.errored);
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      req.resume();
      await arrival.during(woken);
    }
  } finally {
    // Destroying the request would take the socket, and the answer, with it.
    req.pause();
    req.off('data', onData);
    for (const event of endings) req.off(event, onEvent);
    ended?.removeEventListener('abort', onEvent);
  }
}

/** Measures how fast a body arrives, by the time in which the service waited for its sender: pauses of the service do not count. */
class Arrival {
  readonly #rate: ArrivalRate;
  readonly #bytesMin: number;
  #bytes = 0;
  #waitedMs = 0;

  constructor(rate: ArrivalRate) {
    this.#rate = rate;
    this.#bytesMin = Math.ceil((rate.bytesPerSecond * rate.windowMs) / 1000);
  }

  count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes >= this.#bytesMin) this.#startAgain();
  }

  /** Waits; throws `request_timeout` when a window is over in which too little came. */
  async during(woken: Promise<void>): Promise<void> {
    const since = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(this.#tooSlow()), this.#rate.windowMs - this.#waitedMs);
    });
    try {
      await Promise.race([woken, over]);
    } finally {
      clearTimeout(timer);
    }
    // Enough came meanwhile and began a window; or this wait belongs to the one that is open.
    if (this.#bytes > 0 || this.#waitedMs > 0) this.#waitedMs += performance.now() - since;
  }

  #startAgain(): void {
    this.#bytes = 0;
    this.#waitedMs = 0;
  }

  #tooSlow(): AppError {
    const seconds = this.#rate.windowMs / 1000;
    return new AppError('request_timeout', {
      detail:
        `The body arrives too slowly: within ${seconds} s, less than ${this.#bytesMin} bytes came. Nothing was ` +
        'accepted: send it again, faster or in smaller parts.',
      extensions: { limit: this.#rate.bytesPerSecond },
    });
  }
}

const endings = ['end', 'error', 'close'] as const;

export function incompleteBody(cause: unknown): AppError {
  return new AppError('incomplete_body', { detail: 'The connection ended within the body.', cause });
}
