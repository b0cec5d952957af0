/** Long work on an event loop goes in slices, so that no call keeps the others of its process waiting. */
import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE_MS = 5;

/**
 * To be asked in every loop that grows with what is stored or sent: `if (slices.areDue) await slices.next()`. The
 * work ends, with the signal's reason, when whoever wanted it has gone.
 */
export class Slices {
  readonly #gone: AbortSignal | null;
  #since = performance.now();

  constructor(gone: AbortSignal | null = null) {
    this.#gone = gone;
  }

  /** Whether it is the others' turn. */
  get areDue(): boolean {
    return performance.now() - this.#since > SLICE_MS;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.#gone?.throwIfAborted();
    this.#since = performance.now();
  }
}
