/**
 * Small batches of several workspaces that arrive together share a transaction: its beginning, its commit and its round trips cost as
 * much as all that a batch of one writes. Whoever arrives alone has one of its own, at once. While that is under way others wait for the
 * next. Where one of those that share meets a lock, an error or more work than it may be, nothing of any is left: each is done by
 * itself, as if there were no others, and the workspace of the one that failed goes alone for a while.
 */
import { inCommonTransaction } from '../../db/common-transaction.ts';
import type { Db } from '../../db/connect.ts';
import type { Tx } from '../../db/transaction.ts';
import { ShareError } from '../../fairness/fair-share.ts';
import { currentTraceparent } from '../../telemetry/tracing.ts';

/** Transactions under way, beyond which whoever comes waits: one has its answers read while another is at work. */
const UNDER_WAY_MAX = 2;
/** Of one transaction, so that nobody waits for many others. */
const TOGETHER_MAX = 16;
/** Of the elements of all of them. */
const BYTES_MAX = 32 * 1024;
/** All of them wait for it. */
const LOCK_TIMEOUT_MS = 20;
/** Two where all goes well, one more for Idempotency-Keys, and some for links that wait or are revised. */
const ROUNDS_MAX = 8;
/** What all of them wait for one statement of one, at most; it fails then. */
const STATEMENT_TIMEOUT_MS = 250;
/** Behind it nothing further is begun for any. */
const DEADLINE_MS = 500;
/** Who has the others wait for so long goes alone for a while, though it fails nothing. */
const SLOW_MS = 100;
/** So long somebody waits for others before it has a transaction of its own, and so long is waited for one that is by itself. */
const PATIENCE_MS = 100;
const ALONE_MS = 10_000;
/** Each time it fails again soon behind that it goes alone for twice as long: what it costs the others, it costs them more and more seldom. */
const ALONE_MS_MAX = 300_000;
/** Workspaces that go alone; beyond it those that have for longest are forgotten. */
const ALONE_MAX = 10_000;

/** A batch, done in one way or the other. */
export interface SmallWork<T> {
  /** Of its elements. */
  bytes: number;
  /** Has no effect outside the database: what fails is done again, by `alone`. */
  together(tx: Tx): Promise<T>;
  alone(): Promise<T>;
}

interface Waiting {
  workspaceId: string;
  bytes: number;
  work(tx: Tx): Promise<unknown>;
  /** Null: it is to be done by itself. */
  done: PromiseWithResolvers<{ value: unknown } | null>;
  /** It has been done by itself. */
  over: PromiseWithResolvers<void>;
}

export class CombinedBatches {
  readonly #db: Db;
  /** By workspace, in the order in which they came: one of each, since a batch must see what the one before it has written. */
  readonly #waiting = new Map<string, Waiting>();
  /** How many of a workspace are here, in whatever way: they take turns by their locks, for which nobody else is to wait. */
  readonly #here = new Map<string, number>();
  /** Workspaces that go alone, or have lately: for how long, and until when. */
  readonly #alone = new Map<string, { ms: number; until: number }>();
  readonly #now: () => number;
  #underWay = 0;
  #willStart = false;

  constructor(db: Db, now = () => performance.now()) {
    this.#db = db;
    this.#now = now;
  }

