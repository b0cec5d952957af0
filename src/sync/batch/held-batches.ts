/**
 * Batches that stand still because somebody else holds a lock on what they change: a script that takes its time, a person at the
 * database. A step waits for a lock for a moment only, since a thread that waits is one that all other batches lack; of those that
 * were found held, one at a time tries again, while the chunks of theirs that nobody holds are done.
 */
import { randomUUID } from 'node:crypto';

/** Beyond it those that were found so first are tried like any other. */
const KNOWN_MAX = 10_000;
/** A batch that has met no lock for this long stood still for another reason, or not at all. */
const FORGET_MS = 60_000;

interface Held {
  /** Since when it has been found so, again and again; of what was counted as an attempt no more. */
  sinceMs: number;
  foundMs: number;
  readonly chunks: Set<number>;
}

export class HeldBatches {
  /** The name of this process among those that hold batches. */
  readonly name = randomUUID().slice(0, 8);
  readonly #held = new Map<string, Held>();
  readonly #now: () => number;
  #trying = false;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** `chunk`: null where the step was of no one chunk. Returns whether that is new. */
  note(batchId: string, chunk: number | null): boolean {
    const now = this.#now();
    const known = this.#held.get(batchId);
    const isNew = known === undefined || now - known.foundMs > FORGET_MS;
    const held = isNew ? { sinceMs: now, foundMs: now, chunks: new Set<number>() } : known;
    held.foundMs = now;
    if (chunk !== null) held.chunks.add(chunk);
    this.#held.delete(batchId);
    this.#held.set(batchId, held);
    if (this.#held.size > KNOWN_MAX) this.#held.delete(this.#held.keys().next().value as string);
    return isNew;
  }

  /** Whether it has been held for so long without this having been said. */
  isDue(batchId: string, ms: number): boolean {
    const held = this.#held.get(batchId);
    const now = this.#now();
    if (held === undefined || now - held.sinceMs < ms) return false;
    held.sinceMs = now;
    return true;
  }

  /** The chunks that somebody held when they were last tried. */
  chunksOf(batchId: string): readonly number[] {
    return [...(this.#held.get(batchId)?.chunks ?? [])];
  }

  forget(batchId: string): void {
    this.#held.delete(batchId);
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
