/** The web process's thread for pictures: decoding one takes up to seconds. */
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { openShare } from '../fairness/shares.ts';
import type { RenderedPicture } from './render-picture.ts';

const THREAD_IDLE_MS = 60_000;

export class PicturePool {
  readonly #pool = new Piscina({
    atomics: 'disabled',
    filename: fileURLToPath(new URL('../../workers/picture.ts', import.meta.url)),
    // Started when it is first needed, and ended when nobody has needed it for a while.
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: THREAD_IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 },
  });
  // Uploads that are received, decoded or stored at once, with up to 10 MiB each; half of them of one workspace.
  readonly #turns = openShare('pictures', { units: 4, ofOneMax: 2 });

  constructor() {
    // An idle thread that ends: end-at-fault.ts logs it, and the next picture gets another.
    this.#pool.on('error', () => {});
  }

  /** Does the work of one upload. Rejects with a `ShareError` if too many of the workspace wait, or for too long. */
  async inTurn<T>(workspaceId: string, gone: AbortSignal, work: () => Promise<T>): Promise<T> {
    const release = await this.#turns.acquire(workspaceId, 1, gone);
    try {
      return await work();
    } finally {
      release();
    }
  }

  render(bytes: Uint8Array): Promise<RenderedPicture | { refusal: string }> {
    return this.#pool.run(bytes, { name: 'render' });
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}
