/**
 * How many calls of one workspace a process works on at once while others call too. Each turn of the event loop goes through
 * whatever has come for any of the calls in hand, and a call takes some five turns: sixty in hand of one workspace are
 * so many waits for everybody. What is not in hand waits where it costs nothing, and is not done later for it: the loop
 * does no more than it can, and the less time it has left, the fewer are in hand.
 */
import { performance } from 'node:perf_hooks';
import type { FairShare } from './fair-share.ts';
import { nameShown } from './name-shown.ts';
import { openShare } from './shares.ts';

/** Minimum of calls of one workspace while the event loop is saturated. */
const LEAST = 2;
/** The period over which the load of the event loop is measured. */
const LOAD_OVER_MS = 50;
/** Above it the loop has no time left, below it there is room for one call more. */
const LOAD_FULL = 0.9;
const LOAD_LOW = 0.7;
/** Maximum of all workspaces, as a multiple of that of one. */
const ALL = 6;
/** After a call of another workspace so long there are several. */
const SEVERAL_MS = 1000;
/** A call that takes longer waits for something else than the loop: its sender, a lock, a batch, a thread. */
const HELD_MS_MAX = 100;
/** Callers that are known by what they show; beyond it those that have been for longest are forgotten. */
const KNOWN_MAX = 10_000;

export interface Shown {
  /** Key or token; empty without one. */
  credential: string;
  /** The address: whoever shows what is not known yet stands in line with all others there. */
  from: string;
}

export interface CallsInHandOptions {
  ofOneMax: number;
  heldMsMax?: number;
  /** Share of the time since the last query in which the event loop was busy; null while that time is too short. */
  loopLoad?: () => number | null;
}

export class CallsInHand {
  readonly #share: FairShare;
  readonly #heldMsMax: number;
  readonly #room: LoopRoom;
  /** Workspaces by the hash of what its callers show. It opens nothing: it only says in which line somebody stands. */
  readonly #known = new Map<string, string>();
  #last = '';
  #severalUntil = Number.NEGATIVE_INFINITY;

  constructor({ ofOneMax, heldMsMax = HELD_MS_MAX, loopLoad = loadOfLoop() }: CallsInHandOptions) {
    this.#room = new LoopRoom(ofOneMax, loopLoad);
    this.#share = openShare('callsInHand', {
      units: ALL * ofOneMax,
      ofOneMax: () => this.#room.ofOne,
    });
    this.#heldMsMax = heldMsMax;
  }

  get held(): number {
    return this.#share.held;
  }

  get waiting(): number {
    return this.#share.waiting;
  }

  /**
   * Does the work of a call when it is its turn; `know` is to be told whose it was. Throws a `ShareError` where too many of
   * its workspace wait, or for too long.
   */
  async run<T>(
    { credential, from }: Shown,
    work: (know: (workspaceId: string) => void) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const name = nameShown(credential);
    const workspace = this.#known.get(name);
    const know = (workspaceId: string) => this.#know(name, workspaceId);
    // Strangers may be anybody: they wait even where they are the only ones.
    if (workspace !== undefined && !this.#isOneOfSeveral(workspace)) return work(know);
    const release = await this.#share.acquire(workspace ?? `from ${from}`, 1, signal);
    const held = setTimeout(release, this.#heldMsMax);
    try {
      return await work(know);
    } finally {
      clearTimeout(held);
      release();
    }
  }

  /** Calls of one workspace that the loop has room for now. */
  get ofOne(): number {
    return this.#room.ofOne;
  }

  /** Whether several workspaces call now. */
  get areSeveral(): boolean {
    return performance.now() < this.#severalUntil;
  }

  /** Tells whether other workspaces call too. A single one may use the whole process. */
  #isOneOfSeveral(party: string): boolean {
    if (party !== this.#last) {
      if (this.#last !== '') this.#severalUntil = performance.now() + SEVERAL_MS;
      this.#last = party;
    }
    return this.areSeveral;
  }

  #know(name: string, workspaceId: string): void {
    if (this.#known.has(name)) return;
    this.#known.set(name, workspaceId);
    if (this.#known.size <= KNOWN_MAX) return;
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest);
      break;
    }
  }
}

/**
 * How many calls of one workspace keep the loop busy. Where it has time left they wait for something else, and more of them are
 * done sooner; where it has none, each more is a wait for everybody and nothing is done sooner.
 */
class LoopRoom {
  readonly #most: number;
  readonly #loopLoad: () => number | null;
  #ofOne: number;

  constructor(most: number, loopLoad: () => number | null) {
    this.#most = most;
    this.#loopLoad = loopLoad;
    this.#ofOne = most;
  }

  get ofOne(): number {
    const load = this.#loopLoad();
    if (load !== null && load > LOAD_FULL)
      this.#ofOne = Math.max(Math.min(LEAST, this.#most), this.#ofOne - 1);
    if (load !== null && load < LOAD_LOW) this.#ofOne = Math.min(this.#most, this.#ofOne + 1);
    return this.#ofOne;
  }
}

function loadOfLoop(): () => number | null {
  let last = performance.eventLoopUtilization();
  let lastAt = performance.now();
  return () => {
    const now = performance.now();
    if (now - lastAt < LOAD_OVER_MS) return null;
    const current = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(current, last);
    last = current;
    lastAt = now;
    return utilization;
  };
}
