/** When each batch was last said to move, by this process: once in a few seconds is enough for healing. */
const NOTED_MS = 5_000;
const NOTED_MAX = 10_000;

export class ProgressNotes {
  readonly #notedAt = new Map<string, number>();

  /** Whether it is time to say so of this batch; from then on it is not, for a while. */
  isDue(batchId: string): boolean {
    const now = Date.now();
    if (now - (this.#notedAt.get(batchId) ?? 0) < NOTED_MS) return false;
    if (this.#notedAt.size >= NOTED_MAX) this.#notedAt.clear();
    this.#notedAt.set(batchId, now);
    return true;
  }
}
