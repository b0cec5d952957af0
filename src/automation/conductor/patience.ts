/** How long a thread may take with what it has begun, before it is killed. */
export class Patience {
  readonly ms: number;
  readonly #killer = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number) {
    this.ms = ms;
  }

  /** Kills the thread of the task that was given it. */
  get signal(): AbortSignal {
    return this.#killer.signal;
  }

  get isOver(): boolean {
    return this.#killer.signal.aborted;
  }

  /** Counts from now on, whatever the start was before. */
  start(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.end(), this.ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  end(): void {
    this.#killer.abort();
  }
}
