/**
 * Long work on an event loop goes in slices, so that no call keeps the others of its process waiting. However many do
 * long work, the loop gets through everything else between any two of their slices; and while others have something to
 * do, it rests as long after a slice as the slice took, so that half of it is theirs at any moment.
 */
import { performance } from 'node:perf_hooks';

const SLICE_MS = 3;
/** Duration of a turn in which others had something to do; an empty one takes some hundredths. */
const BUSY_TURN_MS = 0.3;
/** Others that had something to do so lately have more of it: a call takes several turns, with waits between them. */
const BUSY_FOR_MS = 50;

/** The line of all long work of this thread's loop. */
class Turns {
  readonly #line: (() => void)[] = [];
  /** When the slice that was given last began, and when whoever had it came back to the line. */
  #beganAt = 0;
  #endedAt = 0;
  #othersAt = Number.NEGATIVE_INFINITY;

  /** Resolves when it is the caller's turn. */
  next(): Promise<void> {
    this.#endedAt = performance.now();
    return new Promise((resolve) => {
      this.#line.push(resolve);
      if (this.#line.length === 1) setImmediate(() => this.#look());
    });
  }

  /** The others have had their turn. */
  #look(): void {
    const now = performance.now();
    if (now - this.#endedAt > BUSY_TURN_MS) this.#othersAt = now;
    const restMs = Math.min(SLICE_MS, Math.round(this.#endedAt - this.#beganAt));
    if (now - this.#othersAt < BUSY_FOR_MS && restMs > 0) setTimeout(() => this.#give(), restMs);
    else this.#give();
  }

  #give(): void {
    this.#beganAt = performance.now();
    this.#line.shift()?.();
    // The slice runs when this callback has ended, and before anything else does.
    if (this.#line.length > 0) setImmediate(() => this.#look());
  }
}

const turns = new Turns();

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
    await turns.next();
    this.#gone?.throwIfAborted();
    this.#since = performance.now();
  }
}
