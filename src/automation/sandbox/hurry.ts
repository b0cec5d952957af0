/**
 * A task that has written keeps whoever wants the same waiting to its end, and does not rest for others: for so long as others
 * may be kept from a processor for it. One write would else free all that a task computes afterwards from resting.
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

  /** Something has been written; what is written later prolongs nothing. */
  begin(): void {
    this.#until ??= this.#computed() + HURRY_MS;
  }

  get isOn(): boolean {
    return this.#until !== null && this.#computed() < this.#until;
  }
}
