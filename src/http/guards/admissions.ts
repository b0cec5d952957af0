/**
 * Checks long calls again and again, including those that wait, read for long or send nothing, so that they end
 * soon after their right to run. A caller that may not make its call any more is treated as one that has
 * disconnected.
 */
import { AppError } from '../../errors.ts';
import { LinkedSet } from '../../fairness/linked-set.ts';
import { type PeriodicLoop, startPeriodic } from '../../process/start-periodic.ts';

interface Admitted {
  leave(): boolean;
  /** Throws when the caller may not make the call any more. */
  ask(): Promise<unknown>;
  refuse(error: AppError): void;
  askedAt: number;
}

/** A call is asked about after one to one and a half periods. */
const LOOKS_PER_PERIOD = 2;

export class Admissions {
  readonly #periodMs: number;
  readonly #open = new LinkedSet<Admitted>();
  readonly #loop: PeriodicLoop;

  constructor(periodMs: number) {
    this.#periodMs = periodMs;
    this.#loop = startPeriodic({
      periodMs: periodMs / LOOKS_PER_PERIOD,
      first: 'after a period',
      run: () => this.#look(),
      failure: null,
      isIncidental: true,
    });
  }

  /** Asks about a call that has just been admitted, until what is returned is called; `refuse` is called once at most. */
  watch(ask: Admitted['ask'], refuse: Admitted['refuse']): () => void {
    const admitted = { ask, refuse, askedAt: performance.now(), leave: () => false };
    admitted.leave = this.#open.add(admitted);
    return admitted.leave;
  }

  close(): Promise<void> {
    return this.#loop.close();
  }

  async #look(): Promise<void> {
    const now = performance.now();
    const due = this.#open.values().filter(({ askedAt }) => now - askedAt >= this.#periodMs);
    await Promise.all(due.map((admitted) => this.#askOf(admitted, now)));
  }

  async #askOf(admitted: Admitted, now: number): Promise<void> {
    admitted.askedAt = now;
    try {
      await admitted.ask();
    } catch (error) {
      // A server that does not answer says nothing of the caller; what is read meets it too.
      if (!(error instanceof AppError) || error.status >= 500 || !admitted.leave()) return;
      admitted.refuse(error);
    }
  }
}
