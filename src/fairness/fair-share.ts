/**
 * Shares a scarce number of units (connections, threads, bytes) among parties that do not know of each other, such as
 * workspaces. A party may take more only while it holds no more than what is then left free: alone it gets half, and
 * whoever comes next still finds something at once. What is taken is never taken back, so a rule that gave everything
 * to the only one there would make the next one wait for as long as the first likes.
 */

export interface FairShareOptions {
  /** The name of the share in refusals. */
  name?: string;
  /** Total number of units. */
  units: number;
  /** Units reserved for `privileged` parties. */
  reserved?: number;
  privileged?: string;
  /** Maximum of one party, if less than half of what is free; called each time if it varies. */
  ofOneMax?: number | ((name: string) => number);
  /** Maximum of waiting requests of one party; further ones are refused at once. */
  waitingMax: number;
  /** Waiting time after which a request is refused. */
  patienceMs: number;
}

/** A share had no place in time, or too many of the party wait for it already. The message names the share. */
export class ShareError extends Error {
  override readonly name = 'ShareError';
  readonly share: FairShare;

  constructor(share: FairShare, message: string) {
    super(`${share.name}: ${message}`);
    this.share = share;
  }
}

/**
 * Gives the share back; a second call does nothing. Whoever else wants it has it at once; for the party that gives it back it
 * counts as held for `pauseMs` more: the less, the longer it has waited for it, so that nobody is refused for the pauses before it.
 * `missed` is called where somebody of the party stands in line when the pause ends, with the part of it that was left.
 */
export type Release = (pauseMs?: number, missed?: (part: number) => void) => void;

/** Share of the patience after which there is no pause. */
const PAUSED_PART = 0.5;

interface Waiting {
  weight: number;
  grant(): void;
}

interface Party {
  held: number;
  /** Given back, and not to be had again yet. */
  pausing: number;
  /** Ends one of its pauses each. */
  pauses: Set<() => void>;
  /** Counts up with every share that is given; 0 for a party that has not had one while it was here. */
  servedAt: number;
  /** Waiting requests in the order of their arrival. */
  line: Waiting[];
}

export class FairShare {
  readonly #options: FairShareOptions;
  readonly #parties = new Map<string, Party>();
  #held = 0;
  #served = 0;
  #waiting = 0;

  constructor(options: FairShareOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.name ?? 'share';
  }

  /** Units that are held now. */
  get held(): number {
    return this.#held;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Parties that hold something, pause or wait; nobody else is remembered. */
  get parties(): number {
    return this.#parties.size;
  }

  /**
   * Resolves when the party has its share, of `weight` units. Rejects with a `ShareError` when that takes too long
   * or too many of the party wait, and with the signal's reason when it is aborted.
   */
  async acquire(name: string, weight = 1, signal?: AbortSignal): Promise<Release> {
    const { waitingMax, patienceMs } = this.#options;
    const askedAt = performance.now();
    const units = Math.min(weight, this.#units(name));
    const party = this.#parties.get(name) ?? {
      held: 0,
      pausing: 0,
      pauses: new Set(),
      servedAt: 0,
      line: [],
    };
    this.#parties.set(name, party);
    if (party.line.length === 0 && this.#mayTake(name, party, units)) return this.#take(name, party, units);
    const [endPause] = party.pauses;
    if (party.line.length >= waitingMax && endPause !== undefined) {
      endPause();
      return this.acquire(name, weight, signal);
    }
    if (party.line.length >= waitingMax) {
      this.#forget(name, party);
      throw new ShareError(this, `${waitingMax} wait already, which is the limit`);
    }
    if (signal?.aborted === true) {
      this.#forget(name, party);
      throw signal.reason;
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        this.#waiting--;
        party.line.splice(party.line.indexOf(waiting), 1);
        this.#forget(name, party);
      };
      const waiting: Waiting = {
        weight: units,
        grant: () => {
          const release = this.#take(name, party, units, performance.now() - askedAt);
          leave();
          resolve(release);
        },
      };
      const timer = setTimeout(() => {
        leave();
        reject(new ShareError(this, `there was no share within ${patienceMs / 1000} s`));
        // One that asked for much may have stood before others that ask for little.
        this.#grantWaiting();
      }, patienceMs);
      const onAbort = () => {
        leave();
        reject(signal?.reason);
        this.#grantWaiting();
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting++;
      party.line.push(waiting);
    });
  }

  /** Does the work with a share, and gives it back. */
  async run<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const release = await this.acquire(name, 1, signal);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Returns what the party could have if no other of its kind held anything. */
  #units(name: string): number {
    const { units, reserved = 0, privileged } = this.#options;
    return name === privileged ? units : units - reserved;
  }

