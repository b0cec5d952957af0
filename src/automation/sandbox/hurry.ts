/**
 * A task that has written holds locks until it ends. It therefore stops resting for other threads, for a limited CPU time: without
 * the limit, one write would let everything that the task computes afterwards run without resting.
 */
import { threadCpuMs } from '../../fairness/stand-back.ts';

/** CPU time that the thread may use after the first write of its task without resting. */
const HURRY_MS = 50;

export class Hurry {
  readonly #computed: () => number;
  #until: number | null = null;

  constructor(computed: () => number = threadCpuMs) {
    this.#computed = computed;
  }

  /** Starts at the first write of the task; later writes do not prolong it. */
  begin(): void {
    this.#until ??= this.#computed() + HURRY_MS;
  }

  get isOn(): boolean {
    return this.#until !== null && this.#computed() < this.#until;
  }
}
