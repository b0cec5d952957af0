/**
 * Measures what the thread of a run computes, from outside. The engine asks its interrupt handler about the CPU limit
 * at most of its work, but not in some built-in functions (`new Array(1e9).join()`): a run in there is found here.
 */
import type { Worker } from 'node:worker_threads';

/** The shortest wait between two measurements. */
const PAUSE_MS = 10;

export class CpuWatch {
  readonly #limitMs: number;
  readonly #onOver: () => void;
  #run = 0;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  /** `onOver` is called once, when a run has computed for longer than `limitMs`. */
  constructor(limitMs: number, onOver: () => void) {
    this.#limitMs = limitMs;
    this.#onOver = onOver;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** A run begins in a thread that had computed for `computedMs` by then. It replaces the run before. */
  begin(worker: Worker, computedMs: number): void {
    this.stop();
    this.#measureAfter(this.#limitMs, this.#run, worker, computedMs);
  }

  stop(): void {
    this.#run += 1;
    clearTimeout(this.#timer);
  }

  #measureAfter(ms: number, run: number, worker: Worker, computedMs: number): void {
    this.#timer = setTimeout(async () => {
      // A thread that ends meanwhile has nothing to be measured.
      const usage = await worker.cpuUsage().catch(() => null);
      if (usage === null || run !== this.#run) return;
      const left = this.#limitMs - ((usage.user + usage.system) / 1000 - computedMs);
      if (left > 0) return this.#measureAfter(Math.max(left, PAUSE_MS), run, worker, computedMs);
      this.#isOver = true;
      this.#onOver();
    }, ms);
    this.#timer.unref();
  }
}