  #free(name: string): number {
    const { units, reserved = 0, privileged } = this.#options;
    if (privileged === undefined || name === privileged) return units - this.#held;
    // What the privileged hold is taken from what is kept for them first.
    const theirs = this.#parties.get(privileged)?.held ?? 0;
    return units - Math.max(reserved, theirs) - (this.#held - theirs);
  }

  #mayTake(name: string, { held: now, pausing }: Party, weight: number): boolean {
    const held = now + pausing;
    const free = this.#free(name) - pausing;
    const { ofOneMax: bound = Number.POSITIVE_INFINITY } = this.#options;
    const ofOneMax = typeof bound === 'number' ? bound : bound(name);
    if (weight > free || (held > 0 && held + weight > ofOneMax)) return false;
    return name === this.#options.privileged || held === 0 || held + weight <= free;
  }

  #take(name: string, party: Party, weight: number, waitedMs = 0): Release {
    party.held += weight;
    this.#held += weight;
    this.#served += 1;
    party.servedAt = this.#served;
    let isHeld = true;
    const hurry = waitedMs === 0 ? 0 : waitedMs / (PAUSED_PART * this.#options.patienceMs);
    return (pauseMs = 0, missed = () => {}) => {
      if (!isHeld) return;
      isHeld = false;
      party.held -= weight;
      this.#held -= weight;
      const part = Math.max(0, 1 - hurry);
      const ms = pauseMs * part;
      if (ms >= 1) this.#pause(name, party, weight, { ms, missed: () => missed(part) });
      this.#forget(name, party);
      this.#grantWaiting();
    };
  }

  #pause(name: string, party: Party, weight: number, pause: { ms: number; missed: () => void }): void {
    party.pausing += weight;
    const leave = () => {
      clearTimeout(timer);
      party.pauses.delete(leave);
      party.pausing -= weight;
      this.#forget(name, party);
      this.#grantWaiting();
    };
    const timer = setTimeout(() => {
      if (party.line.length > 0) pause.missed();
      leave();
    }, pause.ms);
    // A process may end meanwhile.
    timer.unref();
    party.pauses.add(leave);
  }

  #forget(name: string, party: Party): void {
    if (party.held === 0 && party.pausing === 0 && party.line.length === 0) this.#parties.delete(name);
  }

  /** Grants to the party that holds least, and among equals to the one that was served longest ago. */
  #grantWaiting(): void {
    while (this.#waiting > 0) {
      let best: { party: Party; first: Waiting; rank: number } | null = null;
      for (const [name, party] of this.#parties) {
        const first = party.line[0];
        if (first === undefined || !this.#mayTake(name, party, first.weight)) continue;
        const rank = name === this.#options.privileged ? -1 : party.held + party.pausing;
        const isBetter =
          best === null || rank < best.rank || (rank === best.rank && party.servedAt < best.party.servedAt);
        if (isBetter) best = { party, first, rank };
      }
      if (best === null) return;
      best.first.grant();
    }
  }
}

const PAUSE_MS_MAX = 1000;

/**
 * How long a party is to pause behind heavy work while others want their share: in proportion to what the work took, so that it
 * has a part of the time however slow the machine is. The work begins now; it is asked for when the work has ended.
 */
export function pauseBehind(): (times: number) => number {
  const began = performance.now();
  return (times) => Math.min(PAUSE_MS_MAX, times * (performance.now() - began));
}
