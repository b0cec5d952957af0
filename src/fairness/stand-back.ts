/**
 * Long work in a thread of its own gives its processor away while others want one. A thread that never waits keeps a
 * processor until the next tick of the kernel's clock, whatever its priority, and an event loop has to wait for that at each of the five or so
 * turns that a call takes; and priorities count among the threads of a container or a unit alone. Whoever sleeps is out of everybody's way.
 */

const SLICE_MS = 3;
/** Time that somebody else used the CPU during a slice; less is the kernel's own. */
const TAKEN_MS = 0.3;
/** Time for which a recent demand counts: a call takes several turns, with waits between them. */
const WANTED_FOR_MS = 50;
/** Maximum rest, for code that cannot be interrupted for long, such as a built-in sort. */
const REST_MS_MAX = 10;

export interface ThreadClocks {
  now(): number;
  /** Returns the CPU time of this thread so far, in milliseconds. */
  computed(): number;
  /** Returns when so many milliseconds have passed, without computing. */
  rest(ms: number): void;
}

/** Ask it in every loop of such work. While the work is alone it costs nothing; beside other work it rests for as long as it computes. */
export class StandBack {
  readonly #clocks: ThreadClocks;
  #since: number;
  #computed: number;
  #wantedAt = Number.NEGATIVE_INFINITY;

  constructor(clocks: ThreadClocks = ofThisThread) {
    this.#clocks = clocks;
    this.#since = clocks.now();
    this.#computed = clocks.computed();
  }

  look(): void {
    const { now, computed, rest } = this.#clocks;
    const at = now();
    if (at - this.#since < SLICE_MS) return;
    const ms = computed() - this.#computed;
    if (at - this.#since - ms > TAKEN_MS) this.#wantedAt = at;
    if (at - this.#wantedAt < WANTED_FOR_MS) rest(Math.min(ms, REST_MS_MAX));
    this.#since = now();
    this.#computed = computed();
  }

  /** The thread has waited for something: that was nobody else's time. */
  goOn(): void {
    this.#since = this.#clocks.now();
    this.#computed = this.#clocks.computed();
  }
}

const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

const ofThisThread: ThreadClocks = {
  now: () => performance.now(),
  computed: threadCpuMs,
  rest: (ms) => void Atomics.wait(never, 0, 0, ms),
};

export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
