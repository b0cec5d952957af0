/**
 * Batches that stand still because somebody else holds a lock on what they change: a script that takes its time, a person at the
 * database. A step waits for a lock for a moment only, since a thread that waits is one that all other batches lack; of those that
 * were found held, one at a time tries again.
 */

/** Beyond it those that were found so first are tried like any other. */
const KNOWN_MAX = 10_000;

export class HeldBatches {
  readonly #held = new Set<string>();
  #trying = false;

  note(batchId: string): void {
    this.#held.delete(batchId);
    this.#held.add(batchId);
    if (this.#held.size <= KNOWN_MAX) return;
    for (const oldest of this.#held) {
      this.#held.delete(oldest);
      break;
    }
  }

  /** Takes a step of the batch. Null where it was held when it was last tried, and another such batch is being tried now. */
  async take<T>(batchId: string, step: () => Promise<T>): Promise<T | null> {
    const wasHeld = this.#held.has(batchId);
    if (wasHeld && this.#trying) return null;
    if (wasHeld) this.#trying = true;
    try {
      const outcome = await step();
      this.#held.delete(batchId);
      return outcome;
    } finally {
      if (wasHeld) this.#trying = false;
    }
  }
}
