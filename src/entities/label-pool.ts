/** The web process's thread for labels: a picture takes as long as a turn of the event loop may. */
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { openShare } from '../fairness/shares.ts';
import type { LabelDrawing } from './draw-label.ts';

const THREAD_IDLE_MS = 60_000;

export class LabelPool {
  readonly #pool = new Piscina({
    atomics: 'disabled',
    filename: fileURLToPath(new URL('../../workers/label.ts', import.meta.url)),
    // Started when it is first needed, and ended when nobody has needed it for a while.
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: THREAD_IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 },
  });
  // One picture of a workspace at a time, and place for that of another beside it.
  readonly #turns = openShare('labels', { units: 2, ofOneMax: 1 });

  constructor() {
    // A thread that ends while it has nothing to do: the process says so (end-at-fault.ts), and the next picture gets another.
    this.#pool.on('error', () => {});
  }

  /** The picture. Rejects with a `ShareError` where too many of the workspace wait, or for too long. */
  async draw(workspaceId: string, drawing: LabelDrawing, gone: AbortSignal): Promise<Uint8Array> {
    const release = await this.#turns.acquire(workspaceId, 1, gone);
    try {
      return await this.#pool.run(drawing, { name: 'draw' });
    } finally {
      release();
    }
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}