  /** Rejects as `alone` does, and where nobody knows whether the transaction was committed. */
  async run<T>(workspaceId: string, work: SmallWork<T>): Promise<T> {
    const others = this.#here.get(workspaceId) ?? 0;
    this.#here.set(workspaceId, others + 1);
    try {
      // What is traced has its own place in a trace, and a transaction of several would have none.
      if (others > 0 || this.#goesAlone(workspaceId) || currentTraceparent() !== null)
        return await work.alone();
      const waiting: Waiting = {
        workspaceId,
        bytes: work.bytes,
        work: work.together,
        done: Promise.withResolvers(),
        over: Promise.withResolvers(),
      };
      const done = await this.#wait(waiting);
      if (done !== null) return done.value as T;
      try {
        return await work.alone();
      } catch (error) {
        this.#leaveAlone(workspaceId);
        throw error;
      } finally {
        waiting.over.resolve();
      }
    } finally {
      const left = (this.#here.get(workspaceId) ?? 1) - 1;
      if (left > 0) this.#here.set(workspaceId, left);
      else this.#here.delete(workspaceId);
    }
  }

  async #wait(waiting: Waiting): Promise<{ value: unknown } | null> {
    this.#waiting.set(waiting.workspaceId, waiting);
    this.#startSoon();
    const giveUp = setTimeout(() => {
      if (this.#waiting.get(waiting.workspaceId) !== waiting) return;
      this.#waiting.delete(waiting.workspaceId);
      waiting.done.resolve(null);
    }, PATIENCE_MS);
    try {
      return await waiting.done.promise;
    } finally {
      clearTimeout(giveUp);
    }
  }

  #startSoon(): void {
    if (this.#willStart) return;
    this.#willStart = true;
    // With whoever else comes in this turn.
    setImmediate(() => {
      this.#willStart = false;
      while (this.#underWay < UNDER_WAY_MAX && this.#waiting.size > 0) void this.#start(this.#take());
    });
  }

  #take(): Waiting[] {
    const taken: Waiting[] = [];
    let bytes = 0;
    for (const waiting of this.#waiting.values()) {
      bytes += waiting.bytes;
      if (taken.length >= TOGETHER_MAX || (taken.length > 0 && bytes > BYTES_MAX)) break;
      taken.push(waiting);
    }
    for (const { workspaceId } of taken) this.#waiting.delete(workspaceId);
    return taken;
  }

  async #start(taken: readonly Waiting[]): Promise<void> {
    this.#underWay++;
    try {
      const [first] = taken;
      if (taken.length > 1) await this.#doTogether(taken);
      else if (first !== undefined) await untilOver(first);
    } finally {
      this.#underWay--;
      if (this.#waiting.size > 0) this.#startSoon();
    }
  }

  async #doTogether(taken: readonly Waiting[]): Promise<void> {
    // Every process takes the locks of several workspaces in this order.
    const parts = taken.toSorted((a, b) => (a.workspaceId < b.workspaceId ? -1 : 1));
    try {
      const end = await inCommonTransaction<unknown>(this.#db, parts, {
        lockTimeoutMs: LOCK_TIMEOUT_MS,
        roundsMax: ROUNDS_MAX,
        statementTimeoutMs: STATEMENT_TIMEOUT_MS,
        deadlineMs: DEADLINE_MS,
        slowMs: SLOW_MS,
      });
      for (const place of end.slow) this.#leaveAlone((parts[place] as Waiting).workspaceId);
      if ('values' in end) {
        for (const [place, { done }] of parts.entries()) done.resolve({ value: end.values[place] });
        return;
      }
      const failed = end.failed === null ? undefined : parts[end.failed];
      if (failed !== undefined) this.#leaveAlone(failed.workspaceId);
      for (const { done } of parts) done.resolve(null);
    } catch (error) {
      for (const { done } of parts) {
        // There was no connection for them together.
        if (error instanceof ShareError) done.resolve(null);
        else done.reject(error);
      }
    }
  }

  #goesAlone(workspaceId: string): boolean {
    const alone = this.#alone.get(workspaceId);
    if (alone === undefined) return false;
    const now = this.#now();
    if (alone.until + alone.ms <= now) this.#alone.delete(workspaceId);
    return alone.until > now;
  }

  #leaveAlone(workspaceId: string): void {
    const now = this.#now();
    const { ms: lastMs, until } = this.#alone.get(workspaceId) ?? { ms: 0, until: 0 };
    // One that fails by itself too, or whose others were under way when it failed, has failed once.
    const ms = until > now ? lastMs : until + lastMs > now ? Math.min(ALONE_MS_MAX, 2 * lastMs) : ALONE_MS;
    // Behind those that have gone alone for longer.
    this.#alone.delete(workspaceId);
    this.#alone.set(workspaceId, { ms, until: now + ms });
    if (this.#alone.size <= ALONE_MAX) return;
    for (const oldest of this.#alone.keys()) {
      this.#alone.delete(oldest);
      return;
    }
  }
}

/** Done by itself, or not soon: it may stand before a lock that somebody holds. */
async function untilOver({ done, over }: Waiting): Promise<void> {
  done.resolve(null);
  const enough = setTimeout(over.resolve, PATIENCE_MS);
  await over.promise;
  clearTimeout(enough);
}
