/**
 * Lets so many bodies of each workspace be read at once; more of it wait in line, unread. A workspace whose uploads
 * trickle in holds up its own, and nobody else's.
 */
export class WorkspaceShare {
  readonly #bodiesMax: number;
  readonly #workspaces = new Map<string, { reading: number; line: (() => void)[] }>();

  constructor(bodiesMax: number) {
    this.#bodiesMax = bodiesMax;
  }

  /** Runs `work` when its turn comes; throws the signal's reason when it is aborted before that. */
  async run<T>(workspaceId: string, cut: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(workspaceId, cut);
    try {
      return await work();
    } finally {
      this.#leave(workspaceId);
    }
  }

  async #enter(workspaceId: string, cut: AbortSignal): Promise<void> {
    const own = this.#workspaces.get(workspaceId) ?? { reading: 0, line: [] };
    this.#workspaces.set(workspaceId, own);
    if (own.reading < this.#bodiesMax) {
      own.reading++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      cut.throwIfAborted();
      const giveUp = () => {
        own.line.splice(own.line.indexOf(turn), 1);
        reject(cut.reason);
      };
      const turn = () => {
        cut.removeEventListener('abort', giveUp);
        resolve();
      };
      cut.addEventListener('abort', giveUp, { once: true });
      own.line.push(turn);
    });
  }

  /** Whoever is next in line takes over the place. */
  #leave(workspaceId: string): void {
    const own = this.#workspaces.get(workspaceId);
    if (own === undefined) return;
    const next = own.line.shift();
    if (next !== undefined) next();
    else if (--own.reading === 0) this.#workspaces.delete(workspaceId);
  }
}
