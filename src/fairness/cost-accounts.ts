/**
 * Keeps an account for each workspace of what its heavy work (scripts, inline batches, long reads) cost this
 * process and the database recently. A workspace that keeps the machine busy pauses after each piece while lighter
 * ones call; they wait for one of a few CPUs, and nothing else helps them.
 */
import { readFileSync } from 'node:fs';

/** Time after which cost counts for a third. */
const MEMORY_MS = 3000;
/** Share of a CPU above which a workspace is heavy. */
const HEAVY_PART = 0.2;
const HEAVY_MS = HEAVY_PART * MEMORY_MS;
/** A call so long ago was one of somebody who is calling. */
const CALLING_MS = 1000;
/** How many times less others must cost for a heavy workspace to pause: nobody waits for an equal. */
const LESS_TIMES = 2;
/**
 * Length of a pause as a multiple of the work. A single heavy workspace gets a quarter of the time; several share a
 * little more.
 */
const PAUSE_TIMES = 3;
/** No pause is longer, however long the work before it was, so nothing more was missed in one. */
const PAUSE_MS_MAX = 1000;
/** Beyond it the account of whoever has called least lately is closed. */
const ACCOUNTS_MAX = 10_000;

interface Account {
  ms: number;
  /** Duration of its last piece of work. */
  lastMs: number;
  at: number;
  calledAt: number;
}

interface Called {
  workspaceId: string;
  at: number;
}

export interface CostAccountsOptions {
  now?: () => number;
  /** When heavy workspaces pause: if the event loop has lately had to wait for a processor, always, or never. */
  pauses?: 'crowded' | 'always' | 'never';
}

export class CostAccounts {
  readonly #now: () => number;
  readonly #isCrowded: () => boolean;
  /** Accounts in the order of their last calls. */
  readonly #accounts = new Map<string, Account>();
  readonly #heavy = new Set<string>();
  /** The last call of a workspace that is not heavy, and that of the last other one. */
  #light: Called = { workspaceId: '', at: Number.NEGATIVE_INFINITY };
  #otherLight: Called = this.#light;

  constructor({ now = () => performance.now(), pauses = 'crowded' }: CostAccountsOptions = {}) {
    this.#now = now;
    this.#isCrowded = pauses === 'crowded' ? crowdOfProcess() : () => pauses === 'always';
  }

  /** Accounts that are open. */
  get size(): number {
    return this.#accounts.size;
  }

  /** Recent cost of the workspace, in milliseconds of CPU. */
  msOf(workspaceId: string): number {
    const account = this.#accounts.get(workspaceId);
    return account === undefined ? 0 : this.#left(account, this.#now());
  }

