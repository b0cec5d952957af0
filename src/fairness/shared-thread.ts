/** A thread of the web process for short work that would hold the event loop, in fair shares of the workspaces. */
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { openShare, type ShareName } from './shares.ts';

const THREAD_IDLE_MS = 60_000;

export interface SharedThreadOptions {
  /** A file of `workers`, without its ending. */
  worker: string;
  /** The function of the worker that does a task. */
  task: string;
  share: ShareName;
  /** Callers that are served at once, of all workspaces and of one. */
  units: number;
  ofOneMax: number;
}

export class SharedThread<Task, Result> {
  readonly #pool: Piscina;
  readonly #turns: ReturnType<typeof openShare>;
  readonly #task: string;

  constructor({ worker, task, share, units, ofOneMax }: SharedThreadOptions) {
    this.#pool = new Piscina({
      atomics: 'disabled',
      filename: fileURLToPath(new URL(`../../workers/${worker}.ts`, import.meta.url)),
      // The thread starts with its first task, and ends when it has had none for a while.
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: THREAD_IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 },
    });
    // An idle thread that ends: end-at-fault.ts logs it, and the next task gets another.
    this.#pool.on('error', () => {});
    this.#turns = openShare(share, { units, ofOneMax });
    this.#task = task;
  }

  /** Does the work of one caller. Rejects with a `ShareError` if too many of the workspace wait, or for too long. */
  async inTurn<T>(workspaceId: string, gone: AbortSignal, work: () => Promise<T>): Promise<T> {
    const release = await this.#turns.acquire(workspaceId, 1, gone);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Does a task in the thread. The caller has its turn. */
  run(task: Task): Promise<Result> {
    return this.#pool.run(task, { name: this.#task });
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}