  /** Notes that a call or a job of the workspace begins. */
  called(workspaceId: string): void {
    const now = this.#now();
    const account = this.#accounts.get(workspaceId) ?? { ms: 0, lastMs: 0, at: now, calledAt: now };
    account.calledAt = now;
    this.#accounts.delete(workspaceId);
    this.#accounts.set(workspaceId, account);
    this.#closeOldest();
    if (this.#heavy.has(workspaceId) && this.#isHeavy(workspaceId)) return;
    if (workspaceId !== this.#light.workspaceId) this.#otherLight = this.#light;
    this.#light = { workspaceId, at: now };
  }

  /** The workspace's work has taken so much of a processor. */
  charge(workspaceId: string, ms: number): void {
    const account = this.#accounts.get(workspaceId);
    if (account === undefined) return;
    account.lastMs = ms;
    this.#add(workspaceId, account, ms);
  }

  /**
   * To be asked for where a pause begins, and called where more of the workspace's work has waited for its end: what it would have done
   * meanwhile counts too, since it is not light because it was made to wait. The pause is so many times as long as the last piece of work,
   * or a part of that. What else it has done until then says nothing of what it would have done: behind a small batch no script is missed.
   */
  missedBehind(workspaceId: string, times: number): (part?: number) => void {
    const missedMs = Math.min(PAUSE_MS_MAX, (this.#accounts.get(workspaceId)?.lastMs ?? 0) * times);
    return (part = 1) => {
      const account = this.#accounts.get(workspaceId);
      if (account !== undefined) this.#add(workspaceId, account, missedMs * part);
    };
  }

  #add(workspaceId: string, account: Account, ms: number): void {
    const now = this.#now();
    account.ms = this.#left(account, now) + ms;
    account.at = now;
    if (account.ms >= HEAVY_MS) this.#heavy.add(workspaceId);
  }

  /**
   * How many times as long as its last piece of heavy work took the workspace is to pause: 0 where it is not heavy, where nobody calls who
   * is light, and where nobody has to wait for a processor.
   */
  pauseTimes(workspaceId: string): number {
    if (!this.#heavy.has(workspaceId) || !this.#isHeavy(workspaceId)) return 0;
    const now = this.#now();
    const own = this.msOf(workspaceId);
    const isLess = ({ workspaceId: other, at }: Called) =>
      other !== workspaceId && now - at < CALLING_MS && this.msOf(other) * LESS_TIMES <= own;
    if (!isLess(this.#light) && !isLess(this.#otherLight)) return 0;
    return this.#isCrowded() ? PAUSE_TIMES / this.#heavyCallers(now) : 0;
  }

  #heavyCallers(now: number): number {
    let callers = 0;
    for (const one of this.#heavy)
      if (this.#isHeavy(one) && now - (this.#accounts.get(one)?.calledAt ?? 0) < MEMORY_MS) callers++;
    return Math.max(1, callers);
  }

  #isHeavy(workspaceId: string): boolean {
    if (this.msOf(workspaceId) >= HEAVY_MS) return true;
    this.#heavy.delete(workspaceId);
    return false;
  }

  #left({ ms, at }: Account, now: number): number {
    return ms * Math.exp((at - now) / MEMORY_MS);
  }

  #closeOldest(): void {
    if (this.#accounts.size <= ACCOUNTS_MAX) return;
    const [oldest] = this.#accounts.keys();
    this.#accounts.delete(oldest as string);
    this.#heavy.delete(oldest as string);
  }
}

/** Linux says here how long the thread of the event loop has computed, and how long it has stood in line for a processor, in ns. */
const SCHEDULED = '/proc/self/schedstat';
const LOOKED_EVERY_MS = 100;
/**
 * Share of the computed time spent waiting for a CPU above which the machine is crowded; below this there is no
 * crowd, however little was computed.
 */
const CROWDED_PART = 0.1;
const CROWDED_NS = 1e6;
/** Time for which the machine counts as crowded afterwards, because the pauses themselves end the crowd. */
const CROWDED_FOR_MS = 5000;

/** Whether the loop of this process has to wait for a processor; yes where nobody can tell. */
function crowdOfProcess(): () => boolean {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let last = { computed: 0, waited: 0 };
  let crowdedUntil = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - lookedAt < LOOKED_EVERY_MS) return now < crowdedUntil;
    const times = timesOfLoop();
    const isFirst = lookedAt === Number.NEGATIVE_INFINITY;
    lookedAt = now;
    if (times === null) crowdedUntil = now + CROWDED_FOR_MS;
    else {
      const waited = times.waited - last.waited;
      const isMuch = waited > Math.max(CROWDED_NS, CROWDED_PART * (times.computed - last.computed));
      // What was waited for since the process began says nothing of now.
      if (isMuch && !isFirst) crowdedUntil = now + CROWDED_FOR_MS;
      last = times;
    }
    return now < crowdedUntil;
  };
}

function timesOfLoop(): { computed: number; waited: number } | null {
  try {
    const [computed, waited] = readFileSync(SCHEDULED, 'latin1').split(' ').map(Number);
    return { computed: computed as number, waited: waited as number };
  } catch {
    return null;
  }
}
